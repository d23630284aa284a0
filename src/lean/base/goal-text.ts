import type { Goal } from './protocol.ts';

/** Formats a goal like Lean's info view: neighbouring hypotheses of one type share a line. */
export function goalText(goal: Goal): string {
  const lines: string[] = [];
  if (goal.case !== undefined) lines.push(`case ${goal.case}`);
  let names: string[] = [];
  for (const [index, { name, type, value }] of goal.hypotheses.entries()) {
    names.push(name);
    const next = goal.hypotheses[index + 1];
    if (next?.type === type && next.value === undefined && value === undefined) continue;
    lines.push(`${names.join(' ')} : ${type}${value === undefined ? '' : ` := ${value}`}`);
    names = [];
  }
  lines.push(`⊢ ${goal.target}`);
  return lines.join('\n');
}
