import { describe } from '../grid/facts/describe.ts';
import type { TaskMemory } from '../learning/memory/bundle.ts';
import { studentRuler, studentSchema, untrainedStudent } from '../learning/student/student.ts';
import { describerSchema, keptFacts } from '../learning/student/train-describer.ts';
import type { Ruler } from '../learning/rulers/ruler.ts';
import { builtinTeacher } from '../learning/rulers/builtin.ts';
import { modelDescriber, modelRuler, type PricedModel } from '../learning/rulers/model.ts';
import type { LoopParts } from './loop.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import { readCheckpoint, type Checkpoint } from '../learning/checkpoints.ts';

/** The models behind the checkpoints of a run; a role without one uses the built-in component. */
export interface LoopModels {
  readonly describer?: PricedModel;
  readonly ruler?: PricedModel;
  readonly enhancedRuler?: PricedModel;
}

/** The components for one task, from the checkpoints that were named. */
export function partsFor(
  options: LoopOptions,
  memory: TaskMemory,
  runKey: string,
  models: LoopModels = {},
): LoopParts {
  const { describer, ruler, enhancedRuler } = models;
  return {
    describe: describer === undefined ? describerOf(options.describer) : modelDescriber(describer),
    rulers: [
      ...studentsOf(options.enhancedRuler, enhancedRuler),
      ...otherTeachers(options.ruler, ruler),
      ...(options.teacher ? [builtinTeacher(options.seed)] : []),
    ],
    memory,
    runKey,
  };
}

/** The built-in describer, perhaps restricted by training. */
function describerOf(checkpoint: Checkpoint): LoopParts['describe'] {
  if (checkpoint.kind !== 'trained') return (task) => Promise.resolve({ facts: describe(task), answers: [] });
  const trained = readCheckpoint(checkpoint.file, describerSchema, 'describer');
  return (task) => Promise.resolve({ facts: keptFacts(trained, describe(task)), answers: [] });
}

/** Rulers in addition to the built-in teacher, which stays active. */
function otherTeachers(checkpoint: Checkpoint, model: PricedModel | undefined): Ruler[] {
  if (model !== undefined) return [modelRuler(model, 'teacher')];
  if (checkpoint.kind !== 'trained') return [];
  return [studentRuler(readCheckpoint(checkpoint.file, studentSchema, 'ruler'), 'teacher')];
}

function studentsOf(checkpoint: Checkpoint | null, model: PricedModel | undefined): Ruler[] {
  if (model !== undefined) return [modelRuler(model, 'student')];
  if (checkpoint === null) return [];
  const student =
    checkpoint.kind === 'trained'
      ? readCheckpoint(checkpoint.file, studentSchema, 'ruler')
      : untrainedStudent;
  return [studentRuler(student, 'student')];
}
