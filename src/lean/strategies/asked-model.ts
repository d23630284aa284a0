import type { Spent } from '../../core/strategy.ts';
import type { Budget } from '../../models/budget.ts';
import type { GoalModel } from '../../models/configured.ts';
import type { Generated, GenerateRequest, Model, ModelFailure } from '../../models/model.ts';
import { prompt } from '../../models/prompts.ts';
import type { ModelUse } from '../../shared/events.ts';
import type { Workbench } from '../workbench/workbench.ts';

type Bought = Pick<
  Spent,
  'gpuSeconds' | 'cloudSeconds' | 'inputTokens' | 'outputTokens' | 'boughtShare' | 'model'
>;

/** A language model in one attempt. It is asked within the goal's budget; the total cost is reported at the end. */
export class AskedModel {
  readonly #model: GoalModel['model'];
  readonly #goal: Budget;
  readonly #attempt: Budget;
  /** The prompts sent, and their versions. */
  readonly #prompts = new Map<string, string>();

  constructor(
    { model, budgetOf }: GoalModel,
    { goalHash, fingerprint }: Pick<Workbench, 'goalHash' | 'fingerprint'>,
  ) {
    this.#goal = budgetOf(`${goalHash} ${fingerprint}`);
    this.#attempt = this.#goal.within();
    this.#model = model.on(this.#attempt);
  }

  get skill(): Model['skill'] {
    return this.#model.skill;
  }

  /** Asks with a prompt of `prompts/` and its variables. */
  async ask(
    name: string,
    values: Readonly<Record<string, string>>,
    request: Omit<GenerateRequest, 'prompt'>,
    signal: AbortSignal,
  ): Promise<Generated> {
    const { text, version } = prompt(name, values);
    this.#prompts.set(name, version);
    return await this.askPlainly({ ...request, prompt: text }, signal);
  }

  /** Sends a text unchanged, for a model with a single skill. */
  async askPlainly(request: GenerateRequest, signal: AbortSignal): Promise<Generated> {
    return await this.#model.generate(request, signal);
  }

  /** Its cost so far, as stored in the ledger; `said`: the outcomes of its answers, one line each. */
  cost(said: readonly string[]): Bought {
    const { inputTokens, outputTokens, seconds, microdollars, calls, recorded } = this.#attempt.spent;
    const { name, runsOn } = this.#model;
    const prompts = [...this.#prompts].map(([prompted, version]) => ({ name: prompted, version }));
    const model: ModelUse = { name, prompts, calls, recorded, microdollars, said };
    return {
      inputTokens,
      outputTokens,
      ...(runsOn === 'gpu' ? { gpuSeconds: seconds } : { cloudSeconds: seconds }),
      boughtShare: this.#goal.shareOf(this.#attempt.spent),
      model,
    };
  }
}

/** Why a model gave no readable answer. */
export function failureWords({ kind, message }: ModelFailure): string {
  return kind === 'cancelled' ? 'the attempt ended before the model answered' : `the model: ${message}`;
}
