import { defineConfig } from 'vitest/config';

/** The second tier: seeded, slower than the first tier's twelve minutes allow. One file at a time: each uses all cores. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    globalSetup: 'test/helpers/global-setup.ts',
    setupFiles: 'test/helpers/no-leftovers.ts',
    env: { npm_lifecycle_event: '' },
    fileParallelism: false,
    // a test waits for what it asserts, however busy the machine is
    expect: { poll: { timeout: 300_000 } },
    testTimeout: 10_800_000,
    hookTimeout: 10_800_000,
  },
});
