import type { Premise } from '../../../store/premises/premise.ts';
import { lastPart } from '../../premises/declarations.ts';
import { premiseFeatures, type WordBags } from '../../premises/encoder/features.ts';
import { closureIn, type ImportGraph } from '../../premises/visible.ts';
import { splitOf } from '../splits.ts';

/** A library theorem without a readable proof, and theorems of the same name that its proof may use. */
export interface SiblingRow {
  readonly name: string;
  readonly module: string;
  readonly held_out: boolean;
  readonly features: WordBags;
  readonly used: readonly string[];
}

const most = 3;
/** Names in more namespaces than this (`add_comm`, `nil`) carry little information. */
const mostOfName = 60;
/** Minimum share of common words in their types. */
const leastAlike = 0.35;

/**
 * A library builds its types in layers: `HashMap.contains_insert` depends on `DHashMap.contains_insert`, `Vector.map_map` on
 * `Array.map_map`. The proofs are not part of the library, but theorems of the same name in lower modules are a good guess at
 * what they use.
 */
export function siblingsIn(library: readonly Premise[], graph: ImportGraph): SiblingRow[] {
  const theorems = library.filter(({ kind }) => kind === 'theorem');
  const words = new Map(theorems.map((one) => [one.name, new Set(bagOf(one).rest)]));
  const visible = new Map<string, ReadonlySet<string>>();
  const seenFrom = (module: string): ReadonlySet<string> => {
    const known = visible.get(module) ?? closureIn(graph, graph[module] ?? []);
    visible.set(module, known);
    return known;
  };
  return [...Map.groupBy(theorems, ({ name }) => lastPart(name)).values()]
    .filter((group) => group.length > 1 && group.length <= mostOfName)
    .flatMap((group) => group.map((one) => ({ one, others: below(one, group) })))
    .filter(({ others }) => others.length > 0)
    .map(({ one, others }) => ({
      name: one.name,
      module: one.module,
      held_out: splitOf(one.module) !== 'train',
      features: { main: bagOf(one).rest, rest: bagOf(one).rest },
      used: others,
    }))
    .sort((first, second) => (first.name < second.name ? -1 : 1));

  function below({ name, module }: Premise, group: readonly Premise[]): string[] {
    const own = words.get(name) ?? new Set();
    return group
      .filter((other) => other.module !== module && seenFrom(module).has(other.module))
      .map((other) => ({ name: other.name, alike: alike(own, words.get(other.name) ?? new Set()) }))
      .filter((other) => other.alike >= leastAlike)
      .sort((first, second) => second.alike - first.alike || (first.name < second.name ? -1 : 1))
      .slice(0, most)
      .map((other) => other.name);
  }
}

function bagOf({ name, symbols }: Premise): WordBags {
  return premiseFeatures(name, { symbols });
}

function alike(first: ReadonlySet<string>, second: ReadonlySet<string>): number {
  const shared = first.intersection(second).size;
  return shared / (first.size + second.size - shared || 1);
}
