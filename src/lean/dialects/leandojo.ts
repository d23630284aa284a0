import { messageOf } from '../../core/errors.ts';
import { failed, success, type Result } from '../../core/result.ts';
import * as z from 'zod';
import type { Repl } from './repl.ts';
import type { ReplAnswer } from './repl-wire.ts';

/**
 * LeanDojo's protocol: one line of JSON in, one line `REPL> {…}` out. Its versions spell the fields in two ways; both
 * are read and written.
 */
const id = z.int().min(0);
const Request = z.union([
  z.object({ tsid: id, tac: z.string() }).transform(({ tsid, tac }) => ({ state: tsid, tactic: tac })),
  z.object({ sid: id, cmd: z.string() }).transform(({ sid, cmd }) => ({ state: sid, tactic: cmd })),
]);

/** The theorem of a conversation: a text, and the `sorry` to work on. */
export interface DojoTask {
  readonly text: string;
  /** The line of the `sorry`; without it the first one. */
  readonly line?: number;
}

export class LeanDojo {
  readonly #repl: Repl;

  constructor(repl: Repl) {
    this.#repl = repl;
  }

  /** The first line: the initial state of the proof, or why there is none. */
  async begin({ text, line }: DojoTask): Promise<string> {
    const answer = await this.#repl.answer({ kind: 'command', cmd: text });
    const sorries = 'env' in answer ? (answer.sorries ?? []) : [];
    const found = sorries.find(({ pos }) => line === undefined || pos?.line === line);
    if (found?.proofState !== undefined) return spoken(found.proofState, found.goal, null);
    const first =
      'env' in answer ? answer.messages?.find(({ severity }) => severity === 'error')?.data : undefined;
    const why = 'message' in answer ? answer.message : (first ?? 'there is no sorry to work on');
    return spoken(null, null, why);
  }

  async answer(line: string): Promise<string> {
    const request = parse(line);
    if (!request.ok) return spoken(null, null, request.error.message);
    const { state, tactic } = request.value;
    return describe(await this.#repl.answer({ kind: 'step', proofState: state, tactic }));
  }
}

function parse(line: string): Result<z.infer<typeof Request>> {
  try {
    const { data } = Request.safeParse(JSON.parse(line));
    if (data) return success(data);
    return failed({ kind: 'request', message: 'expected {"tsid": number, "tac": text}' });
  } catch (error) {
    return failed({ kind: 'json', message: `not JSON: ${messageOf(error)}` });
  }
}

function describe(answer: ReplAnswer): string {
  if ('message' in answer) return spoken(null, null, answer.message);
  if (!('proofStatus' in answer)) return spoken(null, null, 'not a step');
  const { proofState, goals, proofStatus, messages = [] } = answer;
  // Lean recovers from an error with `sorry`; for LeanDojo the tactic has failed
  const error = messages.find(({ severity }) => severity === 'error');
  if (error) return spoken(null, null, error.data);
  if (goals.length > 0) return spoken(proofState, goals.join('\n\n'), null);
  if (proofStatus === 'Completed') return spoken(proofState, 'no goals', null);
  return spoken(
    null,
    null,
    proofStatus === 'Incomplete: contains sorry' ? 'proof contains `sorry`' : proofStatus,
  );
}

function spoken(state: number | null, goals: string | null, error: string | null): string {
  const body = { tsid: state, sid: state, tactic_state: goals, tacticState: goals, error };
  return `REPL> ${JSON.stringify(body)}`;
}
