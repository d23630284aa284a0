import type { Bench } from './bench.ts';
import { unique } from './closers.ts';
import { rulesOf, type Facts } from '../premises/facts.ts';

/** A probe proves `True`; only its arguments can fail. */
const heartbeats = 400;

/**
 * Ask `grind` which of the names it takes: a lemma without a usable pattern, or a definition that it unfolds anyway, is an
 * error that would spoil every list that contains it.
 */
export async function withUsable(
  { workbench, account }: Pick<Bench, 'workbench' | 'account'>,
  facts: Facts,
): Promise<Facts> {
  const names = unique([...facts.definitions, ...facts.lemmas, ...facts.predicates, ...rulesOf(facts)]);
  const [root] = workbench.open;
  if (names.length === 0 || !root) return facts;
  const takes = async (some: readonly string[]): Promise<boolean> => {
    const [answer] = await workbench.run(root, [probe(some)], account, { heartbeats, until: 'end' });
    return answer?.kind === 'state';
  };
  return { ...facts, grindable: new Set(await usable(names, takes)) };
}

/** Refusals are quick, so halves are asked until each refused one is alone. */
async function usable(
  names: readonly string[],
  takes: (some: readonly string[]) => Promise<boolean>,
): Promise<readonly string[]> {
  if (names.length === 0 || (await takes(names))) return names;
  if (names.length === 1) return [];
  const half = Math.ceil(names.length / 2);
  return [...(await usable(names.slice(0, half), takes)), ...(await usable(names.slice(half), takes))];
}

function probe(names: readonly string[]): string {
  return `have : True := by grind [${names.join(', ')}]`;
}
