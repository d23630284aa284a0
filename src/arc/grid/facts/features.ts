import { z } from 'zod';
import { definite } from '../../../core/errors.ts';
import type { Fact } from './describe.ts';

/**
 * The facts of a task as a few words that do not depend on colours or sizes. Memory uses them to find similar tasks,
 * and the student to choose operations. A word starts with the kind of its fact, after "all" if it holds for every
 * pair. Sorted, without duplicates.
 */
export function factFeatures(facts: readonly Fact[]): string[] {
  const words = new Set<string>();
  const pairs = new Set(facts.filter(({ scope }) => scope !== 'task').map(({ scope }) => scope)).size;
  for (const [word, count] of wordCounts(facts)) if (count === pairs) words.add(`all ${word}`);
  for (const { kind, scope, value } of facts)
    if (scope === 'task') {
      if (kind === 'size-relation') for (const word of sizeWords(value)) words.add(word);
      if (kind === 'background' && value !== null)
        words.add(value === 0 ? 'background black' : 'background coloured');
      if (kind === 'colour-map' && value !== null) words.add('colour-map');
    }
  return [...words].sort();
}

/** The number of pairs for which each word holds. */
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

function inAndOut<Shape extends z.ZodType>(shape: Shape) {
  return z.object({ input: shape, output: shape });
}

const colours = z.array(z.number());
const listed = inAndOut(z.array(z.unknown()));
const named = inAndOut(z.array(z.string()));
const anything = inAndOut(z.unknown());
const mask = z.object({ count: z.number() });
const range = z.tuple([z.number(), z.number()]);
const sizes = z.object({
  relation: z.string(),
  width: range,
  height: range,
  times: z.array(z.number().nullable()),
});

/** The words of a fact; empty if its value does not have the shape of its kind, since models state facts too. */
function wordsOf({ kind, scope, value }: Fact, facts: readonly Fact[]): string[] {
  switch (kind) {
    case 'size-relation':
      return sizeWords(value);
    case 'palette-out':
      return shaped(colours, value, (after) => {
        const before = facts.find((one) => one.scope === scope && one.kind === 'palette-in')?.value;
        return [
          ...shaped(colours, before, (old) => [
            after.some((colour) => !old.includes(colour)) ? `${kind} new` : `${kind} old`,
            old.some((colour) => !after.includes(colour)) ? `${kind} loses` : `${kind} keeps`,
          ]),
          `${kind} ${Math.min(after.length, 4)}`,
        ];
      });
    case 'objects-4':
    case 'objects-8':
      return shaped(listed, value, ({ input: { length: before }, output: { length: after } }) => [
        `${kind} ${before === after ? 'same' : before < after ? 'more' : 'fewer'}`,
        `${kind} in ${before > 8 ? 'many' : before > 1 ? 'some' : before}`,
      ]);
    case 'symmetry':
      return shaped(named, value, ({ input, output }) => [
        ...(output.length > 0 ? ['symmetry out'] : []),
        ...(input.length > 0 ? ['symmetry in'] : []),
        ...output.filter((one) => !input.includes(one)).map((one) => `symmetry gains ${one}`),
      ]);
    case 'separators':
      return shaped(anything, value, ({ input, output }) => [
        `separators ${input === null ? 'none' : output === null ? 'lost' : 'kept'}`,
      ]);
    case 'period':
      return shaped(anything, value, ({ input, output }) => [
        `period ${JSON.stringify(input) === JSON.stringify(output) ? 'same' : 'other'}`,
      ]);
    case 'change-mask':
      return shaped(mask, value, ({ count }) => [
        `${kind} ${count === 0 ? 'none' : count <= 4 ? 'few' : 'many'}`,
      ]);
    case 'background':
    case 'palette-in':
    case 'colour-map':
      return value === null ? [] : [`${kind} known`];
    default:
      return [];
  }
}

function shaped<Shape extends z.ZodType>(
  shape: Shape,
  value: unknown,
  words: (value: z.infer<Shape>) => string[],
): string[] {
  const { success, data } = shape.safeParse(value);
  return success ? words(data) : [];
}

function sizeWords(value: unknown): string[] {
  return shaped(sizes, value, (size) => [`size-relation ${relationOf(size)}`]);
}

function relationOf({ relation, width, height, times }: z.infer<typeof sizes>): string {
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

/** The fraction of words that two tasks share. */
export function featureSimilarity(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const both = a.filter((word) => other.has(word)).length;
  const either = a.length + b.length - both;
  return either === 0 ? 0 : both / either;
}
