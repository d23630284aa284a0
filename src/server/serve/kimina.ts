import type { Hono } from 'hono';
import type * as z from 'zod';
import {
  checkSnippet,
  type Snippet,
  type SnippetResult,
  type SnippetWishes,
} from '../../lean/dialects/kimina.ts';
import type { Clock } from '../../core/clock.ts';
import type { Orch } from '../../app/orch.ts';
import { Problem } from '../problems.ts';
import { Admission, Busy } from './admission.ts';
import { checkBody, kiminaEndpoints, verifyBody } from './endpoints.ts';
import { bodyOf } from './body.ts';

export interface KiminaParts {
  readonly orch: Orch;
  readonly clock: Clock;
  /** Number of snippets checked concurrently. */
  readonly workers: number;
  /** Maximum wait for a worker before a request is refused. */
  readonly maxWaitSeconds: number;
}

/** Maximum bytes of all results of one request; a result over the limit is replaced by an error. */
export const largestAnswer = 32 << 20;

/** The routes of Kimina Lean Server. Snippets of all requests share the workers, in the order in which they came. */
export function addKimina(app: Hono, parts: KiminaParts): void {
  // the judge works on one snippet while a worker elaborates the next one
  const maxWaitMs = parts.maxWaitSeconds * 1000;
  const lines = {
    all: new Admission(2 * parts.workers, maxWaitMs),
    elaborating: new Admission(parts.workers, maxWaitMs),
  };
  const run = async (snippets: readonly Snippet[], wishes: SnippetWishes): Promise<SnippetResult[]> =>
    await checkAll(snippets, wishes, parts, lines);

  for (const path of [kiminaEndpoints.check.path, kiminaEndpoints.checkAlias.path])
    for (const spelled of [path, `${path}/`])
      app.post(spelled, async (context) => {
        const body: z.infer<typeof checkBody> = await bodyOf(context, checkBody);
        const results = await run(body.snippets, {
          timeout: body.timeout,
          signal: context.req.raw.signal,
          infotree: body.infotree ?? undefined,
        });
        return context.json({ results: results.map((result) => withoutDebug(result, body.debug)) });
      });
  for (const path of [kiminaEndpoints.verify.path, kiminaEndpoints.verifyBatch.path])
    app.post(path, async (context) => {
      const { codes, timeout, infotree_type }: z.infer<typeof verifyBody> = await bodyOf(context, verifyBody);
      const snippets = codes.map(({ custom_id, proof, code }) => ({
        id: String(custom_id),
        code: proof ?? code ?? '',
      }));
      const results = await run(snippets, {
        timeout,
        signal: context.req.raw.signal,
        infotree: infotree_type ?? undefined,
      });
      return context.json({ results: results.map(asVerified) });
    });
}

async function checkAll(
  snippets: readonly Snippet[],
  wishes: SnippetWishes,
  { orch, clock }: KiminaParts,
  lines: { readonly all: Admission; readonly elaborating: Admission },
): Promise<SnippetResult[]> {
  // if one snippet cannot be served the request fails, so its other snippets are cancelled
  const failed = new AbortController();
  const { signal } = wishes;
  const both = AbortSignal.any([signal, failed.signal]);
  const one = async (snippet: Snippet): Promise<SnippetResult> =>
    await lines.all.run(
      both,
      async () =>
        await lines.elaborating.run(both, async (onElaborated) => {
          const environment = orch.environmentOf(snippet.code);
          const { gate, pool } = await orch.leanFor(environment);
          const lean = { gate, environment, clock, pool };
          return fitted(await checkSnippet(snippet, lean, { ...wishes, signal: both, onElaborated }));
        }),
    );
  let room = largestAnswer;
  const fitted = (result: SnippetResult): SnippetResult => {
    const size = Buffer.byteLength(JSON.stringify(result));
    room -= Math.min(size, room);
    if (room > 0) return result;
    const { id, time } = result;
    const error = `the answer is too large: ${size} bytes, where all results of a request have at most ${largestAnswer}`;
    return { id, time, error };
  };
  try {
    await orch.refresh();
    return await Promise.all(snippets.map(one));
  } catch (error) {
    failed.abort();
    if (signal.aborted) throw new Problem(499, 'client-gone', 'the client has disconnected');
    if (error instanceof Busy) throw new Problem(429, 'busy', error.message, 'Ask again later.');
    throw error;
  }
}

function withoutDebug({ diagnostics, ...result }: SnippetResult, isDebug: boolean): SnippetResult {
  return isDebug && diagnostics ? { ...result, diagnostics } : result;
}

function asVerified({ id, time, error, response }: SnippetResult): object {
  return { custom_id: id, error: error ?? null, response: response ? { ...response, time } : null };
}
