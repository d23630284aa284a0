import { expect, test } from 'vitest';
import { selfTestReport } from '../../../src/app/self-test.ts';

test('the report shows each question, the expected and the actual answer', () => {
  const row = { name: 'a sorry', expected: 'rejected (sorry)', seconds: 0.1 };
  const report = selfTestReport(
    { lean: '4.28.0' },
    [{ name: 'disk', state: 'ok', detail: 'a|b' }],
    [
      { ...row, seen: 'rejected (sorry)', isFine: true },
      { ...row, seen: 'accepted (proved): two\n lines', isFine: false },
    ],
  );
  expect(report).toContain('1 of 2 as expected');
  expect(report).toContain('| ✗ | a sorry | rejected (sorry) | accepted (proved): two lines | 0.1 |');
  expect(report).toContain('| ok | disk | a\\|b |');
});
