import { describe, expect, test } from 'vitest';
import { chaos, median } from '../helpers/chaos.ts';

describe('10,000 requests through two workers that are badly treated', () => {
  test(
    'each is answered once with the right kind, and memory stays flat',
    { timeout: 3_600_000 },
    async () => {
      const { right, wrong, residentBytes } = await chaos(10_000, 4711);
      expect(wrong).toEqual([]);
      expect(right).toBe(10_000);
      const part = Math.floor(residentBytes.length / 3);
      expect(median(residentBytes.slice(-part))).toBeLessThan(1.25 * median(residentBytes.slice(0, part)));
    },
  );
});
