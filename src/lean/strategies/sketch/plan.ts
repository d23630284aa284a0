import { failed, success, type Failed, type Result } from '../../../core/result.ts';
import * as z from 'zod';
import { isHelperName } from '../../market/lemma.ts';
import { plainTactics, wouldRunPrograms } from '../plain-tactics.ts';

/** One intermediate claim, and tactics that may prove it. */
export interface PlanStep {
  readonly name: string;
  readonly claim: string;
  readonly tactics: readonly string[];
}

/** A model's proposal for a goal. Nothing in it is trusted. */
export interface Plan {
  /** A tactic to run before all claims, such as `intro n h`; empty for none. */
  readonly opening: string;
  readonly steps: readonly PlanStep[];
  /** Tactics that may finish the goal once all claims are available. */
  readonly finish: readonly string[];
  /** Lemmas of the library that may exist. */
  readonly lemmas: readonly string[];
  /** Where the plan may fail, for people. */
  readonly risk: string;
}

/** Limits of a plan; anything beyond them is cut off. */
const most = { steps: 12, claim: 2000, tactics: 4, tactic: 600, lemmas: 12, risk: 400 };

const tactics = { type: 'array', items: { type: 'string' } };

/** The JSON schema of an answer, as in the prompt. */
export const planSchema = {
  name: 'plan',
  json: {
    type: 'object',
    additionalProperties: false,
    required: ['opening', 'steps', 'finish', 'lemmas', 'risk'],
    properties: {
      opening: { type: 'string' },
      steps: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name', 'claim', 'tactics'],
          properties: { name: { type: 'string' }, claim: { type: 'string' }, tactics },
        },
      },
      finish: tactics,
      lemmas: { type: 'array', items: { type: 'string' } },
      risk: { type: 'string' },
    },
  },
};

const texts = z.array(z.string()).catch([]);
const Answer = z.object({
  opening: z.string().catch(''),
  steps: z.array(z.object({ name: z.string(), claim: z.string(), tactics: texts })),
  finish: texts,
  lemmas: texts,
  risk: z.string().catch(''),
});

/** Parses a plan from a model's answer, or says why it is invalid. */
export function planFrom(said: unknown): Result<Plan> {
  const { data, error } = Answer.safeParse(said);
  if (!data) return no(`it does not match the schema: ${z.prettifyError(error).split('\n', 1)[0] ?? ''}`);
  const strange = data.steps.find(({ name }) => !/^[a-z][\w']{0,30}$/.test(name) || isHelperName(name));
  if (strange) return no(`${JSON.stringify(strange.name.slice(0, 40))} is not a valid name of a claim`);
  const names = data.steps.map(({ name }) => name);
  if (new Set(names).size < names.length) return no('two claims have the same name');
  const all = [data.opening, ...data.finish, ...data.steps.flatMap((step) => [step.claim, ...step.tactics])];
  const foul = all.find(wouldRunPrograms);
  if (foul !== undefined) return no(`it would make Lean run a program: ${foul.slice(0, 80)}`);
  if (data.steps.some(({ claim }) => claim.length > most.claim)) return no('a claim is too long');
  return success({
    opening: data.opening.slice(0, most.tactic).trim(),
    steps: data.steps.slice(0, most.steps).map(({ name, claim, tactics: its }) => ({
      name,
      claim: claim.trim(),
      tactics: proposals(its),
    })),
    finish: proposals(data.finish),
    lemmas: data.lemmas.filter((name) => identifier.test(name)).slice(0, most.lemmas),
    risk: data.risk.slice(0, most.risk),
  });
}

const no = (message: string): Failed => failed({ kind: 'plan', message });

const identifier = /^[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}\p{N}_'!?₀-₉]+)*$/u;

function proposals(said: readonly string[]): string[] {
  return plainTactics(said, { most: most.tactics, length: most.tactic });
}
