import { definite } from '../../../core/errors.ts';
import { seedFrom } from '../../../core/rng.ts';
import { maxSide, sameCells, sameGrid, type Grid } from '../../grid/grid.ts';
import { choicesFor, type Choice } from '../../language/variants.ts';
import { familyOfOperation } from '../../language/alternatives.ts';
import type { Image } from '../../language/image.ts';
import { normalForm } from '../../language/normal.ts';
import { isList, type Value, onlyImage, type StepReference } from '../../language/operation.ts';
import { checkProgram, type Program, type ProgramStep } from '../../language/program.ts';
import { compile } from '../../language/run.ts';
import { asImage } from '../../language/trace.ts';
import type { Pair, Task } from '../../grid/task.ts';
import { Draws } from './draws.ts';
import { drawScenery } from './scenes.ts';

/** A generated task with its rule. `split` depends on the family of the rule's main operation, so no family is in both. */
export interface MadeTask {
  readonly task: Task;
  readonly program: Program;
  readonly family: string;
  readonly split: 'train' | 'validation';
}

const pairs = 3;
const mostTries = 400;

/** Drawing inputs costs more than drawing a rule, so this many rules are tried on the same inputs. */
const rulesOnInputs = 24;

/** Generates this many tasks from random well-typed programs; the same count and seed give the same tasks. */
export function* makeTasks(count: number, seed: number): Generator<MadeTask> {
  for (let made = 0, attempt = 0; made < count && attempt < count * mostTries; attempt++)
    for (const one of tasksFrom(seed, attempt)) {
      if (made === count) return;
      made++;
      yield one;
    }
}

function* tasksFrom(seed: number, attempt: number): Generator<MadeTask> {
  const draws = new Draws('task', seed, attempt);
  const scenery = drawScenery(draws);
  const inputs = Array.from({ length: pairs + 1 }, () => scenery(draws));
  const images = inputs.map(asImage);
  const choices = choicesByOperation(choicesFor(images, images, true));
  for (let rule = 0; rule < rulesOnInputs; rule++) {
    const program = randomProgram(draws, images, choices);
    const outputs = program === null ? null : outputsOf(program, inputs);
    if (program === null || outputs === null) continue;
    const family = familyOfOperation(definite(program.findLast(({ op }) => op !== 'stack')).op);
    yield {
      task: {
        id: `made-${seed}-${attempt}-${rule}`,
        train: inputs.slice(0, pairs).map((input, i): Pair => ({ input, output: definite(outputs[i]) })),
        test: inputs.slice(pairs),
        answers: outputs.slice(pairs),
      },
      program,
      family,
      split: seedFrom('split', family) % 5 === 0 ? 'validation' : 'train',
    };
  }
}

/** The outputs of a rule, or null if they are useless: unchanged inputs, equal outputs or empty ones. */
function outputsOf(program: Program, inputs: readonly Grid[]): Grid[] | null {
  const run = compile(program);
  const outputs: Grid[] = [];
  for (const input of inputs) {
    const outcome = run(input);
    if (outcome.kind !== 'grid' || sameGrid(outcome.grid, input)) return null;
    outputs.push(outcome.grid);
  }
  if (outputs.every((output) => sameGrid(output, definite(outputs[0])))) return null;
  return outputs.some(({ cells }) => cells.every((cell) => cell === 0)) ? null : outputs;
}

/** Variants by operation, so that each operation is equally likely, whatever its number of variants. */
type Choices = readonly (readonly Choice[])[];

function choicesByOperation(choices: readonly Choice[]): Choices {
  return [...Map.groupBy(choices, ({ operation }) => operation.name).values()];
}

/** Steps so far, with their values for every input. */
interface Chain {
  readonly steps: readonly ProgramStep[];
  readonly values: readonly Value[];
}

/** A chain of one to four steps, perhaps painted over the input or under it, or two chains over each other. */
function randomProgram(draws: Draws, inputs: readonly Image[], choices: Choices): Program | null {
  const frame = draws.below(framesOneIn) === 0 ? randomFrame(draws, inputs, choices) : inputFrame(inputs);
  const chain = frame && randomChain(draws, inputs, choices, frame, 1 + draws.below(longestRule));
  if (!frame || !chain) return null;
  const steps = [...frame.steps, ...startingAt(chain.steps, frame.steps.length)];
  const last = steps.length - 1;
  const shape = draws.below(10);
  if (shape < 3) steps.push(stack(shape === 0 ? ['input', last] : [last, 'input']));
  else if (shape === 3) {
    const other = randomChain(draws, inputs, choices, frame, 1 + draws.below(2));
    if (other === null) return null;
    steps.push(...startingAt(other.steps, steps.length));
    steps.push(stack([steps.length - 1, last]));
  }
  const checked = checkProgram(steps);
  return checked.ok ? normalForm(checked.value) : null;
}

