import type { WorkAccount } from '../workbench/account.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { falsify, instanceOf } from './negation.ts';

/** The result of a search for a counterexample. */
export interface CounterExample {
  /** Values at which the goal is false, such as `n = 1`; undefined: none was found, which proves nothing. */
  readonly instance: string | undefined;
  /** Variables for which no values were tried: types that are not built by constructors, or that depend on values. */
  readonly untried: readonly string[];
}

/**
 * Finds a counterexample: small closed values of a goal's variables for which it is false. It is only a candidate until the
 * gate has judged it.
 */
export async function refute(workbench: Workbench, account: WorkAccount): Promise<CounterExample> {
  const [root, ...others] = workbench.open;
  const isWhole = others.length === 0 && workbench.goal.holes.kind === 'statement';
  const found = root && isWhole ? await workbench.refuted(root, falsify, account) : undefined;
  if (!found?.ok) return { instance: undefined, untried: [] };
  const { values, untried } = found;
  return { instance: values && instanceOf(values), untried };
}
