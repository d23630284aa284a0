import type { Proved } from '../goals/goal.ts';

/**
 * Proved goals without a Lean file of their own, combined into one: first all imports, then each preamble once
 * (in a separate namespace if there are several), followed by its theorems.
 */
export function solvedText(proved: readonly Proved[]): string {
  const groups = [...Map.groupBy(proved, ({ goal }) => goal.preamble)];
  const imports = new Set(groups.flatMap(([preamble]) => importsOf(preamble)));
  const parts = groups.map(([preamble, proofs], index) => {
    const text = [withoutImports(preamble), ...proofs.map(theoremText)].filter((part) => part !== '');
    return groups.length === 1 ? text : inNamespace(`Goals${index + 1}`, text);
  });
  return `${[[...imports].join('\n'), ...parts.flat()].filter((part) => part !== '').join('\n\n')}\n`;
}

function theoremText({ goal: { statement }, proof }: Proved): string {
  return `${statement.trimEnd()} := ${proof.trimEnd()}`;
}

function inNamespace(name: string, parts: readonly string[]): string[] {
  return [`namespace ${name}`, ...parts, `end ${name}`];
}

const importLine = /^(?:public\s+)?import\s.*$/;

function importsOf(preamble: string): string[] {
  return preamble.split('\n').filter((line) => importLine.test(line));
}

function withoutImports(preamble: string): string {
  return preamble
    .split('\n')
    .filter((line) => !importLine.test(line))
    .join('\n')
    .trim();
}
