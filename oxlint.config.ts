import { defineConfig } from 'oxlint';

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  jsPlugins: ['./lint/one-way.ts', './lint/one-result.ts'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  // examples/library imports the package; the test of the tarball compiles it
  ignorePatterns: ['dist', 'node_modules', 'examples/library'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-cycle': 'error',
    'modules/one-way': 'error',
    'results/one-result': 'error',
    'no-await-in-loop': 'off',
    'promise/always-return': 'off',
    'oxc/no-map-spread': 'off',
    'import/no-named-as-default-member': 'off', // fc.assert reads better than assert
    'typescript/consistent-return': 'off', // the compiler checks it, and knows exhaustive switches
    'no-underscore-dangle': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    // a helper asserts in afterEach, fast-check asserts by itself, and properties have cases
    'vitest/expect-expect': 'off',
    'vitest/no-standalone-expect': 'off',
    'vitest/no-conditional-expect': 'off',
    eqeqeq: 'error',
    'no-console': 'error',
  },
  overrides: [
    { files: ['bench/**', 'docs/**', 'test/**', 'bin/**', 'lint/**'], rules: { 'no-console': 'off' } },
    { files: ['src/**'], rules: { 'max-params': ['error', { max: 5 }] } },
    // its bytes name the cached Lean runtime: any change makes every machine build it again
    { files: ['src/lean/toolchain/embedded/redirect.ts'], rules: { 'max-params': 'off' } },
    {
      files: ['web/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          { patterns: [{ group: ['node:*'], message: 'The dashboard runs in a browser.' }] },
        ],
      },
    },
  ],
});
