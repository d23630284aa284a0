import { expect, test } from 'vitest';
import { newRunId } from '../../src/app/run.ts';

test('the id of a run begins with its time and ends with 64 random bits', () => {
  const ids = Array.from({ length: 1000 }, newRunId);
  for (const id of ids) expect(id).toMatch(/^\d{8}-\d{6}-[0-9a-f]{16}$/);
  expect(new Set(ids.map((id) => id.slice(-16))).size).toBe(1000);
});
