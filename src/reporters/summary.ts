import type { GoalClosed } from '../shared/events.ts';
import type { Palette } from './colour.ts';
import { byStrategy, type ArmFigures, type RunSoFar } from './record.ts';
import { plural } from '../shared/plural.ts';
import { cut, fit, oneLine, proofLine } from './width.ts';

/** The summary of a run, in lines. */

/** `118 of 120 solved in 142 s · 131 CPU-s · 49 % of 2 cores (target 50 %) · Lean 4.28.0 (embedded) · seed 1` */
export function summaryLine(record: RunSoFar): string {
  const { started, finished } = record;
  if (finished === undefined) return 'the run did not finish';
  const ended = {
    done: '',
    timeout: ' (timed out)',
    drained: ' (stopped)',
    failed: ` (failed${finished.message === null ? '' : `: ${oneLine(finished.message)}`})`,
  }[finished.reason];
  return [
    `${finished.goals_solved} of ${finished.goals_total} solved${refutedPart(record)} in ${seconds(finished.wall_seconds)}${ended}`,
    `${Math.round(finished.cpu_seconds)} CPU-s`,
    ...cachePart(record),
    ...(started === undefined
      ? []
      : [
          `${percent(finished.utilisation)} of ${started.config.cores} cores (target ${percent(started.config.cpu_target)})`,
          toolchainName(started.toolchain),
          `seed ${started.seed}`,
        ]),
  ].join(' · ');
}

function refutedPart(record: RunSoFar): string {
  const count = record.newest(false).filter(({ refuted }) => refuted !== null).length;
  return count === 0 ? '' : `, ${count} refuted`;
}

/** Accepted proofs that came from a cache; a run without caches says nothing. */
function cachePart(record: RunSoFar): string[] {
  const { proofs, attempts, hits } = record.cacheUse;
  if (hits === 0) return [];
  return [`caches: ${proofs} of ${plural(record.solved, 'proof')}, ${percent(hits / attempts)} of attempts`];
}

/** `lean-4.28.0-embedded` as readable text. */
function toolchainName(toolchain: string): string {
  return toolchain.replace(/^lean-(.+)-([a-z]+)$/, 'Lean $1 ($2)');
}

/** `✓ nat_add_comm  micro/close  0.4 CPU-s  by omega`, cut to the width. */
export function goalLine(goal: GoalClosed, columns: number, { good, bad, dim }: Palette): string {
  const mark = goal.solved ? good('✓') : bad('✗');
  const name = oneLine(goal.goal);
  const cost = `${cpu(goal.cpu_seconds)} CPU-s`;
  const facts = goal.arm === null ? cost : `${goal.arm}  ${cost}`;
  const why = goal.refuted === null ? goal.reason : `false; counterexample: ${goal.refuted}`;
  const told = goal.solved && goal.proof !== null ? proofLine(goal.proof) : oneLine(why);
  // the mark and a space, then as much as fits
  const text = cut(`${name}  ${facts}  ${told}`, columns - 2);
  const rest = text.slice(name.length);
  return `${mark} ${text.slice(0, name.length)}${goal.solved ? dim(rest) : rest}`;
}

/** Unsolved goals: closed ones newest first, then those that the run left open. */
export function failures(record: RunSoFar): GoalClosed[] {
  return [...record.newest(false), ...record.leftOpen()];
}

/** Attempts, solved goals and mean CPU of each strategy and, where it has several, of its arms. */
export function armTable(record: RunSoFar, columns: number, { dim, strong }: Palette): string[] {
  const nameWidth = Math.max(10, Math.min(26, columns - 27));
  const line = (name: string, attempts: string, solved: string, mean: string): string =>
    `${fit(name, nameWidth)}${fit(attempts, 9, 'right')}${fit(solved, 8, 'right')}${fit(mean, 10, 'right')}`;
  const row = (name: string, { attempts, solved, cpuSeconds }: ArmFigures): string =>
    line(
      name,
      String(attempts),
      String(solved.size),
      attempts === 0 ? '–' : `${cpu(cpuSeconds / attempts)} s`,
    );
  const lines = [dim(line('strategy', 'attempts', 'solved', 'mean CPU'))];
  for (const [name, total] of byStrategy(record.arms.values())) {
    lines.push(strong(row(name, total)));
    const arms = [...record.arms].filter(([arm, { strategy }]) => strategy === name && arm !== name);
    for (const [arm, one] of arms.sort(
      ([, a], [, b]) => b.solved.size - a.solved.size || b.attempts - a.attempts,
    ))
      lines.push(row(`  ${arm.startsWith(`${name}/`) ? arm.slice(name.length + 1) : arm}`, one));
  }
  return lines.length === 1 ? [] : lines;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function cpu(secondsUsed: number): string {
  return secondsUsed < 10 ? secondsUsed.toFixed(1) : String(Math.round(secondsUsed));
}

/** `42 s`, `3 min 05 s`, `2 h 07 min` */
export function duration(total: number): string {
  const whole = Math.max(0, Math.round(total));
  if (whole < 100) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

function seconds(total: number): string {
  return `${total < 10 ? total.toFixed(1) : Math.round(total)} s`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
