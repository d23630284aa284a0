import { rulesOf, type Facts } from '../../premises/facts.ts';
import type { Description } from '../../base/protocol.ts';
import { closersVersion, list, unique } from '../../search/closers.ts';
import type { RelationalRules } from '../../workbench/workbench.ts';
import type { MicroArm } from './arm.ts';

const closerHeartbeats = 800;
/** The script was found by running it once, so a second run stays within this. */
const scriptHeartbeats = 20_000;

/**
 * Induction, inversion and backward chaining, with lemmas that it invents, all inside Lean (lean/Worker/Prove.lean). It
 * runs right after the closers.
 */
export const relateArm: MicroArm = {
  name: 'micro/relate',
  version: `5.${closersVersion}`,
  stage: 0.5,
  budget: { cpu_seconds: 40, heartbeats: scriptHeartbeats },
  async search({ workbench, account, facts }, root) {
    const isRelational = workbench.descriptions.some(hasPredicates);
    const script = await workbench.relate(root, { ...rulesFor(facts), isRelational }, account);
    if (script === undefined) return undefined;
    const limits = { heartbeats: scriptHeartbeats, evenSpent: true };
    const first = await workbench.run(root, [script], account, limits);
    // no answer if the worker was killed meanwhile
    const [answer] = first.length > 0 ? first : await workbench.run(root, [script], account, limits);
    return answer?.kind === 'state' && answer.state.closed ? answer.state : undefined;
  },
};

/** An order on numbers is a predicate too, but induction on it helps only if it is a hypothesis. */
function hasPredicates({ predicates, hypotheses }: Description): boolean {
  return (
    predicates.length > 0 ||
    hypotheses.some(({ kind, predicate }) => kind === 'order' && predicate !== undefined)
  );
}

function rulesFor(facts: Facts): Omit<RelationalRules, 'isRelational'> {
  const { definitions, allDefinitions, allLemmas, grindable, lemmas, instances, operators } = facts;
  const usable = [...definitions, ...rulesOf(facts), ...facts.lemmas].filter(
    (name) => grindable?.has(name) ?? true,
  );
  return {
    lemmas: allLemmas,
    definitions: allDefinitions,
    closers: unique([
      `simp_all${list(definitions)}`,
      'omega',
      `grind${list(definitions.filter((name) => usable.includes(name)))}`,
      `grind${list(usable)}`,
      `simp_all${list([...definitions, ...lemmas])}`,
      ...(instances.length > 0 ? [`simp_all${list([...definitions, ...instances, ...operators])}`] : []),
    ]),
    closerHeartbeats,
  };
}
