import { definite } from '../../../core/errors.ts';
import type { Fact } from './describe.ts';

/**
 * What the facts of a task say in a few words, the same for every colour and size: by these memory finds like tasks and
 * the student chooses operations. A word begins with the kind of its fact, after "all" where it holds for every pair.
 * Sorted, each once.
 */
export function factFeatures(facts: readonly Fact[]): string[] {
  const words = new Set<string>();
  const pairs = new Set(facts.filter(({ scope }) => scope !== 'task').map(({ scope }) => scope)).size;
  for (const [word, count] of wordCounts(facts)) if (count === pairs) words.add(`all ${word}`);
  for (const { kind, scope, value } of facts)
    if (scope === 'task') {
      if (kind === 'size-relation' && value !== null) words.add(`size-relation ${relationOf(value)}`);
      if (kind === 'background' && value !== null)
        words.add(value === 0 ? 'background black' : 'background coloured');
      if (kind === 'colour-map' && value !== null) words.add('colour-map');
    }
  return [...words].sort();
}

/** How many pairs each word holds for. */
function wordCounts(facts: readonly Fact[]): Map<string, number> {
  const counts = new Map<string, number>();
  const scopes = new Map<string, Set<string>>();
  for (const fact of facts) {
    if (fact.scope === 'task') continue;
    const said = scopes.get(fact.scope) ?? new Set<string>();
    for (const word of wordsOf(fact, facts)) said.add(word);
    scopes.set(fact.scope, said);
  }
  for (const said of scopes.values()) for (const word of said) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

interface InAndOut<Value> {
  readonly input: Value;
  readonly output: Value;
}

function wordsOf({ kind, scope, value }: Fact, facts: readonly Fact[]): string[] {
  switch (kind) {
    case 'size-relation':
      return [`${kind} ${relationOf(value)}`];
    case 'palette-out': {
      const before = facts.find((one) => one.scope === scope && one.kind === 'palette-in')?.value;
      const after = value as number[];
      const count = `${kind} ${Math.min(after.length, 4)}`;
      if (!Array.isArray(before)) return [count];
      return [
        after.some((colour) => !before.includes(colour)) ? `${kind} new` : `${kind} old`,
        before.some((colour: number) => !after.includes(colour)) ? `${kind} loses` : `${kind} keeps`,
        count,
      ];
    }
    case 'objects-4':
    case 'objects-8': {
      const { input, output } = value as InAndOut<readonly unknown[]>;
      const [before, after] = [input.length, output.length];
      return [
        `${kind} ${before === after ? 'same' : before < after ? 'more' : 'fewer'}`,
        `${kind} in ${before > 8 ? 'many' : before > 1 ? 'some' : before}`,
      ];
    }
    case 'symmetry': {
      const { input, output } = value as InAndOut<readonly string[]>;
      return [
        ...(output.length > 0 ? ['symmetry out'] : []),
        ...(input.length > 0 ? ['symmetry in'] : []),
        ...output.filter((one) => !input.includes(one)).map((one) => `symmetry gains ${one}`),
      ];
    }
    case 'separators': {
      const { input, output } = value as InAndOut<unknown>;
      return [`separators ${input === null ? 'none' : output === null ? 'lost' : 'kept'}`];
    }
    case 'period': {
      const { input, output } = value as InAndOut<unknown>;
      return [`period ${JSON.stringify(input) === JSON.stringify(output) ? 'same' : 'other'}`];
    }
    case 'change-mask': {
      if (value === null) return [];
      const { count } = value as { count: number };
      return [`${kind} ${count === 0 ? 'none' : count <= 4 ? 'few' : 'many'}`];
    }
    case 'background':
    case 'palette-in':
    case 'colour-map':
      return value === null ? [] : [`${kind} known`];
    default:
      return [];
  }
}

function relationOf(value: unknown): string {
  const { relation, width, height, times } = value as {
    relation: string;
    width: readonly [number, number];
    height: readonly [number, number];
    times: readonly (number | null)[];
  };
  if (relation === 'same') return 'same';
  if (times.every((time) => time !== null)) return 'multiple';
  const [smaller, larger] = [
    width[1] <= width[0] && height[1] <= height[0],
    width[1] >= width[0] && height[1] >= height[0],
  ];
  return smaller ? 'smaller' : larger ? 'larger' : 'other';
}

/** The kind of fact that a word comes from. */
export function kindOfWord(word: string): string {
  return definite(word.replace(/^all /, '').split(' ', 1)[0]);
}

/** The share of words that two tasks have in common. */
export function featureSimilarity(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const both = a.filter((word) => other.has(word)).length;
  const either = a.length + b.length - both;
  return either === 0 ? 0 : both / either;
}
