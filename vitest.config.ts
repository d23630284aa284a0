import os from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CostReporter } from './test/helpers/cost-reporter.ts';
import { LongestFirst } from './test/helpers/longest-first.ts';

/** Files of these folders need no Lean. They run first, while it is being built. */
const light = 'arc config core io kernel lint models reporters shared'
  .split(' ')
  .map((folder) => `test/${folder}/**/*.test.ts`);
/** Files whose process must be theirs alone: they count what it starts. */
const alone = ['test/lean/workers/pool.test.ts', 'test/lean/toolchain/worker.test.ts'];
const long = 'test/**/*.long.test.ts';

/** A file often waits for a process that it started, so one more runs than there are cores. Each may hold Leans of 3 GB together. */
const maxWorkers = Math.max(2, Math.min(os.availableParallelism() + 1, Math.floor(os.totalmem() / 4e9)));

/** The first tier: everything, in smaller slices where a whole one takes long. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'light', include: light, exclude: [long], isolate: false } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [long, ...light, ...alone],
          globalSetup: 'test/helpers/global-setup.ts',
          isolate: false,
          setupFiles: 'test/helpers/shared-process.ts',
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
    setupFiles: ['test/helpers/cost.ts', 'test/helpers/no-leftovers.ts'],
    reporters: ['default', new CostReporter()],
    sequence: { sequencer: LongestFirst },
    maxWorkers,
    // hundreds of `orch` processes are started: each finds its modules compiled
    env: {
      NODE_COMPILE_CACHE: path.join(import.meta.dirname, 'node_modules/.cache/compiled'),
      // hints name commands as a user without npm types them
      npm_lifecycle_event: '',
    },
    // it imports its schema without saying that it is JSON, which Node refuses
    server: { deps: { inline: ['@actions/workflow-parser'] } },
    // a test waits for what it asserts, however busy the machine is: hosts were seen to take three quarters of it away
    expect: { poll: { timeout: 300_000 } },
    testTimeout: 900_000,
    hookTimeout: 900_000,
  },
});
