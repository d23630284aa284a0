import { definite } from '../../core/errors.ts';
import type { Grid } from '../grid/grid.ts';
import { usedSteps } from '../language/normal.ts';
import { isList, type Value } from '../language/operation.ts';
import type { Program } from '../language/program.ts';
import { compileTraced } from '../language/run.ts';
import type { Attempt } from '../search/choose.ts';
import { phraseOf } from './phrases.ts';

/** Explains a rule to people, with text and pictures. */
export interface ShownStep {
  readonly text: string;
  /** The result of the step; of a list, the first few images. */
  readonly grids: readonly Grid[];
}

const mostShown = 6;

/** The rule as one sentence: every step needed for the answer, in order. */
export function sentenceOf(program: Program): string {
  const steps = [...usedSteps(program)].sort((a, b) => a - b);
  const said = steps.map((index, i) => {
    const of = definite(program[index]).args.of ?? (index === 0 ? 'input' : index - 1);
    const phrase = phraseOf(definite(program[index]));
    if (i === 0 || of !== 'input' || phrase.startsWith('make an empty')) return phrase;
    return phrase.includes('the image')
      ? phrase.replace('the image', 'the input')
      : `${phrase} (from the input)`;
  });
  const sentence = said.join(', then ');
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
}

/** The result of each step of the sentence on an input. */
export function stepsOf(program: Program, input: Grid): ShownStep[] {
  const { values } = compileTraced(program)(input);
  return [...usedSteps(program)]
    .sort((a, b) => a - b)
    .map((index) => ({ text: phraseOf(definite(program[index])), grids: gridsOf(values[index]) }));
}

/** The main reason why an answer came second. */
export function reasonFor(first: Attempt, second: Attempt): string {
  const [one, two] = [first.candidate, second.candidate];
  if (two.verifier_score < 1) return 'it does not fit every training pair';
  const reasons: readonly (readonly [weight: number, reason: string])[] = [
    [
      (two.price - one.price) / 10,
      `its rule is more complicated (${asSteps(two.price)} against ${asSteps(one.price)})`,
    ],
    [
      two.unknown > 0 && one.unknown === 0 ? 3 : 0,
      'the test needs a table entry that the training pairs do not provide',
    ],
    [2 * (one.held - two.held), 'when learned without one pair, its rule is right on fewer pairs'],
    [
      2 * (one.feature_vec.loo_consistency - two.feature_vec.loo_consistency),
      'its table has entries that only one pair supports',
    ],
    [0.4 * (first.support.votes - second.support.votes), 'fewer views of the task support its answer'],
    [Math.log(first.support.proposers / second.support.proposers), 'fewer kinds of rules support its answer'],
    [
      (first.support.agreement ?? 0) - (second.support.agreement ?? 0),
      'its rule fails on rotated or recoloured pairs',
    ],
  ];
  const [weight, reason] = reasons.reduce((best, next) => (next[0] > best[0] ? next : best));
  return weight > 0 ? reason : 'both are equally likely, so the order is arbitrary';
}

function asSteps(price: number): string {
  return `${(price / 10).toFixed(1)} steps`;
}

function gridsOf(value: Value | undefined): Grid[] {
  if (value === undefined) return [];
  const images = isList(value) ? value : [value];
  return images.filter(({ cells }) => cells.length > 0).slice(0, mostShown);
}
