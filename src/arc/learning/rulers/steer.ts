import type { BlameLevel } from '../critic/blame.ts';
import type { ErrorType } from '../../verify/error-type.ts';
import type { Fact } from '../../grid/facts/describe.ts';
import type { RepairCase } from '../memory/bundle.ts';
import { directiveKinds, type Directive, type DirectiveKind } from '../../search/edit.ts';
import type { Seed } from './ruler.ts';
import { fieldOf } from '../../../core/errors.ts';

/** A directive at a step, and the number of its edits per turn. */
export interface RulerArm {
  readonly directive: Directive;
  readonly weight: number;
}

const plain = 4;
const suspected = 32;

/** Directives that usually fix a fault of this level. */
const byLevel: Readonly<Record<BlameLevel, readonly DirectiveKind[]>> = {
  describer: ['CHANGE_ARG', 'RESTART'],
  size: ['FIX_SIZE', 'REPLACE_OP'],
  selector: ['CHANGE_SELECTOR', 'CHANGE_CONNECTIVITY', 'REPLACE_OP'],
  op: ['REPLACE_OP', 'CHANGE_ARG', 'DROP_STEP', 'CHANGE_SELECTOR'],
  arg: ['CHANGE_ARG', 'REPLACE_OP'],
  colour: ['REMAP_COLOUR', 'CHANGE_ARG'],
  order: ['REORDER', 'CHANGE_ARG'],
  missing_step: ['ADD_STEP', 'ADD_CONDITION', 'SPLICE_FRAGMENT'],
};

/** Directives for the last step that usually fix an answer of this kind. */
const byError: Partial<Record<ErrorType, readonly DirectiveKind[]>> = {
  SHAPE_MISMATCH: ['FIX_SIZE', 'ADD_STEP'],
  OVERSIZE: ['FIX_SIZE'],
  EMPTY: ['DROP_STEP', 'CHANGE_SELECTOR'],
  NO_CHANGE: ['ADD_STEP'],
  ORIENTATION: ['ADD_STEP'],
  POSITION_SHIFT: ['ADD_STEP', 'CHANGE_ARG'],
  COLOUR_PERMUTED: ['REMAP_COLOUR'],
  PALETTE_EXTRA: ['REMAP_COLOUR', 'ADD_CONDITION'],
  PALETTE_MISSING: ['REMAP_COLOUR', 'ADD_STEP'],
  OBJECT_MISSING: ['ADD_CONDITION', 'ADD_STEP'],
  OBJECT_EXTRA: ['DROP_STEP', 'ADD_CONDITION'],
  NEAR_MISS: ['ADD_STEP', 'ADD_CONDITION'],
  OVERFIT: ['REPLACE_OP', 'RESTART'],
};

/**
 * The arms of a seed, most likely first: those for the blamed step, those for the kind of error, those that helped in memory,
 * then all others. Facts exclude useless ones, such as size changes if the sizes are right.
 */
export function armsFor(seed: Seed, facts: readonly Fact[], cases: readonly RepairCase[]): RulerArm[] {
  const { blame, error_type, judged } = seed;
  const last = judged.program.length - 1;
  const arms = new Map<string, RulerArm>();
  const add = (kind: DirectiveKind, step: number, weight: number): void => {
    const key = `${kind} ${step}`;
    if (!arms.has(key) && isUseful(kind, seed, facts)) arms.set(key, { directive: { kind, step }, weight });
  };
  for (const kind of byLevel[blame.level]) add(kind, blame.step_idx, suspected);
  for (const { directive } of cases.filter((one) => one.error_type === error_type))
    add(directive, blame.step_idx, suspected);
  for (const kind of byError[error_type] ?? []) add(kind, last, suspected);
  for (let step = last; step >= 0; step--)
    for (const kind of directiveKinds) add(kind, step, step === blame.step_idx ? 2 * plain : plain);
  return [...arms.values()];
}

/** A restart is the same at every step, and a size that is right on every pair is not to blame. */
function isUseful(kind: DirectiveKind, { judged, error_type }: Seed, facts: readonly Fact[]): boolean {
  if (kind !== 'FIX_SIZE') return true;
  const sameSize = facts.some(
    ({ kind: about, scope, value }) =>
      about === 'size-relation' && scope === 'task' && fieldOf(value, 'relation') === 'same',
  );
  return !sameSize || judged.feature_vec.shape_frac < 1 || error_type === 'EXEC';
}
