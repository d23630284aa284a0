import { failed, success, type Result } from '../../../core/result.ts';
import type { LeanEnvironment } from '../../project/environment.ts';
import { bareGoal, type LeanGoal } from '../../goals/goal.ts';
import { SourceText } from '../../base/source-text.ts';
import type { Lease } from '../../workers/lease.ts';
import type { Failure, Position } from '../../base/protocol.ts';
import { findOutside } from '../../base/brackets.ts';
import { positionAfter } from '../../base/positions.ts';

/** A theorem of a file with its proof, and the position of the proof. */
export interface ProvedTheorem {
  readonly goal: LeanGoal;
  readonly proof: string;
  readonly start: Position;
  readonly end: Position;
}

const deadlineMs = 120_000;

/** The theorems of a file that have a whole proof after `:=`. */
export async function provedTheorems(
  lease: Lease,
  raw: string,
  file: string,
  environment: LeanEnvironment,
): Promise<Result<readonly ProvedTheorem[], Failure>> {
  const source = new SourceText(raw);
  const loaded = await lease.request(
    'load',
    { session: lease.rootSession, text: source.text },
    { deadlineMs },
  );
  if (!loaded.ok) return failed(loaded);
  await lease.request('unload', { sessions: [loaded.session] });
  const theorems = loaded.theorems.flatMap(({ name, start, end }) => {
    const text = source.between(start, end);
    const at = findOutside(text, ':=');
    if (at === undefined || /\bsorry\b/.test(text.slice(at))) return [];
    const goal: LeanGoal = {
      ...bareGoal,
      id: name,
      preamble: source.before(start, []),
      ...(environment.project !== null && { environment }),
      statement: text.slice(0, at).trimEnd(),
      source: `${file}:${start[0]}`,
    };
    return [{ goal, proof: text.slice(at + 2).trim(), start: positionAfter(start, text.slice(0, at)), end }];
  });
  return success(theorems);
}

/** The file with new proofs for some of its theorems. */
export function withShorter(
  raw: string,
  shorter: readonly { readonly theorem: ProvedTheorem; readonly proof: string }[],
): string {
  const lastFirst = shorter.toSorted((one, two) => two.theorem.start[0] - one.theorem.start[0]);
  return lastFirst.reduce(
    (text, { theorem: { start, end }, proof }) => new SourceText(text).replace(start, end, `:= ${proof}`),
    raw,
  );
}
