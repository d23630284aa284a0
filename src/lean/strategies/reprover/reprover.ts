import type { Strategy } from '../../../core/strategy.ts';
import type { Candidate } from '../../candidate.ts';
import { factsOf, withPremises } from '../../premises/facts.ts';
import { withUsable } from '../../premises/usable.ts';
import { BestFirst } from '../../search/best-first.ts';
import { everyKind, generatorOf } from '../../search/generators.ts';
import { withHelpers } from '../../search/helpers.ts';
import { Account } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench.ts';
import { closeHoles } from '../close-holes.ts';
import type { StrategyParts } from '../parts.ts';

/** Grows whenever the search would do something else. */
const signature = 'reprover/search 3';
/** As many premises as are retrieved; each gets every template. */
const premiseCount = 12;
/** Equations that are looked into where the usual number was not enough: some ten seconds. */
const equationLooks = 3000;
const plan = {
  generator: generatorOf(everyKind, ['exact?', 'rw?', 'apply?'], equationLooks),
  limits: { nodes: 6000, depth: 16 },
};

/** Deep search with premises of the library beside those of the preamble; workers that are idle help. */
export function reproverStrategy({
  budget,
  memory,
  premises,
  pool,
}: Pick<StrategyParts, 'budget' | 'memory' | 'premises' | 'pool'>): Strategy<Workbench, Candidate> {
  return {
    name: 'reprover',
    slot: 'heavy',
    tier: 2,
    budget,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => [{ name: 'reprover/search', signature, round: 2 }],
    async attempt(workbench, _arm, run) {
      const account = new Account(run);
      const found = (await premises?.forGoal(workbench, premiseCount, account)) ?? [];
      const own = factsOf(workbench);
      const facts = await withUsable({ workbench, account }, withPremises(own, found));
      const bench = { workbench, account, facts, memory };
      return await withHelpers(
        pool,
        bench,
        async (helped) =>
          await closeHoles(helped, async (one, root) => await new BestFirst(one, plan, root).run()),
      );
    },
  };
}
