import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take at least ten seconds of CPU time, the longest first, so that none of them runs alone at the end. */
const long = [
  'soundness/soundness.test.ts',
  'docs/examples.test.ts',
  'e2e/run.test.ts',
  'project/build.test.ts',
  'e2e/cli.test.ts',
  'micro/relate.test.ts',
  'micro/micro.test.ts',
  'toolchain/worker.test.ts',
  'copilot/copilot.test.ts',
  'web/reach.test.ts',
  'lean/operations.test.ts',
  'workers/pool.test.ts',
  'commands/market.test.ts',
  'gate/gate.test.ts',
  'sketch/sketch.test.ts',
  'postgres/postgres.test.ts',
  'reprover/reprover.test.ts',
  'cage/embedded.test.ts',
  'lean/chaos.test.ts',
  'arc/solve-tasks.test.ts',
  'mcp/mcp.test.ts',
  'lean/plain.test.ts',
  'search/best-first.test.ts',
  'commands/arc.test.ts',
  'bench/bank.test.ts',
];

/** The projects of vitest.config.ts: what needs no Lean runs while Lean is built. A process is shared with the next file of its project only. */
const projects = ['light', 'shared', 'alone'];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((first, second) => place(first) - place(second));
  }
}

function place({ moduleId, project }: TestSpecification): number {
  const found = long.findIndex((name) => moduleId.endsWith(name));
  return projects.indexOf(project.name) * (long.length + 1) + (found < 0 ? long.length : found);
}
