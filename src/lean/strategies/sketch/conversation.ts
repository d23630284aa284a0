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

/** The versions of the prompts, as part of the arm's signature: changed prompts make a different arm. */
export const promptsVersion = [planPrompt, againPrompt].map(promptVersion).join('.');

const maxTokens = 4000;
/** Only the end of a long preamble is sent, because goals mostly mention what is near. */
const mostPreamble = 12_000;

/** An earlier plan, with Lean's messages. */
interface Past {
  readonly plan: Plan;
  readonly words: readonly string[];
}

/** Why there is no plan. `answer`: the model answered, but without a plan; `model`: it did not answer. */
export type NoPlan = Fault<'answer' | 'model'>;

/** Asks for a plan of a goal, or for a better one after Lean rejected parts of the last. */
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
    return failed({ kind: 'answer', message: `the model gave no plan (${sample?.end ?? 'nothing'})` });
  const plan = planFrom(sample.value);
  return plan.ok ? plan : failed({ kind: 'answer', message: `unusable plan: ${plan.error.message}` });
}
