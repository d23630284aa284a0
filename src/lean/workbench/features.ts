import type { Constant, Goal } from '../base/protocol.ts';

/** Raw counts that describe a goal before any attempt; learners scale them (src/core/difficulty.ts). */
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
  const inductive = hypotheses.filter(({ kind }) => kind === 'data' || kind === 'structure');
  return {
    nodes: lines.length - 1,
    hypotheses: hypotheses.length,
    metavariables: count('? '),
    quantifiers: count('p '),
    preamble_symbols: symbols.filter((symbol) => ownNames.has(symbol)).length,
    preamble_constants: own.length,
    text: statement.length,
    inductive_variables: inductive.length,
    holes: goals.length - 1,
  };
}
