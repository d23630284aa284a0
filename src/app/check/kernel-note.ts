import type { Verdict } from '../../lean/gate/verdict.ts';

/** Open bugs of the judge's kernel. */
export function kernelNote(verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  if (!first) return '';
  const { toolchain, advisories } = first;
  if (advisories.length === 0) return '';
  return `  open kernel advisories of ${toolchain}: ${advisories.join(', ')} (docs/kernel-advisories.md)\n`;
}
