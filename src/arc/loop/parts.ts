import { UserError } from '../../core/errors.ts';
import { criticFrom } from '../critic/score.ts';
import { describe } from '../facts/describe.ts';
import type { RulerBundle } from '../memory/bundle.ts';
import { builtinTeacher } from '../rulers/builtin.ts';
import type { Ruler } from '../rulers/ruler.ts';
import type { LoopParts } from './loop.ts';
import type { LoopOptions } from './options.ts';

/** Who does what for one task, from the checkpoints that were named. */
export function partsFor(options: LoopOptions, memory: RulerBundle, runKey: string): LoopParts {
  return {
    describe: (task) => Promise.resolve(describe(task)),
    teacher: teacherFrom(options.ruler),
    student: null,
    critic: criticFrom(options.critic ?? undefined),
    memory,
    runKey,
  };
}

function teacherFrom(checkpoint: string): Ruler {
  if (checkpoint === 'builtin') return builtinTeacher();
  throw new UserError('ARC_CHECKPOINT_UNKNOWN', `there is no ruler ${checkpoint}`, 'Known: builtin.');
}
