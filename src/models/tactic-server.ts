import { messageOf } from '../core/errors.ts';
import { failed, success, type Failed, type Result } from '../core/result.ts';
import { boundedFetch } from './bounded.ts';
import * as z from 'zod';

/** A server with Lean Copilot's protocol for external models. */
export interface TacticServer {
  readonly url: string;
  /** The requested model, if the server has several. */
  readonly name: string;
}

export interface TacticSuggestion {
  readonly output: string;
  readonly score: number;
}

const Answer = z.object({
  outputs: z.array(
    z.union([
      z.object({ output: z.string(), score: z.number() }),
      // the same value as in earlier versions
      z.tuple([z.string(), z.number()]).transform(([output, score]) => ({ output, score })),
    ]),
  ),
});

const timeoutMs = 30_000;

/** Tactics for a state, best first, or why there are none. */
export async function askForTactics(
  { url, name }: TacticServer,
  state: string,
  signal: AbortSignal,
): Promise<Result<readonly TacticSuggestion[]>> {
  try {
    const answer = await boundedFetch(new URL('/generate', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ name, input: state, prefix: '' }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!answer.ok) return no(`${url} answers ${answer.status}`);
    const { data } = Answer.safeParse(await answer.json());
    if (!data) return no(`${url} sent an answer that is not a list of tactics`);
    return success(data.outputs.toSorted((first, second) => second.score - first.score));
  } catch (error) {
    return no(`${url}: ${messageOf(error)}`);
  }
}

const no = (message: string): Failed => failed({ kind: 'tactic-server', message });
