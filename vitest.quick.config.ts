import { defineConfig } from 'vitest/config';
import all from './vitest.config.ts';

const { projects: _, ...common } = all.test ?? {};

/**
 * Tests that need neither Lean nor a browser nor a database server: an answer within a minute. `npm test` runs
 * everything.
 */
export default defineConfig({
  test: {
    ...common,
    include: ['core', 'config', 'kernel', 'reporters', 'shared', 'lint', 'io'].map(
      (part) => `test/${part}/**/*.test.ts`,
    ),
    isolate: false,
  },
});
