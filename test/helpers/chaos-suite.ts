import { describe, expect, test } from 'vitest';
import { chaos, median } from './chaos.ts';

/** Sends requests through two workers that are badly treated: the first tier takes a slice, the second one all. */
export function describeChaos(count: number, seed: number): void {
  describe(`${count.toLocaleString('en')} requests through two workers that are badly treated`, () => {
    test(
      'each gets exactly one answer of the right kind, and memory stays flat',
      { timeout: 3_600_000 },
      async () => {
        const { sent, right, wrong, residentBytes } = await chaos(count, seed);
        expect(wrong).toEqual([]);
        expect(right).toBe(sent);
        const part = Math.floor(residentBytes.length / 3);
        expect(median(residentBytes.slice(-part))).toBeLessThan(1.25 * median(residentBytes.slice(0, part)));
      },
    );
  });
}
