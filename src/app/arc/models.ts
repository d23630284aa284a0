import { settingsFrom } from '../settings.ts';
import type { LoopOptions } from '../../arc/learning/loop-options.ts';
import type { LoopModels } from '../../arc/loop/parts.ts';
import { systemClock } from '../../core/clock.ts';
import { Models } from '../../models/configured.ts';
import type { Model } from '../../models/model.ts';

/** The models that a run's checkpoints name. */
export function modelsOf({ describer, ruler, enhancedRuler }: LoopOptions): LoopModels {
  const wanted = Object.entries({ describer, ruler, enhancedRuler }).flatMap(([part, checkpoint]) =>
    checkpoint?.kind === 'model' ? [[part, checkpoint.name] as const] : [],
  );
  if (wanted.length === 0) return {};
  const models = new Models(settingsFrom({}), process.env, systemClock);
  return Object.fromEntries(wanted.map(([part, name]): [string, Model] => [part, models.named(name)]));
}
