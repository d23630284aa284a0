import { mergeConfig } from 'vitest/config';
import all from './vitest.config.ts';

/** What needs neither Lean nor a browser nor a database server: an answer within a minute. `npm test` runs everything. */
const quick = mergeConfig(all, {
  test: {
    include: ['core', 'config', 'kernel', 'reporters', 'shared', 'lint', 'io'].map(
      (part) => `test/${part}/**/*.test.ts`,
    ),
  },
});
// both would be joined with those of the whole suite
quick.test.include = quick.test.include.filter((pattern: string) => pattern !== 'test/**/*.test.ts');
quick.test.globalSetup = [];
export default quick;
