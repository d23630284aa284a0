import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { CostReporter } from './test/helpers/cost-reporter.ts';
import { LongestFirst } from './test/helpers/longest-first.ts';

/** Files of these folders leave nothing behind in their process, so one process runs many of them: a start costs half a second. */
const together = 'arc commands config core io kernel lint models reporters server shared'
  .split(' ')
  .map((folder) => `test/${folder}/**/*.test.ts`);
const long = 'test/**/*.long.test.ts';

/** The first tier: everything, in smaller slices where a whole one takes long. Two files at a time: two cores. */
export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'together', include: together, exclude: [long], isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [long, ...together],
          globalSetup: 'test/helpers/global-setup.ts',
        },
      },
    ],
    setupFiles: ['test/helpers/cost.ts', 'test/helpers/no-leftovers.ts'],
    reporters: ['default', new CostReporter()],
    sequence: { sequencer: LongestFirst },
    maxWorkers: 2,
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
