import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { makeFolders } from '../core/folders.ts';
import type { GoalClosed } from '../shared/events.ts';
import { goalJson } from './json.ts';
import { byStrategy, type ArmFigures, type GoalRecord, type RunSoFar } from './record.ts';

const Used = z.object({
  /** Goals that it was tried on, and goals whose proof it found. */
  used: z.int().min(0),
  succeeded: z.int().min(0),
  attempts: z.int().min(0),
  cpu_seconds: z.number(),
});

const GoalResult = z.object({
  id: z.string(),
  solved: z.boolean(),
  /** Files from before refutations have none. */
  refuted: z.string().nullable().default(null),
  proof: z.string().nullable(),
  assurance: z.string().nullable(),
  strategy: z.string().nullable(),
  arm: z.string().nullable(),
  attempts: z.int().min(0),
  cpu_seconds: z.number(),
  axioms: z.array(z.string()),
  assumes: z.array(z.string()),
  reason: z.string(),
  label: z.enum(['easy', 'medium', 'hard']),
  topic: z.string().nullable(),
  difficulty: z.number(),
});

/** The results file of a run: `bank-YYYYMMDD-HHMMSS.json`. */
export const Results = z.object({
  /** UTC, `YYYYMMDD-HHMMSS`, when the run began. */
  timestamp: z.string(),
  goals_total: z.int().min(0),
  /** Goals on which at least one attempt ended, or that were closed without one. */
  goals_processed: z.int().min(0),
  goals_solved: z.int().min(0),
  strategies: z.record(z.string(), Used),
  arms: z.record(z.string(), Used),
  config: z.looseObject({
    timeout: z.number().nullable(),
    max_heavy: z.number(),
    max_light: z.number(),
    cpu_target: z.number(),
    profile: z.number(),
  }),
  command: z.string(),
  run: z.string(),
  /** How it ended. */
  reason: z.enum(['done', 'timeout', 'drained', 'failed']),
  toolchain: z.string(),
  seed: z.number(),
  version: z.string(),
  /** These five exclude the runs that it continued. */
  cpu_seconds: z.number(),
  lean_cpu_seconds: z.number(),
  host_cpu_seconds: z.number(),
  wall_seconds: z.number(),
  utilisation: z.number(),
  goals: z.array(GoalResult),
});
export type Results = z.infer<typeof Results>;
export type GoalResult = z.infer<typeof GoalResult>;

/** The results of a finished run; undefined if its first or last events are missing. */
export function resultsOf(record: RunSoFar): Results | undefined {
  const { started, finished, goals, arms } = record;
  if (started === undefined || finished === undefined) return undefined;
  const ends = [...[...goals.values()].flatMap(({ closed }) => closed ?? []), ...record.leftOpen()];
  const endOf = new Map(ends.map((end) => [end.goal, end]));
  const rows = [...goals].flatMap(([name, goal]) => {
    const end = endOf.get(name);
    return end === undefined ? [] : [rowOf(goal, end)];
  });
  return {
    timestamp: timestampOf(new Date(started.at)),
    goals_total: goals.size,
    goals_processed: rows.filter(({ id, attempts }) => attempts > 0 || goals.get(id)?.closed !== undefined)
      .length,
    goals_solved: record.solved,
    strategies: usedBy(byStrategy(arms.values())),
    arms: usedBy(arms),
    config: { ...started.config },
    command: started.command,
    run: started.run,
    reason: finished.reason,
    toolchain: started.toolchain,
    seed: started.seed,
    version: started.version,
    cpu_seconds: finished.cpu_seconds,
    lean_cpu_seconds: finished.lean_cpu_seconds,
    host_cpu_seconds: finished.host_cpu_seconds,
    wall_seconds: finished.wall_seconds,
    utilisation: finished.utilisation,
    goals: rows,
  };
}

/** Writes `FOLDER/KIND-TIMESTAMP.json` atomically, never replacing a file; returns its path. */
export function writeResults(folder: string, kind: string, results: Results): string {
  makeFolders(folder);
  const base = path.join(folder, `${kind}-${results.timestamp}`);
  let file = `${base}.json`;
  for (let again = 2; existsSync(file); again++) file = `${base}-${again}.json`;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(results, null, 2)}\n`, { flush: true });
  renameSync(temporary, file);
  return file;
}

/** `20250930-214500`, UTC. */
function timestampOf(date: Date): string {
  return date.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

function usedBy(arms: ReadonlyMap<string, ArmFigures>): Results['arms'] {
  return Object.fromEntries(
    [...arms].map(([name, { tried, solved, attempts, cpuSeconds }]) => [
      name,
      { used: tried.union(solved).size, succeeded: solved.size, attempts, cpu_seconds: cpuSeconds },
    ]),
  );
}

function rowOf({ added, label, difficulty }: GoalRecord, closed: GoalClosed): GoalResult {
  const { type: _, axioms, assumes, ...rest } = goalJson(closed);
  return { ...rest, axioms: [...axioms], assumes: [...assumes], label, topic: added.topic, difficulty };
}