/** The image that gives size-bound steps their size. */
interface Frame {
  readonly steps: readonly ProgramStep[];
  readonly at: StepReference;
  readonly images: readonly Image[];
}

function inputFrame(inputs: readonly Image[]): Frame {
  return { steps: [], at: 'input', images: inputs };
}

/** A frame taken from the input: an object, a part or a crop. */
function randomFrame(draws: Draws, inputs: readonly Image[], choices: Choices): Frame | null {
  const chain = randomChain(draws, inputs, choices, inputFrame(inputs), 1 + draws.below(2));
  if (chain === null || chain.steps.some(({ args }) => 'frame' in args)) return null;
  return { steps: chain.steps, at: chain.steps.length - 1, images: chain.values.map(onlyImage) };
}

function stack(of: readonly StepReference[]): ProgramStep {
  return { op: 'stack', args: { of, frame: 'input' } };
}

/** A chain after other steps: its first step names the input as its source. */
function startingAt(steps: readonly ProgramStep[], index: number): ProgramStep[] {
  return steps.map(({ op, args }, i) => ({
    op,
    args: i === 0 && index > 0 ? { ...args, of: 'input' } : args,
  }));
}

/** Number of retries if a step does not apply or changes nothing: other operations, and other arguments of each. */
const drawsAStep = 4;
const waysAnOperation = 3;
const longestChain = 5;
const longestRule = 4;

/** One in this many rules takes sizes from an image that it computes, the others from the input. */
const framesOneIn = 4;

/** One in this many steps that are not last makes a list: few operations make lists, but many need them. */
const listsOneIn = 3;

/** One in this many first steps is an operation that follows no other; these seldom apply by chance. */
const specialOneIn = 4;

function randomChain(
  draws: Draws,
  inputs: readonly Image[],
  choices: Choices,
  frame: Frame,
  length: number,
): Chain | null {
  let chain: Chain = { steps: [], values: inputs };
  for (let i = 0; i < length || isList(definite(chain.values[0])); i++) {
    if (i === longestChain) return null;
    const next = randomStep(draws, { inputs, choices, frame }, chain, i >= length - 1);
    if (next === null) return null;
    chain = next;
  }
  return chain.values.every((value) => isOutput(onlyImage(value))) ? chain : null;
}

function isOutput({ width, height }: Image): boolean {
  return width <= maxSide && height <= maxSide;
}

function randomStep(
  draws: Draws,
  {
    inputs,
    choices,
    frame,
  }: { readonly inputs: readonly Image[]; readonly choices: Choices; readonly frame: Frame },
  { steps, values }: Chain,
  wantsImage: boolean,
): Chain | null {
  const taken = isList(definite(values[0])) ? 'list' : 'image';
  const fitting = choices.filter(([first]) => {
    const { operation } = definite(first);
    return (
      operation.takes === taken &&
      (!wantsImage || operation.gives === 'image') &&
      (operation.rootOnly !== true || steps.length === 0)
    );
  });
  const listing = fitting.filter(([first]) => first?.operation.gives === 'list');
  const special = fitting.filter(([first]) => first?.operation.rootOnly === true);
  const seldom = draws.below(listsOneIn) === 0 ? listing : draws.below(specialOneIn) === 0 ? special : [];
  const drawn = seldom.length > 0 ? seldom : fitting;
  let ways: readonly Choice[] = [];
  for (let tries = 0; tries < drawsAStep * waysAnOperation; tries++) {
    if (tries % waysAnOperation === 0) ways = definite(drawn[draws.below(drawn.length)]);
    const { operation, args, bound } = definite(ways[draws.below(ways.length)]);
    const isFramed = operation.framed === true;
    const next = values.map((value, i) => {
      const input = definite(inputs[i]);
      return bound(value, { input, frame: isFramed ? definite(frame.images[i]) : null });
    });
    if (!next.every((value) => value !== null)) continue;
    if (next.every((value, i) => sameValue(value, definite(values[i])))) continue;
    const step = { op: operation.name, args: isFramed ? { ...args, frame: frame.at } : args };
    return { steps: [...steps, step], values: next };
  }
  return null;
}

function sameValue(a: Value, b: Value): boolean {
  if (isList(a) || isList(b))
    return (
      isList(a) && isList(b) && a.length === b.length && a.every((part, i) => sameValue(part, definite(b[i])))
    );
  return a.x === b.x && a.y === b.y && a.width === b.width && sameCells(a.cells, b.cells);
}
