import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Plan } from '../../src/lean/strategies/sketch/plan.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import type { Reply } from '../models/wire.ts';
import { eventsOf, full, rows } from './goal-files.ts';

/** A goal in a run's JSON output. */
interface ToldGoal {
  readonly type: string;
  readonly id: string;
  readonly solved: boolean;
  readonly proof: string | null;
  readonly arm: string | null;
  readonly assurance: string | null;
  readonly cpu_seconds: number;
}

export interface PlannedRun {
  readonly code: number | null;
  readonly stderr: string;
  readonly goals: readonly ToldGoal[];
  readonly events: readonly RunEvent[];
}

/** A plan in the format of a service; missing fields are empty. */
export function planned(plan: Partial<Plan>): Reply {
  return { say: JSON.stringify({ opening: '', steps: [], finish: [], lemmas: [], risk: 'none', ...plan }) };
}

/** `orch run` on these rows in its own folder, with a model. */
export async function runWithModel(
  cwd: string,
  goals: readonly object[],
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<PlannedRun> {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(path.join(cwd, 'goals.jsonl'), rows(...goals));
  const args = ['run', 'goals.jsonl', '--reporter', 'json', '--seed', '1', ...full, ...options];
  const { code, stdout, stderr } = await orch(args, { cwd, env });
  const told = (jsonLines(stdout) as ToldGoal[]).filter(({ type }) => type === 'goal');
  return { code, stderr, goals: told, events: await eventsOf(cwd) };
}
