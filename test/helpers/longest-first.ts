import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take half a minute and more, the longest first: at the end nobody waits for one of them alone. */
const long = [
  'soundness/soundness.test.ts',
  'cage/embedded.test.ts',
  'lean/chaos.test.ts',
  'bench/bank.test.ts',
  'e2e/run.test.ts',
  'e2e/cli.test.ts',
  'project/build.test.ts',
  'lean/worker.test.ts',
  'micro/micro.test.ts',
  'lean/pool.test.ts',
  'lean/operations.test.ts',
  'web/reach.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((first, second) => place(first) - place(second));
  }
}

function place({ moduleId }: TestSpecification): number {
  const found = long.findIndex((name) => moduleId.endsWith(name));
  return found < 0 ? long.length : found;
}
