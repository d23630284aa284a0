import type { Model } from '../../models/model.ts';
import { criticFrom } from '../critic/score.ts';
import { describe } from '../facts/describe.ts';
import type { RulerBundle } from '../memory/bundle.ts';
import { builtinTeacher } from '../rulers/builtin.ts';
import { modelDescriber, modelRuler } from '../rulers/model.ts';
import type { LoopParts } from './loop.ts';
import type { LoopOptions } from './options.ts';

/** The models behind the checkpoints of a run; what is not here is built in. */
export interface LoopModels {
  readonly describer?: Model;
  readonly ruler?: Model;
  readonly enhancedRuler?: Model;
}

/** Who does what for one task, from the checkpoints that were named. */
export function partsFor(
  options: LoopOptions,
  memory: RulerBundle,
  runKey: string,
  models: LoopModels = {},
): LoopParts {
  const { describer, ruler, enhancedRuler } = models;
  return {
    describe: describer === undefined ? (task) => Promise.resolve(describe(task)) : modelDescriber(describer),
    teacher: ruler === undefined ? builtinTeacher() : modelRuler(ruler, 'teacher'),
    student: enhancedRuler === undefined ? null : modelRuler(enhancedRuler, 'student'),
    critic: criticFrom(options.critic ?? undefined),
    memory,
    runKey,
  };
}
