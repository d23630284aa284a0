import { settingsFrom } from '../settings.ts';
import { isTrainedFile, type LoopModels } from '../../arc/loop/parts.ts';
import { systemClock } from '../../core/clock.ts';
import { Models } from '../../models/configured.ts';
import type { Model } from '../../models/model.ts';
import type { RunFlags } from './run-flags.ts';

/** The models that a run's checkpoints name. */
export function modelsOf(flags: RunFlags): LoopModels {
  const named = {
    describer: flags.describerCheckpoint,
    ruler: flags.rulerCheckpoint,
    enhancedRuler: flags.enhancedRulerCheckpoint ?? 'builtin',
  };
  const wanted = Object.entries(named).filter(([, name]) => name !== 'builtin' && !isTrainedFile(name));
  if (wanted.length === 0) return {};
  const models = new Models(settingsFrom({}), process.env, systemClock);
  return Object.fromEntries(wanted.map(([part, name]): [string, Model] => [part, models.named(name)]));
}
