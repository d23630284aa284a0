import { defineConfig, type OxlintOverride } from 'oxlint';

/**
 * Which rooms of src/ a room may import from (always also itself). Imports run one way:
 * core ← config, store, io, models, retrieval ← remote ← lean | arc (never each other) ← app ← server, reporters, commands.
 */
const mayImport: Record<string, string[]> = {
  shared: [],
  kernel: [],
  core: ['shared'],
  config: ['core', 'shared'],
  io: ['core', 'config', 'shared'],
  store: ['core', 'io', 'shared'],
  models: ['core', 'io', 'shared'],
  retrieval: ['core', 'store', 'models', 'shared'],
  remote: ['core', 'store', 'shared'],
  lean: ['core', 'config', 'store', 'io', 'kernel', 'models', 'retrieval', 'remote', 'shared'],
  arc: ['core', 'config', 'store', 'io', 'models', 'retrieval', 'shared'],
  reporters: ['core', 'shared'],
};
const rooms = [...Object.keys(mayImport), 'library', 'server', 'commands'];

/** The page runs in a browser: of src/ it may see the shared types only. */
const webRoom: OxlintOverride = {
  files: ['web/**/*.{ts,tsx}'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [
              ...rooms.filter((room) => room !== 'shared').map((room) => `**/src/${room}/**`),
              '**/src/*.ts',
              '**/{test,bench,docs}/**',
              'node:*',
            ],
            message: 'web may import only from: web, src/shared, preact, uplot (docs/ARCHITECTURE.md).',
          },
        ],
      },
    ],
  },
};

const oneWay = Object.entries(mayImport).map(([room, allowed]): OxlintOverride => ({
  files: [`src/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            group: [
              ...rooms
                .filter((other) => other !== room && !allowed.includes(other))
                .map((other) => `**/../${other}/**`),
              '**/app/*.ts',
              '**/cli.ts',
            ],
            message: `src/${room} may import only from: ${[room, ...allowed].join(', ')} (docs/ARCHITECTURE.md).`,
          },
        ],
      },
    ],
  },
}));

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'vitest'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  ignorePatterns: ['dist', 'node_modules'],
  rules: {
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-cycle': 'error',
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
    { files: ['bench/**', 'docs/**', 'test/**', 'bin/**'], rules: { 'no-console': 'off' } },
    webRoom,
    ...oneWay,
  ],
});
