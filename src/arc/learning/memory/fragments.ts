import { definite } from '../../../core/errors.ts';
import { verifierScoreOf } from '../../verify/comparator.ts';
import { candidateId, normalForm } from '../../language/normal.ts';
import { checkProgram, parseProgram, type Program, type ProgramStep } from '../../language/program.ts';
import { operations } from '../../language/registry.ts';
import { withoutStep, sourcesOf } from '../../language/surgery.ts';
import type { Task } from '../../grid/task.ts';
import { verify } from '../../verify/verify.ts';

/** Placeholder for a colour that the next task determines. */
const colourHole = '?colour';

const longest = 3;

/** A piece of a gold program: image to image, on `input`, colours left open. */
export interface FragmentPiece {
  readonly fragment_id: string;
  readonly steps: Program;
  /** The loss of score without the piece. */
  readonly gain: number;
}

/** Chains of one to three steps that turn an image into an image and carry no learned table. */
export function piecesOf(program: Program, task: Pick<Task, 'train' | 'test'>): FragmentPiece[] {
  const steps = normalForm(program);
  const pieces: FragmentPiece[] = [];
  for (let begin = 0; begin < steps.length; begin++)
    for (let length = 1; length <= longest && begin + length <= steps.length; length++) {
      const piece = chain(steps, begin, length);
      if (piece === null) break;
      if (fillHoles(piece, [1]).length === 0) continue;
      pieces.push({
        fragment_id: candidateId(piece),
        steps: piece,
        gain: lossWithout(steps, begin, length, task),
      });
    }
  return pieces;
}

/** The steps as a separate program, or null if they are not connected or contain a task's table. */
function chain(steps: Program, begin: number, length: number): Program | null {
  const part = steps.slice(begin, begin + length);
  if (part.some(({ op, args }) => hasTable(op) || Array.isArray(args['of']) || args['frame'] !== undefined))
    return null;
  if (part.some(({ args }, i) => i > 0 && args['of'] !== begin + i - 1)) return null;
  return part.map(({ op, args }, i) => ({
    op,
    args: withHoles(op, { ...args, of: i === 0 ? 'input' : i - 1 }),
  }));
}

function hasTable(op: string): boolean {
  return Object.values(definite(operations.get(op)).parameters).some(({ kind }) => kind === 'table');
}

function withHoles(op: string, args: ProgramStep['args']): ProgramStep['args'] {
  const { parameters } = definite(operations.get(op));
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      parameters[name]?.kind === 'colour' ? colourHole : value,
    ]),
  );
}

/**
 * The piece for a task: unchanged if it has no placeholders, otherwise once per colour; empty if the language no longer has its
 * words.
 */
export function fillHoles(piece: unknown, palette: readonly number[]): Program[] {
  const text = JSON.stringify(piece);
  const texts = text.includes(colourHole)
    ? palette
        .filter((colour) => colour !== 0)
        .map((colour) => text.replaceAll(JSON.stringify(colourHole), `${colour}`))
    : [text];
  return texts.flatMap((one) => {
    const parsed = parseProgram(one);
    return parsed.ok ? [parsed.value] : [];
  });
}

function lossWithout(
  steps: Program,
  begin: number,
  length: number,
  task: Pick<Task, 'train' | 'test'>,
): number {
  let rest: Program = steps;
  for (let i = 0; i < length; i++) {
    const of = definite(sourcesOf(definite(rest[begin]))[0]);
    if (rest.length === 1) return 1;
    rest = withoutStep(rest, begin, of);
  }
  const checked = checkProgram(rest);
  if (!checked.ok) return 1;
  return Math.round((1 - verifierScoreOf(task.train, verify(checked.value, task))) * 1e6) / 1e6;
}
