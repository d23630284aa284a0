import { settingsFrom } from '../settings.ts';
import type { LoopOptions } from '../../arc/learning/loop-options.ts';
import type { PricedModel } from '../../arc/learning/rulers/model.ts';
import type { LoopModels } from '../../arc/loop/parts.ts';
import { systemClock } from '../../core/clock.ts';
import { Models } from '../../models/configured.ts';

/**
 * The models named by a run's checkpoints. All tasks share one budget, one cache and one call rate, and the
 * budget of a task is part of the run's. Undefined if no role uses a model.
 */
export function modelsOf(options: LoopOptions): ((task: string) => LoopModels) | undefined {
  const { describer, ruler, enhancedRuler } = options;
  const wanted = Object.entries({ describer, ruler, enhancedRuler }).flatMap(([part, checkpoint]) =>
    checkpoint?.kind === 'model' ? [[part, checkpoint.name] as const] : [],
  );
  if (wanted.length === 0) return undefined;
  const models = new Models(settingsFrom({}), process.env, systemClock);
  const named = wanted.map(([part, name]) => [part, models.forGoals(name)] as const);
  return (task) =>
    Object.fromEntries(
      named.map(([part, { model, budgetOf }]): [string, PricedModel] => [
        part,
        { model: model.on(budgetOf(task)), price: models.price },
      ]),
    );
}
