import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Files of the first tier that run a slice there (test/helpers/tier.ts). */
const sliced = globSync('test/**/*.test.ts').filter((file) =>
  /from '[./]+helpers\/tier\.ts'/.test(readFileSync(file, 'utf8')),
);

/** The second tier: what is seeded and takes too long for the first tier, and its sliced tables in full. One file at a time: each uses all cores. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts', ...sliced],
    globalSetup: 'test/helpers/global-setup.ts',
    setupFiles: 'test/helpers/no-leftovers.ts',
    env: { npm_lifecycle_event: '', TEST_TIER: 'long' },
    fileParallelism: false,
    // a test waits for what it asserts, however busy the machine is
    expect: { poll: { timeout: 300_000 } },
    testTimeout: 10_800_000,
    hookTimeout: 10_800_000,
  },
});
