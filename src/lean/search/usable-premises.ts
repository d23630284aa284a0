import type { Bench } from './bench.ts';
import { unique } from './closers.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { rulesOf, type Facts } from '../premises/facts.ts';

/** A probe proves `True`; only its arguments can fail. */
const heartbeats = 400;

/** The facts, with the names that `grind` accepts. */
export async function withUsable(bench: Asking, facts: Facts): Promise<Facts> {
  const names = unique([...facts.definitions, ...facts.lemmas, ...facts.predicates, ...rulesOf(facts)]);
  return names.length === 0 || !bench.workbench.open[0]
    ? facts
    : { ...facts, grindable: new Set(await grindable(bench, names)) };
}

type Asking = Pick<Bench, 'workbench' | 'account'>;

const answers = new WeakMap<Workbench, Map<string, boolean>>();

/**
 * The names that `grind` accepts: a lemma without a usable pattern, or a definition that it unfolds anyway, is
 * an error that would invalidate every list that contains it. Each name is asked about once per goal.
 */
export async function grindable(
  { workbench, account }: Asking,
  names: readonly string[],
): Promise<readonly string[]> {
  const [root] = workbench.open;
  if (!root) return [];
  const known = answers.get(workbench) ?? new Map<string, boolean>();
  answers.set(workbench, known);
  const takes = async (some: readonly string[]): Promise<boolean> => {
    const [answer] = await workbench.run(root, [probe(some)], account, { heartbeats, until: 'end' });
    return answer?.kind === 'state';
  };
  const asked = names.filter((name) => !known.has(name));
  const taken = new Set(await usable(asked, takes));
  // a refusal means nothing once the budget is used up
  if (account.stopped === undefined) for (const name of asked) known.set(name, taken.has(name));
  return names.filter((name) => known.get(name) === true || taken.has(name));
}

/** Refusals are quick, so the list is bisected until each refused name is isolated. */
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
