import { defineConfig } from 'vitest/config';

/** The second tier: seeded, slower than the first tier's twelve minutes allow. One file at a time: each uses all cores. */
export default defineConfig({
  test: {
    include: ['test/**/*.long.test.ts'],
    globalSetup: 'test/helpers/global-setup.ts',
    setupFiles: 'test/helpers/no-leftovers.ts',
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
  },
});
