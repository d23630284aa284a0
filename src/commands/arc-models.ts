import { setTimeout as sleep } from 'node:timers/promises';
import { settingsFrom } from '../app.ts';
import { isTrainedFile, type LoopModels } from '../arc/loop/parts.ts';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { Budget } from '../models/budget.ts';
import { AnswerCache } from '../models/cache.ts';
import { careful, type Care } from '../models/careful.ts';
import { modelNamed } from '../models/choose.ts';
import type { Model } from '../models/model.ts';
import type { RunFlags } from './arc-run-options.ts';

/** The models that a run's checkpoints name. All of them share one budget, one cache and one rate. */
export function modelsOf(flags: RunFlags): LoopModels {
  const named = {
    describer: flags.describerCheckpoint,
    ruler: flags.rulerCheckpoint,
    enhancedRuler: flags.enhancedRulerCheckpoint ?? 'builtin',
  };
  const wanted = Object.entries(named).filter(([, name]) => name !== 'builtin' && !isTrainedFile(name));
  if (wanted.length === 0) return {};
  const care = careFrom(settingsFrom({}));
  const models = wanted.map(([part, name]): [string, Model] => [
    part,
    careful(modelNamed(name, process.env), care),
  ]);
  return Object.fromEntries(models);
}

function careFrom(settings: Settings): Care {
  const { model_budget: dollars, model_price_in: input, model_price_out: output } = settings;
  if (dollars !== undefined && (input === undefined || output === undefined))
    throw new UserError(
      'MODEL_PRICE_MISSING',
      'model_budget is set, but not what the model costs',
      'Set model_price_in and model_price_out, in dollars a million tokens.',
    );
  return {
    cache: new AnswerCache(settings.model_cache),
    replay: settings.model_network === 'off',
    budget: new Budget(
      { ...(dollars !== undefined && { dollars }) },
      { input: input ?? 0, output: output ?? 0 },
    ),
    ...(settings.model_calls !== undefined && { callsPerMinute: settings.model_calls }),
    clock: systemClock,
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, { signal }).catch(() => undefined);
    },
  };
}
