import type { LeanStrategy } from '../strategy.ts';
import type { Settings } from '../../../config/schema.ts';
import type { Arm } from '../../../core/strategy.ts';
import { askForTactics } from '../../../models/tactic-server.ts';
import { goalText } from '../../base/goal-text.ts';
import { librarySearches } from '../../base/suggestions.ts';
import { factsWithOpen } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import type { Bench } from '../../search/bench.ts';
import { BestFirst } from '../../search/best-first.ts';
import { generatorOf } from '../../search/generators.ts';
import { proposed } from '../../search/proposed.ts';
import { finderOf, retrieving } from '../../search/retrieved.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { WorkState } from '../../workbench/workbench.ts';
import { closeHoles, type HoleSearch } from '../close-holes.ts';
import { hasLeanCopilot, leanCopilotSearch } from './lean-copilot.ts';
import { modelSearch } from './model-search.ts';
import type { StrategyParts } from '../parts.ts';

/** Increased whenever the search changes. */
const version = 9;
const generator = generatorOf(librarySearches);
const searchLimits = { nodes: 2000, depth: 10 };
/** Number of library theorems for each goal of a search. */
const premiseCount = 16;
/** `try?` runs most automation of Lean: about two seconds if none of it works. */
const tryHeartbeats = 10_000;

/** Short runs take part in slates like any light arm, after the closers and plans; the long one runs after those have failed. */
const quick: Arm = {
  name: 'copilot/quick',
  signature: `copilot/quick ${version}`,
  slot: 'light',
  stage: 4,
  budget: { cpu_seconds: 5, heartbeats: 20_000 },
};
const deep: Arm = { name: 'copilot/search', signature: `copilot/search ${version}`, round: 2 };
/** A model's answers can change at any time, so the server is part of the arm's identity. */
const external = 'copilot/external';
const leanCopilot: Arm = { name: 'copilot/lean', signature: 'copilot/lean 1', round: 2 };

interface CopilotParts extends Pick<StrategyParts, 'budget' | 'memory' | 'premises'> {
  readonly settings?: Pick<Settings, 'copilot_url' | 'copilot_model'>;
}

/**
 * Tactic-step search inside Lean that queries the library at every goal: `exact?`, then the steps of `rw?` and
 * `apply?`. The short variant tries `try?` first. If the settings name a server with Lean Copilot's protocol, another
 * arm searches with its proposals; if a project imports Lean Copilot, another uses its tactics.
 */
export function copilotStrategy({ budget, memory, premises, settings }: CopilotParts): LeanStrategy {
  const url = settings?.copilot_url;
  const server = url === undefined ? undefined : { url, name: settings?.copilot_model ?? '' };
  const asking = server && { name: external, signature: `${external} 1 ${server.url} ${server.name}` };
  return {
    name: 'copilot',
    slot: 'heavy',
    tier: 1,
    budget,
    ready: () => Promise.resolve({ ready: true }),
    arms: (workbench) => [
      quick,
      ...(asking ? [asking] : []),
      ...(hasLeanCopilot(workbench) ? [leanCopilot] : []),
      deep,
    ],
    async attempt(workbench, { name }, run) {
      const account = new WorkAccount(run);
      if (name === external && server) {
        const ask = modelSearch(
          async (_, { goals }) =>
            await askForTactics(server, goals.map(goalText).join('\n\n'), account.signal),
        );
        return await closeHoles({ workbench, account, facts: factsWithOpen(workbench) }, ask);
      }
      const facts = await withUsable({ workbench, account }, factsWithOpen(workbench));
      const bench = { workbench, account, facts, memory, premises: premises?.askedBy(workbench, account) };
      return await closeHoles(bench, searches.get(name) ?? search);
    },
  };
}

const search: HoleSearch = async (bench, root) => {
  const plan = { generator: retrieving(generator, finderOf(bench, premiseCount)), limits: searchLimits };
  return await new BestFirst(bench, plan, root).run();
};

const quickly: HoleSearch = async (bench, root) =>
  (await whatLeanTries(bench, root)) ?? (await search(bench, root));

const searches: ReadonlyMap<string, HoleSearch> = new Map([
  [quick.name, quickly],
  [leanCopilot.name, leanCopilotSearch(search)],
]);

/** `try?` replaced by its suggestion. */
async function whatLeanTries(bench: Bench, root: WorkState): Promise<WorkState | undefined> {
  const { workbench, account } = bench;
  const limits = { heartbeats: tryHeartbeats };
  const [asked] = await workbench.run(root, ['try?'], account, { ...limits, until: 'end' });
  const said = asked?.kind === 'state' ? proposed(bench, asked.state) : [];
  const answers = await workbench.run(root, said, account, limits);
  return answers.flatMap((answer) =>
    answer.kind === 'state' && answer.state.closed ? [answer.state] : [],
  )[0];
}
