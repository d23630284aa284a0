import type { Constant, Goal } from '../protocol.ts';

/**
 * What can be told of a goal before anything is tried, as numbers between 0 and about 1 for the difficulty's logistic
 * regression. Counts are squashed by x / (x + typical), so that one huge preamble does not drown the rest.
 */
export function featuresOf(input: {
  readonly canonical: string;
  readonly statement: string;
  readonly goals: readonly Goal[];
  readonly symbols: readonly string[];
  readonly own: readonly Constant[];
}): Record<string, number> {
  const { canonical, statement, goals, symbols, own } = input;
  const lines = canonical.split('\n');
  const count = (mark: string): number => lines.filter((line) => line.startsWith(mark)).length;
  const hypotheses = goals.flatMap((goal) => goal.hypotheses);
  const ownNames = new Set(own.map(({ name }) => name));
  const dataTypes = own.filter(({ kind }) => kind === 'inductive').map(({ name }) => lastPart(name));
  const inductive = hypotheses.filter(({ type }) =>
    [...commonTypes, ...dataTypes].includes(type.split(/[\s(]/)[0] ?? ''),
  );
  return {
    size: squash(lines.length - 1, 60),
    hypotheses: squash(hypotheses.length, 5),
    metavariables: squash(count('? '), 3),
    quantifiers: squash(count('p '), 6),
    preamble_symbols: squash(symbols.filter((symbol) => ownNames.has(symbol)).length, 3),
    preamble_constants: squash(own.length, 30),
    text: squash(statement.length, 120),
    inductive_variables: squash(inductive.length, 2),
    holes: squash(goals.length - 1, 2),
  };
}

const commonTypes = ['Nat', 'Int', 'List', 'Option', 'Bool', 'Array', 'Prod', 'Sum', 'Fin', 'String'];

function squash(value: number, typical: number): number {
  return value / (value + typical);
}

function lastPart(name: string): string {
  return name.split('.').at(-1) ?? name;
}
