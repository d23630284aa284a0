import { describe } from '../grid/facts/describe.ts';
import type { TaskMemory } from '../learning/memory/bundle.ts';
import type { Ruler } from '../learning/rulers/ruler.ts';
import { builtinStudent, builtinTeacher } from '../learning/rulers/builtin.ts';
import { modelDescriber, modelRuler, type PricedModel } from '../learning/rulers/model.ts';
import type { LoopParts } from './loop.ts';
import type { LoopOptions } from '../learning/loop-options.ts';

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
    describe:
      describer === undefined
        ? (task) => Promise.resolve({ facts: describe(task), answers: [] })
        : modelDescriber(describer),
    rulers: [
      ...studentsOf(options, enhancedRuler),
      ...(ruler === undefined ? [] : [modelRuler(ruler, 'teacher')]),
      ...(options.teacher ? [builtinTeacher(options.seed)] : []),
    ],
    memory,
    runKey,
  };
}

function studentsOf({ enhancedRuler, seed }: LoopOptions, model: PricedModel | undefined): Ruler[] {
  if (model !== undefined) return [modelRuler(model, 'student')];
  return enhancedRuler === null ? [] : [builtinStudent(seed)];
}
