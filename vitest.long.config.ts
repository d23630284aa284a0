import { defineConfig } from 'vitest/config';

/** The second tier: seeded, slower than the first tier's twelve minutes allow. */
export default defineConfig({
  test: { include: ['test/**/*.long.test.ts'], testTimeout: 3_600_000, hookTimeout: 600_000 },
});
