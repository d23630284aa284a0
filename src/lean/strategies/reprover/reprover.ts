import type { LeanOutcome, LeanStrategy } from '../strategy.ts';
import type { Arm, AttemptRun } from '../../../core/strategy.ts';
import type { Goal } from '../../base/protocol.ts';
import { librarySearches } from '../../base/suggestions.ts';
import type { GoalModel } from '../../../models/configured.ts';
import { factsWithOpen, withPremises } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import { BestFirst } from '../../search/best-first.ts';
import { generatorOf, type Generator } from '../../search/generators.ts';
import { withHelpers } from '../../search/helpers.ts';
import { finderOf, retrieving } from '../../search/retrieved.ts';
import { Suggestions } from '../../search/suggestions.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import { AskedModel } from '../asked-model.ts';
import { closeHoles } from '../close-holes.ts';
import type { StrategyParts } from '../parts.ts';
import { modelSteps, stepsVersion, type ShownPremise } from './model-steps.ts';

/** Increased whenever the search changes. */
const search: Arm = { name: 'reprover/search', signature: 'reprover/search 7', round: 2 };
const asking = 'reprover/model';
const askingVersion = 4;
/** Number of retrieved premises; each is used with every template. */
const premiseCount = 12;
/** The same for each goal of the search. */
const retrieved = 16;
const generator = generatorOf(librarySearches);
const limits = { nodes: 6000, depth: 16 };
/** Questions in one search. */
const mostQuestions = 40;

type Parts = Pick<StrategyParts, 'budget' | 'memory' | 'premises' | 'pool' | 'model'>;

/**
 * Deep search with premises of the library as well as the preamble; idle workers help. If a language model is named,
 * another arm also uses its proposals, and their cost counts against the arm's value.
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
  const ask = premises?.askedBy(workbench, account);
  const found = (await ask?.(premiseCount)) ?? [];
  const facts = await withUsable({ workbench, account }, withPremises(factsWithOpen(workbench), found));
  const finder = finderOf({ workbench, account, premises: ask }, retrieved);
  const plan = { generator: retrieving(proposing, finder), limits };
  return await withHelpers(
    pool,
    { workbench, account, facts, memory },
    async (helped) =>
      await closeHoles(helped, async (one, root) => await new BestFirst(one, plan, root).run()),
  );
}

/** The same search with a model's proposals. If the model is out of budget or fails, the search continues without it. */
async function searchAsking(
  parts: Parts,
  given: GoalModel,
  workbench: Workbench,
  run: AttemptRun,
): Promise<LeanOutcome> {
  const account = new WorkAccount(run);
  const { sampling } = given;
  const model = new AskedModel(given, workbench);
  const said: string[] = [];
  const { signal } = account;
  const premises = shownPremises(parts, workbench, account);
  const suggest = modelSteps({ model, sampling, workbench, signal, premises }, (text) => said.push(text));
  const suggestions = new Suggestions(suggest, { atOnce: sampling.batch, questions: mostQuestions });
  const outcome = await searchWith(parts, workbench, account, suggestions.within(generator));
  const { questions, states } = suggestions.effort;
  return { ...outcome, ...model.cost([`asked ${questions} times, about ${states} states`, ...said]) };
}

/** Premises with their statements, for a model. */
function shownPremises(
  { premises }: Parts,
  workbench: Workbench,
  account: WorkAccount,
): ((goals: readonly Goal[]) => Promise<ShownPremise[]>) | undefined {
  if (!premises) return undefined;
  const ask = premises.askedBy(workbench, account);
  return async (goals) => {
    const names = (await ask(premiseCount, goals)).map(({ name }) => name);
    const statements = await premises.statements(workbench, names, account);
    return names.map((name) => ({ name, statement: statements.get(name) ?? '' }));
  };
}
