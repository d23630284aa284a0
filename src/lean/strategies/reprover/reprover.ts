import type { LeanOutcome, LeanStrategy } from '../strategy.ts';
import type { Arm, AttemptRun } from '../../../core/strategy.ts';
import type { GoalModel } from '../../../models/configured.ts';
import { factsOf, withPremises } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import { BestFirst } from '../../search/best-first.ts';
import { everyKind, generatorOf, type Generator } from '../../search/generators.ts';
import { withHelpers } from '../../search/helpers.ts';
import { Suggestions } from '../../search/suggestions.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import { AskedModel } from '../asked-model.ts';
import { closeHoles } from '../close-holes.ts';
import type { StrategyParts } from '../parts.ts';
import { modelSteps, stepsVersion } from './model-steps.ts';

/** Grows whenever the search would do something else. */
const search: Arm = { name: 'reprover/search', signature: 'reprover/search 3', round: 2 };
const asking = 'reprover/model';
const askingVersion = 1;
/** As many premises as are retrieved; each gets every template. */
const premiseCount = 12;
/** Equations that are looked into where the usual number was not enough: some ten seconds. */
const equationLooks = 3000;
const generator = generatorOf(everyKind, ['exact?', 'rw?', 'apply?'], equationLooks);
const limits = { nodes: 6000, depth: 16 };
const suggestionLimits = { atOnce: 4, questions: 40 };

type Parts = Pick<StrategyParts, 'budget' | 'memory' | 'premises' | 'pool' | 'model'>;

/**
 * Deep search with premises of the library beside those of the preamble; workers that are idle help. Where a language model is named,
 * one more arm searches with what that one proposes besides: what it costs counts against what the arm is worth.
 */
export function reproverStrategy(parts: Parts): LeanStrategy {
  const { budget, model } = parts;
  const signature = `${asking} ${askingVersion} ${stepsVersion} ${model?.model.name ?? ''}`;
  const arms: readonly Arm[] = model ? [search, { name: asking, signature, round: 2 }] : [search];
  return {
    name: 'reprover',
    slot: 'heavy',
    tier: 2,
    budget,
    ready: () => Promise.resolve({ ready: true }),
    arms: () => arms,
    async attempt(workbench, { name }, run) {
      if (name === asking && model) return await searchAsking(parts, model, workbench, run);
      return await searchWith(parts, workbench, new WorkAccount(run), generator);
    },
  };
}

async function searchWith(
  { memory, premises, pool }: Parts,
  workbench: Workbench,
  account: WorkAccount,
  proposing: Generator,
): Promise<LeanOutcome> {
  const found = (await premises?.forGoal(workbench, premiseCount, account)) ?? [];
  const facts = await withUsable({ workbench, account }, withPremises(factsOf(workbench), found));
  const plan = { generator: proposing, limits };
  return await withHelpers(
    pool,
    { workbench, account, facts, memory },
    async (helped) =>
      await closeHoles(helped, async (one, root) => await new BestFirst(one, plan, root).run()),
  );
}

/** The same search with a model's proposals; when the model is out of budget, or silent, it continues without. */
async function searchAsking(
  parts: Parts,
  given: GoalModel,
  workbench: Workbench,
  run: AttemptRun,
): Promise<LeanOutcome> {
  const account = new WorkAccount(run);
  const model = new AskedModel(given, workbench);
  const said: string[] = [];
  const suggest = modelSteps(model, workbench, account.signal, (text) => said.push(text));
  const suggestions = new Suggestions(suggest, suggestionLimits);
  const outcome = await searchWith(parts, workbench, account, suggestions.within(generator));
  const { questions, states } = suggestions.effort;
  return { ...outcome, ...model.cost([`asked ${questions} times, about ${states} states`, ...said]) };
}
