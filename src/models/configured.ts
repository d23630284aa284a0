import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { deeplyWithoutSecrets, secretsOf } from '../core/secrets.ts';
import { Budget, type ModelLimits, type Price } from './budget.ts';
import { AnswerCache } from './cache.ts';
import { careful, Rate, type Care, type CarefulModel } from './careful.ts';
import { modelNamed } from './choose.ts';
import type { Model } from './model.ts';

/** The settings that models depend on, by their names. */
export interface ModelSettings {
  readonly model_env?: readonly string[];
  readonly model_cache: string;
  readonly model_network: 'on' | 'off';
  readonly model_budget?: number | undefined;
  readonly model_tokens?: number | undefined;
  readonly model_goal_budget?: number | undefined;
  readonly model_goal_tokens: number;
  readonly model_goal_seconds: number;
  readonly model_price_in?: number | undefined;
  readonly model_price_out?: number | undefined;
  readonly model_calls?: number | undefined;
  readonly model_jobs?: number | undefined;
  readonly model_beam: number;
  readonly model_samples: number;
  readonly model_batch: number;
  readonly model_temperature: number;
  readonly cloud_budget?: number | undefined;
  readonly gpu?: number | undefined;
}

/** A model of a run, with a budget per goal. */
export interface GoalModel {
  readonly model: CarefulModel;
  /** The budget of one goal, inside the run's; shared by all strategies on that goal. */
  readonly budgetOf: (goal: string) => Budget;
  readonly sampling: ModelSampling;
}

/** How to ask a model for the next steps of a proof. */
export interface ModelSampling {
  /** Tactics per state from a model that knows only tactics. */
  readonly beam: number;
  /** Tactics per state from a general model. */
  readonly samples: number;
  /** States in one question. */
  readonly batch: number;
  readonly temperature: number;
}

/** The models of one run, by name; all share one budget, one cache and one rate limit. */
export class Models {
  readonly price: Price;
  readonly #environment: Readonly<Record<string, string | undefined>>;
  readonly #secrets: readonly string[];
  readonly #passed: readonly string[];
  readonly #care: Care;
  readonly #rates: Readonly<Record<CarefulModel['runsOn'], Rate>>;
  readonly #budgets: Readonly<Record<CarefulModel['runsOn'], Budget>>;
  readonly #goalLimits: ModelLimits;
  readonly #sampling: ModelSampling;

  constructor(
    settings: ModelSettings,
    environment: Readonly<Record<string, string | undefined>>,
    clock: Pick<Clock, 'now'>,
  ) {
    const price = priceOf(settings);
    this.price = price;
    const { model_budget: dollars, model_tokens: tokens, model_calls: callsPerMinute } = settings;
    const run = new Budget({ dollars, tokens }, price);
    this.#environment = environment;
    this.#secrets = secretsOf(environment);
    this.#passed = settings.model_env ?? [];
    this.#budgets = {
      cloud: run.within({ seconds: settings.cloud_budget }),
      gpu: run.within({ seconds: settings.gpu }),
    };
    this.#goalLimits = {
      dollars: settings.model_goal_budget,
      tokens: settings.model_goal_tokens,
      seconds: settings.model_goal_seconds,
    };
    this.#care = {
      cache: new AnswerCache(settings.model_cache),
      replay: settings.model_network === 'off',
      ...(callsPerMinute !== undefined && { callsPerMinute }),
      clock,
      sleep: async (ms, signal) => {
        await setTimeout(ms, undefined, { signal }).catch(() => undefined);
      },
    };
    const calls = new Rate(this.#care);
    this.#rates = { cloud: calls, gpu: calls.within(settings.model_jobs) };
    this.#sampling = {
      beam: settings.model_beam,
      samples: settings.model_samples,
      batch: settings.model_batch,
      temperature: settings.model_temperature,
    };
  }

  named(name: string): CarefulModel {
    const model = discreet(modelNamed(name, this.#environment, this.#passed), this.#secrets);
    return careful(model, { ...this.#care, budget: this.#budgets[model.runsOn] }, this.#rates[model.runsOn]);
  }

  /** Without the cache, for results stored elsewhere, such as the gigabytes of a library's vectors. */
  unrecorded(name: string): CarefulModel {
    const model = discreet(modelNamed(name, this.#environment, this.#passed), this.#secrets);
    const { cache: _, ...care } = this.#care;
    return careful(model, { ...care, budget: this.#budgets[model.runsOn] }, this.#rates[model.runsOn]);
  }

  /** For work on goals, with a budget for each. */
  forGoals(name: string): GoalModel {
    const model = this.named(name);
    const budgets = new Map<string, Budget>();
    return {
      model,
      budgetOf: (goal) => {
        const budget = budgets.get(goal) ?? this.#budgets[model.runsOn].within(this.#goalLimits);
        budgets.set(goal, budget);
        return budget;
      },
      sampling: this.#sampling,
    };
  }
}

function priceOf(settings: ModelSettings): Price {
  const { model_budget, model_goal_budget, model_price_in: input, model_price_out: output } = settings;
  const isBounded = model_budget !== undefined || model_goal_budget !== undefined;
  if (isBounded && (input === undefined || output === undefined))
    throw new UserError(
      'MODEL_PRICE_MISSING',
      'a dollar limit needs the model’s price',
      'Set model_price_in and model_price_out, in dollars per million tokens.',
    );
  return { input: input ?? 0, output: output ?? 0 };
}

/** A service may repeat a key in an answer or an error. Answers go into cache and ledger, so keys are removed here. */
function discreet(model: Model, secrets: readonly string[]): Model {
  return {
    ...model,
    generate: async (request, signal) => deeplyWithoutSecrets(await model.generate(request, signal), secrets),
    embed: async (texts, signal) => {
      const answer = await model.embed(texts, signal);
      return answer.ok ? answer : deeplyWithoutSecrets(answer, secrets);
    },
  };
}
