import { failed, success, type Result } from '../../../core/result.ts';
import type { LeanEnvironment } from '../../project/environment.ts';
import { bareGoal, type LeanGoal } from '../../goals/goal.ts';
import { SourceText } from '../../base/source-text.ts';
import type { Lease } from '../../workers/lease.ts';
import type { Failure, Position } from '../../base/protocol.ts';

/** A theorem of a file with its proof, and the position of the proof. */
export interface ProvedTheorem {
  readonly goal: LeanGoal;
  readonly proof: string;
  readonly start: Position;
  readonly end: Position;
}

const deadlineMs = 120_000;
const opening = new Set('([{⟨⦃');
const closing = new Set(')]}⟩⦄');

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
    const at = valueAt(text);
    if (at === undefined || /\bsorry\b/.test(text.slice(at))) return [];
    const goal: LeanGoal = {
      ...bareGoal,
      id: name,
      preamble: source.before(start, []),
      ...(environment.project !== null && { environment }),
      statement: text.slice(0, at).trimEnd(),
      source: `${file}:${start[0]}`,
    };
    return [{ goal, proof: text.slice(at + 2).trim(), start: positionIn(text, at, start), end }];
  });
  return success(theorems);
}

/** Position of the `:=` outside brackets; a theorem defined by equations has none. */
function valueAt(text: string): number | undefined {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (opening.has(character)) depth++;
    if (closing.has(character)) depth--;
    if (depth === 0 && text.startsWith(':=', index)) return index;
  }
  return undefined;
}

function positionIn(text: string, at: number, [line, column]: Position): Position {
  const lines = text.slice(0, at).split('\n');
  const last = Array.from(lines.at(-1) ?? '').length;
  return lines.length === 1 ? [line, column + last] : [line + lines.length - 1, last];
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
