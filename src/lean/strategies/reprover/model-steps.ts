import * as z from 'zod';
import { success, type Result } from '../../../core/result.ts';
import type { ModelSampling } from '../../../models/configured.ts';
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

const most = { length: 600, preamble: 12_000, lemmas: 40, premises: 24, statement: 400 };
/** Maximum input of ReProver's models: bytes of premises and state together. */
const inputBytes = 2048;
const tokens = { general: 600, tactics: 128 };

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

/** A library theorem as shown to a model: its name, then its binders and type. */
export interface ShownPremise {
  readonly name: string;
  readonly statement: string;
}

interface Asking {
  readonly model: AskedModel;
  readonly sampling: ModelSampling;
  readonly workbench: Pick<Workbench, 'goal'>;
  readonly signal: AbortSignal;
  /** Theorems for the open goals of a state, best first. */
  readonly premises?: ((goals: readonly Goal[]) => Promise<readonly ShownPremise[]>) | undefined;
}

/** The states of one request to a model. */
interface Question {
  readonly states: readonly (readonly Goal[])[];
  readonly facts: Facts;
  readonly shown: readonly (readonly ShownPremise[])[];
}

/**
 * Tactics from a language model for the states of a search: one prompt per batch, or one request per state for a
 * model that only knows tactics. If the model fails, `note` receives the reason and it is not asked again.
 */
export function modelSteps(
  { model, sampling, workbench, signal, premises }: Asking,
  note: (text: string) => void,
): Suggest {
  return async (states, facts) => {
    const shown = await Promise.all(states.map(async (goals) => (await premises?.(goals)) ?? []));
    const answers =
      model.skill === 'tactics'
        ? await eachAlone(model, sampling, { states, facts, shown }, signal)
        : await allAtOnce({ model, sampling, workbench }, { states, facts, shown }, signal);
    const count = model.skill === 'tactics' ? sampling.beam : sampling.samples;
    if (answers.ok) return answers.value.map((said) => usable(said, count));
    note(failureWords(answers.error));
    return undefined;
  };
}

async function allAtOnce(
  { model, sampling, workbench }: Pick<Asking, 'model' | 'sampling' | 'workbench'>,
  { states, facts, shown }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const { preamble, statement } = workbench.goal;
  const values = {
    preamble: preamble.slice(-most.preamble),
    statement,
    lemmas: [...facts.definitions, ...facts.lemmas].slice(0, most.lemmas).join(', ') || 'none',
    premises: listed(shown),
    goals: states.map((goals, index) => `${index + 1}.\n${textOf(goals)}`).join('\n\n'),
    count: String(sampling.samples),
  };
  const maxTokens = tokens.general * states.length;
  const request = { samples: 1, temperature: sampling.temperature, maxTokens, schema: stepsSchema };
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

async function eachAlone(
  model: AskedModel,
  { beam, temperature }: ModelSampling,
  { states, shown }: Question,
  signal: AbortSignal,
): Promise<Asked> {
  const answers = await Promise.all(
    states.map(async (goals, index) => {
      const prompt = augmented(textOf(goals), shown[index] ?? []);
      const request = { prompt, samples: beam, temperature, maxTokens: tokens.tactics };
      return await model.askPlainly(request, signal);
    }),
  );
  const all: string[][] = [];
  for (const answer of answers) {
    if (!answer.ok) return answer;
    all.push(answer.value.samples.map(({ text }) => text));
  }
  return success(all);
}

/** The first theorems of each state with their statements, without duplicates. */
function listed(shown: readonly (readonly ShownPremise[])[]): string {
  const longest = Math.max(0, ...shown.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, place) => shown.flatMap((some) => some[place] ?? []));
  const lines = inTurn.flat().map(({ name, statement }) => `${name} ${statement}`.slice(0, most.statement));
  return [...new Set(lines)].slice(0, most.premises).join('\n') || 'none';
}

/**
 * The input that ReProver's models were trained on: as many premises as fit, with their names marked, the best
 * one next to the state.
 */
export function augmented(state: string, premises: readonly ShownPremise[]): string {
  let left = inputBytes - Buffer.byteLength(state);
  let before = '';
  for (const { name, statement } of premises) {
    const text = `theorem <a>${name}</a> ${statement}\n\n`;
    const bytes = Buffer.byteLength(text);
    if (bytes > left) continue;
    left -= bytes;
    before = text + before;
  }
  return before + state;
}

function usable(said: readonly string[], count: number): string[] {
  return plainTactics(
    said.filter((text) => !wouldRunPrograms(text)),
    { most: count, length: most.length },
  );
}

function textOf(goals: readonly Goal[]): string {
  return goals.map(goalText).join('\n\n');
}
