import type { ApiError } from '../shared/api.ts';

/** Why a request is refused. */
export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 499 | 500;

/** Thrown by a handler and answered as an `ApiError`: the only way a request fails. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: ProblemStatus;
  readonly code: string;
  readonly hint: string | null;

  constructor(status: ProblemStatus, code: string, message: string, hint: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }

  get body(): ApiError {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }

  response(): Response {
    return Response.json(this.body, { status: this.status });
  }
}
