import { describe as describeTask } from '../../../src/arc/grid/facts/describe.ts';
import type { LoopParts } from '../../../src/arc/loop/loop.ts';
import type { LoopOptions } from '../../../src/arc/learning/loop-options.ts';
import { emptyMemory } from '../../../src/arc/learning/memory/bundle.ts';
import { builtinTeacher } from '../../../src/arc/learning/rulers/builtin.ts';
import type { Ruler } from '../../../src/arc/learning/rulers/ruler.ts';

export const options: LoopOptions = {
  iters: 3,
  candidateK: 4,
  editK: 4,
  editTopM: 2,
  maxNodes: 60_000,
  teacher: true,
  seed: 0,
  describer: { kind: 'builtin' },
  ruler: { kind: 'builtin' },
  enhancedRuler: null,
  memory: { k: 4, episodes: 4, cases: 8, solvedExamples: 4, repairCases: 4, maxBytes: 65_536 },
};

/** The built-in teacher with these values as drafts, as from a careless ruler. */
export function drafting(...values: unknown[]): Ruler {
  return {
    ...builtinTeacher(),
    draft: () =>
      Promise.resolve({
        drafts: values.map((value) => ({ value, by: 'script', held: 0, parent_id: null, directive: null })),
        nodes: 10,
      }),
  };
}

export function partsWith(...rulers: Ruler[]): LoopParts {
  return {
    describe: (task) => Promise.resolve({ facts: describeTask(task), answers: [] }),
    rulers,
    memory: emptyMemory,
    runKey: 'key',
  };
}
