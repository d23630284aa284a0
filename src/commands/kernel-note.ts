import type { Verdict } from '../core/verdict.ts';

/** Whose kernel judged, where that was not the caller's choice or has bugs that nothing closes. */
export function kernelNote(verdicts: readonly Verdict[]): string {
  const [first] = verdicts;
  if (!first) return '';
  const { toolchain, advisories } = first;
  const chosen = toolchain.endsWith('-lake')
    ? `  judged by ${toolchain}: the project's lean-toolchain chose this Lean; ORCH_LEAN=embedded uses ours\n`
    : '';
  if (advisories.length === 0) return chosen;
  return `${chosen}  open kernel advisories of ${toolchain}: ${advisories.join(', ')} (docs/kernel-advisories.md)\n`;
}
