import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/helpers/longest-first.ts';

/** The first tier: everything, in smaller slices where a whole one takes long. Two files at a time: two cores. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/**/*.long.test.ts'],
    globalSetup: 'test/helpers/global-setup.ts',
    setupFiles: 'test/helpers/no-leftovers.ts',
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
