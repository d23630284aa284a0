import * as z from 'zod';

/** The parts of an export that say which constant names which (docs/PROTOCOL.md). */
const Export = z.object({
  names: z.array(z.union([z.null(), z.tuple([z.number(), z.union([z.string(), z.number()])])])),
  exprs: z.array(z.array(z.unknown())),
  declarations: z.array(
    z.object({
      kind: z.string(),
      name: z.number().optional(),
      type: z.number().optional(),
      value: z.number().optional(),
    }),
  ),
  theorems: z.array(z.number()).default([]),
});

/** Index of the first sub-expression in a row, by its first word. */
const firstPart: Readonly<Record<string, number>> = { a: 0, l: 2, p: 2, d: 1, j: 2 };

/**
 * The dependencies of a refused theorem (default: the first one) that contain `sorry` or are axioms, without itself. This data comes from the elaborator and only explains the judge's refusal.
 */
export function restsOn(exported: unknown, name?: string): string[] {
  const read = Export.safeParse(exported);
  if (!read.success) return [];
  const { names, exprs, declarations, theorems } = read.data;

  const texts: string[] = [];
  for (const row of names) {
    const [prefix, last] = row ?? [0, ''];
    texts.push(row === null ? '' : [texts[prefix] ?? '', String(last)].filter(Boolean).join('.'));
  }
  const named = new Map(declarations.map((row) => [texts[row.name ?? 0] ?? '', row]));
  const constantsIn = (roots: readonly (number | undefined)[]): Set<string> => {
    const found = new Set<string>();
    const seen = new Set<number>();
    const queue = roots.filter((root) => root !== undefined);
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const [word, ...rest] = exprs[at] ?? [];
      if (word === 'c') found.add(texts[Number(rest[0])] ?? '');
      const others = rest.slice(firstPart[String(word)] ?? rest.length);
      queue.push(...others.filter((one) => typeof one === 'number'));
    }
    return found;
  };

  const theorem = name ?? texts[theorems[0] ?? 0] ?? '';
  const culprits: string[] = [];
  const seen = new Set<string>();
  const queue = [theorem];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const row = named.get(at);
    if (seen.has(at) || !row) continue;
    seen.add(at);
    const used = constantsIn([row.type, row.value]);
    if (at !== theorem && (row.kind === 'axiom' || used.has('sorryAx'))) culprits.push(at);
    queue.push(...used);
  }
  return culprits.toSorted();
}
