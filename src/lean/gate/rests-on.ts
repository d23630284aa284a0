import { readExport } from '../base/exported.ts';

/**
 * The dependencies of a refused theorem (default: the last one declared) that contain `sorry` or are axioms, without itself.
 * This data comes from the elaborator and only explains the judge's refusal.
 */
export function restsOn(exported: unknown, name?: string): string[] {
  const declared = readExport(exported);
  const theorem = name ?? [...declared.keys()].at(-1) ?? '';
  const culprits: string[] = [];
  const seen = new Set<string>();
  const queue = [theorem];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const found = declared.get(at);
    if (seen.has(at) || !found) continue;
    seen.add(at);
    const used = [...found.inType, ...found.inValue];
    if (at !== theorem && (found.isAxiom || used.includes('sorryAx'))) culprits.push(at);
    queue.push(...used);
  }
  return culprits.toSorted();
}
