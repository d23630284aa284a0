import { failed, success, type Result } from '../../core/result.ts';
import { withProofs } from '../writing/in-place.ts';
import type { ReplStates, Text } from './repl-states.ts';

interface Replay {
  readonly around: Omit<Text, 'text'>;
  /** Lean decides which one is right: a `sorry` is written the same way as a tactic and as a term. */
  readonly candidates: readonly string[];
}

/** The text of a proof state with the tactics that led to it in the place of its `sorry`. */
export function replayed(states: ReplStates, point: number): Result<Replay> {
  const { ran, range, steps } = states.stepsTo(point);
  const { on, text, wants } = states.text(ran);
  const { start, end } = range;
  if (start[0] < 1) return refuse('the place of the first proof state in its text is unknown');
  if (steps.length === 0) return refuse('no tactic has been run yet');
  if (steps.some(({ sorry }) => sorry !== undefined))
    return refuse('a proof state inside a tactic has no place in the text');
  const script = steps.flatMap(({ tactic }) => tactic.trim().split('\n'));
  const proof =
    script.length === 1 ? `by ${script[0]}` : ['by', ...script.map((line) => `  ${line}`)].join('\n');
  const written = (form: 'tactic' | 'term'): string =>
    withProofs(text, [{ place: { file: '', start, end, form }, proof }]);
  return success({
    around: { environment: states.environmentOf(ran), on, wants },
    candidates: [written('tactic'), written('term')],
  });
}

function refuse(message: string): Result<never> {
  return failed({ kind: 'replay', message });
}
