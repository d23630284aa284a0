import { describe, expect, test } from 'vitest';
import { asTyped } from '../../src/core/invocation.ts';

describe('a hint with a command', () => {
  test.each([
    { started: 'by itself', environment: {}, typed: 'orch why t' },
    { started: 'by npx', environment: { npm_lifecycle_event: 'npx' }, typed: 'npx orch why t' },
    {
      started: 'by npm run orch',
      environment: { npm_lifecycle_event: 'orch', npm_package_name: 'orch' },
      typed: 'npm run orch -- why t',
    },
    {
      started: 'by npm start',
      environment: { npm_lifecycle_event: 'start', npm_package_name: 'orch' },
      typed: 'npx orch why t',
    },
    {
      started: "by another package's script of that name",
      environment: { npm_lifecycle_event: 'orch', npm_package_name: 'sums' },
      typed: 'npx orch why t',
    },
  ])('names commands as they can be typed when orch was started $started', ({ environment, typed }) => {
    expect(asTyped('orch why t', environment)).toBe(typed);
  });

  test.each(['a folder of orch', 'npm run orch -- why', '/home/orch why', 'orch: broken', 'torch why'])(
    'is unchanged if it names no command: %s',
    (text) => {
      expect(asTyped(text, { npm_lifecycle_event: 'npx' })).toBe(text);
    },
  );
});
