import { failed, type Failed } from '../core/result.ts';
import { cancelled, type ModelFailure } from './model.ts';

/** The fields of SDK errors that matter here. */
interface ServiceError {
  readonly status?: number;
  readonly name?: string;
  readonly message?: string;
  readonly headers?: { get?(name: string): string | null };
}

/** Rate limits, timeouts and service faults are temporary; everything else would fail again. */
function isPassing(status: number | undefined, name: string): boolean {
  if (status === undefined) return /connection|timeout|fetch|network|terminated|premature/i.test(name);
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** A client's exception as a value, with keys removed from the message. */
export function failureOf(
  error: unknown,
  secrets: readonly string[],
  signal?: AbortSignal,
): Failed<ModelFailure> {
  if (signal?.aborted === true) return cancelled;
  const { status, name = '', message = String(error), headers } = (error ?? {}) as ServiceError;
  const after = Number(headers?.get?.('retry-after') ?? Number.NaN);
  return failed({
    kind: 'failed',
    message: hidden(status === undefined ? message : `${status}: ${message}`, secrets).slice(0, 500),
    retryable: isPassing(status, `${name} ${message}`),
    mayCost: status === undefined && !/ECONNREFUSED|ENOTFOUND|EAI_AGAIN/.test(causesOf(error)),
    ...(Number.isFinite(after) && after >= 0 && { retryAfterMs: after * 1000 }),
  });
}

/** The error codes of an exception and its causes, to detect a service that was never reached and so cost nothing. */
function causesOf(error: unknown): string {
  const {
    code = '',
    message = '',
    cause,
  } = (error ?? {}) as { code?: string; message?: string; cause?: unknown };
  return `${code} ${message} ${cause === undefined ? '' : causesOf(cause)}`;
}

function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 8)
    .reduce((said, secret) => said.replaceAll(secret, '[hidden]'), text);
}
