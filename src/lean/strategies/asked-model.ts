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

/** A language model in one attempt: it is asked within the goal's budget, and what that cost is known at the end. */
export class AskedModel {
  readonly #model: GoalModel['model'];
  readonly #goal: Budget;
  readonly #attempt: Budget;
  /** The prompts that were sent, and their versions. */
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

  /** A prompt of `prompts/` with its variables. */
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

  /** A text as it is, for a model that knows one thing. */
  async askPlainly(request: GenerateRequest, signal: AbortSignal): Promise<Generated> {
    return await this.#model.generate(request, signal);
  }

  /** What it has cost, in the ledger's terms; `said`: the outcomes of its answers, one line each. */
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

/** Why a model gave nothing that can be read. */
export function failureWords({ kind, message }: ModelFailure): string {
  return kind === 'cancelled' ? 'the model was not waited for' : `the model: ${message}`;
}
