import type { Strategy } from '../../../core/strategy.ts';
import type { Candidate } from '../../candidate.ts';
import { factsOf } from '../../premises/facts.ts';
import { withUsable } from '../../premises/usable.ts';
import { BestFirst } from '../../search/best-first.ts';
import { everyKind, generatorOf } from '../../search/generators.ts';
import { Account } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench.ts';
import { closeHoles } from '../close-holes.ts';
import type { StrategyParts } from '../parts.ts';

/** Grows whenever the search would do something else. */
const signature = 'copilot/search 2';
const plan = {
  generator: generatorOf(everyKind, ['exact?', 'rw?', 'apply?']),
  limits: { nodes: 2000, depth: 10 },
};

/** Tactic-step search inside Lean that asks the library at every goal: `exact?`, then the steps of `rw?` and `apply?`. */
export function copilotStrategy({
  budget,
  memory,
}: Pick<StrategyParts, 'budget' | 'memory'>): Strategy<Workbench, Candidate> {
  return {
    name: 'copilot',
    slot: 'heavy',
    tier: 1,
    budget,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => [{ name: 'copilot/search', signature }],
    async attempt(workbench, _arm, run) {
      const account = new Account(run);
      const facts = await withUsable({ workbench, account }, factsOf(workbench));
      return await closeHoles(
        { workbench, account, facts, memory },
        async (bench, root) => await new BestFirst(bench, plan, root).run(),
      );
    },
  };
}
