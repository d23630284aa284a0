import type { Bench } from './arm.ts';
import { unique } from './closers.ts';
import type { Facts } from './facts.ts';

/** A probe proves `True`; only its arguments can fail. */
const heartbeats = 400;

/**
 * Ask `grind` which of the names it takes: a lemma without a usable pattern, or a definition that it unfolds anyway, is an
 * error that would spoil every list that it stands in. One question for all; one for each only when that fails.
 */
export async function withUsable(
  { workbench, account }: Pick<Bench, 'workbench' | 'account'>,
  facts: Facts,
): Promise<Facts> {
  const names = unique([
    ...facts.definitions,
    ...facts.lemmas,
    ...facts.allDefinitions,
    ...facts.allLemmas,
    ...facts.predicates,
    ...facts.constructors,
  ]);
  const [root] = workbench.open;
  if (names.length === 0 || !root) return facts;
  const ask = { heartbeats, until: 'end' } as const;
  const [all] = await workbench.run(root, [probe(names)], account, ask);
  if (!all || all.kind === 'state') return facts;
  const each = await workbench.run(
    root,
    names.map((name) => probe([name])),
    account,
    ask,
  );
  return { ...facts, grindable: new Set(names.filter((_, index) => each[index]?.kind === 'state')) };
}

function probe(names: readonly string[]): string {
  return `have : True := by grind [${names.join(', ')}]`;
}
