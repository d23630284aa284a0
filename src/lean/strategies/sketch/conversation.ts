import { promptVersion } from '../../../models/prompts.ts';
import { goalText } from '../../base/goal-text.ts';
import type { Facts } from '../../premises/facts.ts';
import type { Goal } from '../../base/protocol.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import { failureWords, type AskedModel } from '../asked-model.ts';
import { planFrom, planSchema, type Plan } from './plan.ts';

const planPrompt = 'sketch-plan';
const againPrompt = 'sketch-again';

/** What the prompts are, as part of the arm's signature: another text is another arm. */
export const promptsVersion = [planPrompt, againPrompt].map(promptVersion).join('.');

const maxTokens = 4000;
/** The end of a long preamble: what a goal mentions is mostly near it. */
const mostPreamble = 12_000;

/** A plan that was tried, and what Lean said to it. */
interface Past {
  readonly plan: Plan;
  readonly words: readonly string[];
}

/** Why there is no plan; `isSaid`: by the model's own answer. */
interface NoPlan {
  readonly failed: string;
  readonly isSaid: boolean;
}

/** A plan for a goal, or, after one that Lean found fault with, a better one. */
export async function askForPlan(
  model: AskedModel,
  { goal: { preamble, statement } }: Workbench,
  goal: Goal,
  facts: Facts,
  past: Past | undefined,
  signal: AbortSignal,
): Promise<Plan | NoPlan> {
  const common = {
    preamble: preamble.slice(-mostPreamble),
    statement,
    goal: goalText(goal),
    lemmas: [...facts.definitions, ...facts.lemmas].join(', ') || 'none',
  };
  const before = past && { plan: JSON.stringify(past.plan), words: past.words.join('\n') };
  const request = { samples: 1, temperature: 0, maxTokens, schema: planSchema };
  const name = past ? againPrompt : planPrompt;
  const answer = await model.ask(name, { ...common, ...before }, request, signal);
  if (answer.kind !== 'answered') return { failed: failureWords(answer), isSaid: false };
  const [sample] = answer.samples;
  if (sample?.value === undefined)
    return { failed: `the model gives no plan (${sample?.end ?? 'nothing'})`, isSaid: true };
  const plan = planFrom(sample.value);
  return typeof plan === 'string' ? { failed: `the model gives ${plan}`, isSaid: true } : plan;
}
