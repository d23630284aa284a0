import type { Image } from '../language/image.ts';
import { type Arguments } from '../language/operation.ts';
import { makingImage } from '../language/registry.ts';

/** A learned step that fits every training pair, and how far to trust it. */
export interface LearnedRule {
  readonly args: Arguments;
  readonly held: number;
  readonly cost: number;
}

/** The best rules of one operation; of those with equal answers to the test inputs only the first, to leave room for rivals. */
export function rivalsOf<Rule extends LearnedRule>(
  op: string,
  rules: readonly Rule[],
  tests: readonly Image[],
  most: number,
): Rule[] {
  const seen = new Set<string>();
  const kept: Rule[] = [];
  for (const rule of rules.toSorted((a, b) => b.held - a.held || a.cost - b.cost)) {
    if (kept.length === most) break;
    const key = answersOf(op, rule.args, tests);
    if (seen.has(key)) continue;
    seen.add(key);
    kept.push(rule);
  }
  return kept;
}

function answersOf(op: string, args: Arguments, tests: readonly Image[]): string {
  const apply = makingImage(op, args);
  return tests.map((test) => apply(test, test)?.cells.join('') ?? 'none').join('|');
}
