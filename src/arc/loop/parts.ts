import type { Model } from '../../models/model.ts';
import { criticFrom, readCheckpoint } from '../learning/critic/score.ts';
import { describe } from '../grid/facts/describe.ts';
import type { RulerBundle } from '../learning/memory/bundle.ts';
import { studentRuler, studentSchema } from '../learning/student/student.ts';
import { describerSchema, keptFacts } from '../learning/student/train-describer.ts';
import type { Ruler } from '../learning/rulers/ruler.ts';
import { builtinTeacher } from '../learning/rulers/builtin.ts';
import { modelDescriber, modelRuler } from '../learning/rulers/model.ts';
import type { LoopParts } from './loop.ts';
import type { LoopOptions } from '../learning/loop-options.ts';

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
    describe: describer === undefined ? describerOf(options.describer) : modelDescriber(describer),
    teacher: ruler === undefined ? builtinTeacher(options.recogniser) : modelRuler(ruler, 'teacher'),
    student: studentOf(options.enhancedRuler, enhancedRuler),
    critic: criticFrom(options.critic ?? undefined),
    memory,
    runKey,
  };
}

/** Whether a checkpoint is a file that `arc ruler train` or `arc describer train` has written, not a model. */
export function isTrainedFile(checkpoint: string): boolean {
  return checkpoint.endsWith('.json');
}

/** The built-in describer, or what training has left of it. */
function describerOf(checkpoint: string): LoopParts['describe'] {
  if (!isTrainedFile(checkpoint)) return (task) => Promise.resolve(describe(task));
  const trained = readCheckpoint(checkpoint, describerSchema, 'describer');
  return (task) => Promise.resolve(keptFacts(trained, describe(task)));
}

function studentOf(checkpoint: string | null, model: Model | undefined): Ruler | null {
  if (model !== undefined) return modelRuler(model, 'student');
  if (checkpoint === null || !isTrainedFile(checkpoint)) return null;
  return studentRuler(readCheckpoint(checkpoint, studentSchema, 'ruler'));
}
