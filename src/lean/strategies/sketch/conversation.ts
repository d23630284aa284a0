import type { Spent } from '../../../core/strategy.ts';
import type { Budget } from '../../../models/budget.ts';
import type { GoalModel } from '../../../models/configured.ts';
import { prompt, promptVersion } from '../../../models/prompts.ts';
import type { ModelUse } from '../../../shared/events.ts';
import { describeGoal } from '../../describe-goal.ts';
import type { Facts } from '../../premises/facts.ts';
import type { Goal } from '../../protocol.ts';
import type { Workbench } from '../../workbench.ts';
import { planFrom, planSchema, type Plan } from './plan.ts';

const planPrompt = 'sketch-plan';
const againPrompt = 'sketch-again';
const prompts = [planPrompt, againPrompt].map((name) => ({ name, version: promptVersion(name) }));

/** What the prompts are, as part of the arm's signature: another text is another arm. */
export const promptsVersion = prompts.map(({ version }) => version).join('.');

const maxTokens = 4000;
/** Of a long preamble its end: what a goal speaks of mostly stands near it. */
const mostPreamble = 12_000;

/** A plan that was tried, and what Lean said to it. */
interface Past {
  readonly plan: Plan;
  readonly words: readonly string[];
}

/** What a model is asked about one goal: a plan, then better ones, within the goal's budget. */
export class Conversation {
  readonly #model: GoalModel['model'];
  readonly #budget: Budget;
  readonly #used = new Set<string>();

  /** `budget`: of this attempt, inside the goal's. */
  constructor({ model }: Pick<GoalModel, 'model'>, budget: Budget) {
    this.#model = model.on(budget);
    this.#budget = budget;
  }

  /** A plan, or why there is none. */
  async ask(
    { goal: { preamble, statement } }: Workbench,
    goal: Goal,
    facts: Facts,
    past: Past | undefined,
    signal: AbortSignal,
  ): Promise<Plan | { readonly failed: string; readonly isSaid: boolean }> {
    const common = {
      preamble: preamble.slice(-mostPreamble),
      statement,
      goal: describeGoal(goal),
      lemmas: [...facts.definitions, ...facts.lemmas].join(', ') || 'none',
    };
    const name = past ? againPrompt : planPrompt;
    const before = past && { plan: JSON.stringify(past.plan), words: past.words.join('\n') };
    const { text } = prompt(name, { ...common, ...before });
    this.#used.add(name);
    const request = { prompt: text, samples: 1, temperature: 0, maxTokens, schema: planSchema };
    const answer = await this.#model.generate(request, signal);
    if (answer.kind === 'cancelled') return { failed: 'the model was not waited for', isSaid: false };
    if (answer.kind !== 'answered') return { failed: `the model: ${answer.message}`, isSaid: false };
    const [sample] = answer.samples;
    if (sample?.value === undefined)
      return { failed: `the model gives no plan (${sample?.end ?? 'nothing'})`, isSaid: true };
    const plan = planFrom(sample.value);
    return typeof plan === 'string' ? { failed: `the model gives ${plan}`, isSaid: true } : plan;
  }

  /** What it has cost, in the ledger's words. */
  cost(
    said: readonly string[],
  ): Pick<Spent, 'gpuSeconds' | 'cloudSeconds' | 'inputTokens' | 'outputTokens' | 'model'> {
    const { inputTokens, outputTokens, seconds, microdollars, calls, recorded } = this.#budget.spent;
    const { name, runsOn } = this.#model;
    const used = prompts.filter((one) => this.#used.has(one.name));
    const model: ModelUse = { name, prompts: used, calls, recorded, microdollars, said };
    return {
      inputTokens,
      outputTokens,
      ...(runsOn === 'gpu' ? { gpuSeconds: seconds } : { cloudSeconds: seconds }),
      model,
    };
  }
}
