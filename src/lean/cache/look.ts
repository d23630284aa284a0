import type { Workbench } from '../workbench/workbench.ts';
import { shapeOf } from './shape.ts';
import type { Fillings } from './template.ts';

/** A goal in the form that the script cache compares. */
export interface GoalLook extends Fillings {
  readonly shape: string;
  readonly tokens: readonly string[];
}

/** Undefined for goals with several holes and for huge ones: no scripts are kept for those. */
export function lookAt(workbench: Workbench): GoalLook | undefined {
  const { goal, canonical, own, symbols } = workbench;
  const [front] = workbench.root(0).goals;
  if (goal.holes.kind !== 'statement' || !front) return undefined;
  const ownNames = new Set(own.map(({ name }) => name));
  const shape = shapeOf(canonical, ownNames);
  if (!shape) return undefined;
  const { hypotheses } = front;
  return {
    shape: shape.key,
    hypotheses: shape.order.flatMap((index) => hypotheses[index]?.name ?? []),
    constants: shape.own,
    tokens: tokensOf(symbols, ownNames, hypotheses, front.target),
  };
}

function tokensOf(
  symbols: readonly string[],
  own: ReadonlySet<string>,
  hypotheses: readonly { readonly type: string }[],
  target: string,
): string[] {
  const library = symbols.filter((symbol) => !own.has(symbol) && !symbol.startsWith('inst'));
  const kinds = hypotheses.map(({ type }) => `: ${own.has(headOf(type)) ? 'own' : headOf(type)}`);
  const relation = /[=≤<↔∧∨∣∈≠]|→|∃|∀/.exec(target)?.[0] ?? headOf(target);
  const mine = symbols.filter((symbol) => own.has(symbol)).length;
  return [...new Set([...library, ...kinds, `⊢ ${relation}`, `own ${Math.min(mine, 4)}`])];
}

function headOf(type: string): string {
  return type.split(/[\s(]/, 1)[0] ?? type;
}

/** Similarity from 0, no common tokens, to 1, the same tokens. */
export function likeness(one: readonly string[], two: readonly string[]): number {
  const there = new Set(two);
  const shared = one.filter((token) => there.has(token)).length;
  const all = one.length + two.length - shared;
  return all === 0 ? 0 : shared / all;
}
