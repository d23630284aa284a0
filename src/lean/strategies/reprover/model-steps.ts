import * as z from 'zod';
import { success, type Result } from '../../../core/result.ts';
import type { ModelFailure } from '../../../models/model.ts';
import { promptVersion } from '../../../models/prompts.ts';
import { goalText } from '../../base/goal-text.ts';
import type { Facts } from '../../premises/facts.ts';
import type { Goal } from '../../base/protocol.ts';
import type { Suggest } from '../../search/suggestions.ts';
import type { Workbench } from '../../workbench/workbench.ts';
import { failureWords, type AskedModel } from '../asked-model.ts';
import { plainTactics, wouldRunPrograms } from '../plain-tactics.ts';

const stepsPrompt = 'search-tactics';
export const stepsVersion = promptVersion(stepsPrompt);

const most = { tactics: 8, length: 600, preamble: 12_000, lemmas: 40 };
const tokensForGoal = 600;

const stepsSchema = {
  name: 'steps',
  json: {
    type: 'object',
    additionalProperties: false,
    required: ['answers'],
    properties: {
      answers: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['goal', 'tactics'],
          properties: {
            goal: { type: 'integer' },
            tactics: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
};
const Steps = z.object({
  answers: z.array(z.object({ goal: z.int(), tactics: z.array(z.string()) })),
});

type Asked = Result<readonly (readonly string[])[], ModelFailure>;

/**
 * Tactics from a language model for the states of a search: one prompt per batch, or one request per state for a
 * model that only knows tactics. If the model fails, `note` receives the reason and it is not asked again.
 */
export function modelSteps(
  model: AskedModel,
  workbench: Workbench,
  signal: AbortSignal,
  note: (text: string) => void,
): Suggest {
  return async (states, facts) => {
    const answers =
      model.skill === 'tactics'
        ? await oneByOne(model, states, signal)
        : await allAtOnce(model, workbench, states, facts, signal);
    if (answers.ok) return answers.value.map(usable);
    note(failureWords(answers.error));
    return undefined;
  };
}

async function allAtOnce(
  model: AskedModel,
  { goal: { preamble, statement } }: Workbench,
  states: readonly (readonly Goal[])[],
  facts: Facts,
  signal: AbortSignal,
): Promise<Asked> {
  const values = {
    preamble: preamble.slice(-most.preamble),
    statement,
    lemmas: [...facts.definitions, ...facts.lemmas].slice(0, most.lemmas).join(', ') || 'none',
    goals: states.map((goals, index) => `${index + 1}.\n${textOf(goals)}`).join('\n\n'),
    count: String(most.tactics),
  };
  const maxTokens = tokensForGoal * states.length;
  const request = { samples: 1, temperature: 0, maxTokens, schema: stepsSchema };
  const answer = await model.ask(stepsPrompt, values, request, signal);
  if (!answer.ok) return answer;
  // an answer that does not match the schema counts as empty; the next may be better
  const { data } = Steps.safeParse(answer.value.samples[0]?.value);
  return success(
    states.map((_, index) =>
      (data?.answers ?? []).flatMap(({ goal, tactics }) => (goal === index + 1 ? tactics : [])),
    ),
  );
}

async function oneByOne(
  model: AskedModel,
  states: readonly (readonly Goal[])[],
  signal: AbortSignal,
): Promise<Asked> {
  const all: string[][] = [];
  for (const goals of states) {
    const request = {
      prompt: textOf(goals),
      samples: most.tactics,
      temperature: 0,
      maxTokens: tokensForGoal,
    };
    const answer = await model.askPlainly(request, signal);
    if (!answer.ok) return answer;
    all.push(answer.value.samples.map(({ text }) => text));
  }
  return success(all);
}

function usable(said: readonly string[]): string[] {
  const { tactics, length } = most;
  return plainTactics(
    said.filter((text) => !wouldRunPrograms(text)),
    { most: tactics, length },
  );
}

function textOf(goals: readonly Goal[]): string {
  return goals.map(goalText).join('\n\n');
}
