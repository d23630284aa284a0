import { failed, type Fault, type Result } from '../../../core/result.ts';
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

/** Why there is no plan. `answer`: the model answered, but with none; `model`: it did not answer. */
export type NoPlan = Fault<'answer' | 'model'>;

/** A plan for a goal, or, after one that Lean found fault with, a better one. */
export async function askForPlan(
  model: AskedModel,
  { goal: { preamble, statement } }: Workbench,
  goal: Goal,
  facts: Facts,
  { past, signal }: { readonly past: Past | undefined; readonly signal: AbortSignal },
): Promise<Result<Plan, NoPlan>> {
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
  if (!answer.ok) return failed({ kind: 'model', message: failureWords(answer.error) });
  const [sample] = answer.value.samples;
  if (sample?.value === undefined)
    return failed({ kind: 'answer', message: `the model gives no plan (${sample?.end ?? 'nothing'})` });
  const plan = planFrom(sample.value);
  return plan.ok ? plan : failed({ kind: 'answer', message: `the model gives ${plan.error.message}` });
}
