import { seedFrom } from '../../core/rng.ts';
import { choicesFor } from '../propose/variants.ts';
import { familyOfOperation } from '../rules/alternatives.ts';
import { sameGrid, type Grid } from '../grid.ts';
import { normalForm } from '../rules/normal.ts';
import { checkProgram, type Program, type Step } from '../rules/program.ts';
import { compile } from '../rules/run.ts';
import { asImage } from '../rules/trace.ts';
import type { Pair, Task } from '../task.ts';
import { Draws } from './draws.ts';

/** A made task: its rule is known. `split` is by the family of the rule's main operation, so no family is in both. */
export interface MadeTask {
  readonly task: Task;
  readonly program: Program;
  readonly family: string;
  readonly split: 'train' | 'validation';
}

const pairs = 3;
const mostTries = 400;

/** So many tasks from random well-typed programs; the same count and seed give the same tasks. */
export function* makeTasks(count: number, seed: number): Generator<MadeTask> {
  for (let made = 0, attempt = 0; made < count && attempt < count * mostTries; attempt++) {
    const one = tryTask(seed, attempt);
    if (one === null) continue;
    made++;
    yield one;
  }
}

function tryTask(seed: number, attempt: number): MadeTask | null {
  const draws = new Draws('task', seed, attempt);
  const inputs = Array.from({ length: pairs + 1 }, () => randomGrid(draws));
  const program = randomProgram(draws, inputs);
  if (program === null) return null;
  const run = compile(program);
  const outputs: Grid[] = [];
  for (const input of inputs) {
    const outcome = run(input);
    if (outcome.kind !== 'grid' || sameGrid(outcome.grid, input)) return null;
    outputs.push(outcome.grid);
  }
  // a rule that gives one and the same output, or an empty one, teaches nothing
  if (outputs.every((output) => sameGrid(output, outputs[0] as Grid))) return null;
  if (outputs.some(({ cells }) => cells.every((cell) => cell === 0))) return null;
  const family = familyOfOperation((program.at(-1) as Step).op);
  return {
    task: {
      id: `made-${seed}-${attempt}`,
      train: inputs.slice(0, pairs).map((input, i): Pair => ({ input, output: outputs[i] as Grid })),
      test: inputs.slice(pairs),
      answers: outputs.slice(pairs),
    },
    program,
    family,
    split: seedFrom('split', family) % 5 === 0 ? 'validation' : 'train',
  };
}

/** Rectangles, specks and lines on black, of a few colours. */
function randomGrid(draws: Draws): Grid {
  const width = 5 + draws.below(8);
  const height = 5 + draws.below(8);
  const cells = new Uint8Array(width * height);
  const colours = [1 + draws.below(9), 1 + draws.below(9), 1 + draws.below(9)];
  for (let object = 0; object < 2 + draws.below(4); object++) {
    const colour = colours[draws.below(colours.length)] as number;
    const [x, y] = [draws.below(width), draws.below(height)];
    const [wide, high] = [1 + draws.below(4), 1 + draws.below(4)];
    const isHollow = draws.below(3) === 0;
    for (let row = y; row < Math.min(height, y + high); row++)
      for (let column = x; column < Math.min(width, x + wide); column++)
        if (!isHollow || row === y || row === y + high - 1 || column === x || column === x + wide - 1)
          cells[row * width + column] = colour;
  }
  return { width, height, cells };
}

/** One to three steps that fit each other; null when the draw fits nothing. */
function randomProgram(draws: Draws, inputs: readonly Grid[]): Program | null {
  const images = inputs.map(asImage);
  const choices = choicesFor(images, images, false);
  const steps: Step[] = [];
  let isListed = false;
  const length = 1 + draws.below(3);
  for (let i = 0; i < length || isListed; i++) {
    if (i > 4) return null;
    const wantsImage = i >= length - 1;
    const fitting = choices.filter(
      ({ operation }) =>
        operation.takes === (isListed ? 'list' : 'image') && (!wantsImage || operation.gives === 'image'),
    );
    const { operation, args } = fitting[draws.below(fitting.length)] ?? {};
    if (operation === undefined || args === undefined) return null;
    steps.push({ op: operation.name, args });
    isListed = operation.gives === 'list';
  }
  const checked = checkProgram(steps);
  return checked.kind === 'program' ? normalForm(checked.program) : null;
}
