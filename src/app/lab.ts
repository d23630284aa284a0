import { appendFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { LabRow } from '../core/lab/record.ts';
import { recordGoal } from '../core/lab/recorder.ts';
import { readText } from '../io/text-file.ts';
import { goalsOfFiles } from '../lean/blueprint/file-goals.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import type { LeanGoal } from '../lean/goals/goal.ts';
import { bankFile } from './bank.ts';
import { openArms } from './engine.ts';
import { openLean } from './lean.ts';
import { jsonOrNothing } from '../core/json.ts';

const Row: z.ZodType<LabRow> = z.object({
  goal: z.string(),
  source: z.string(),
  file: z.string(),
  context: z.string(),
  features: z.record(z.string(), z.number()),
  arms: z.array(
    z.object({ arm: z.string(), stage: z.number(), solved: z.boolean(), cpu_seconds: z.number() }),
  ),
});

/** The lines that `orch lab record` wrote. */
export function labRowsOf(file: string): LabRow[] {
  return readText(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => {
      const row = Row.safeParse(jsonOrNothing(line)).data;
      if (row) return row;
      throw new UserError(
        'bad-record',
        `${file}:${index + 1} is not a line of a record`,
        'orch lab record writes them.',
      );
    });
}

export interface LabChoice {
  readonly out: string;
  readonly cpu: number;
  readonly every: number;
  readonly seed: number;
  readonly reached?: true;
}

/** Runs every arm on every goal of a set, alone and to its limit, and appends a line per goal to the record. */
export async function recordSet(
  set: string,
  settings: Settings,
  { out, cpu, every, seed, reached }: LabChoice,
  tell: (text: string) => void,
): Promise<void> {
  const file = set === 'bank' ? bankFile : set;
  await using lean = await openLean(settings, { image: imageOfFiles([file]), slots: 1 });
  const { goals } = await goalsOfFiles([file], lean, { strict: false });
  const { freshDomain, strategies } = await openArms(settings, lean);
  const known = new Set(existsSync(out) ? labRowsOf(out).map(({ goal }) => goal) : []);
  const chosen = goals.filter(({ id }, index) => index % every === 0 && !known.has(id));
  const newParts = () => ({
    domain: freshDomain(),
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const source = path.basename(set, path.extname(set));
  for (const [index, goal] of chosen.entries()) {
    const choice = { cpuSeconds: cpu, seed, onlyReached: reached === true };
    const seen = await recordGoal(newParts, goal, goal.id, strategies, choice);
    const row = seen && { goal: goal.id, source, file: fileOf(goal), ...seen };
    if (row) appendFileSync(out, `${JSON.stringify(row)}\n`);
    tell(`${index + 1} of ${chosen.length}  ${goal.id}${row ? '' : ': it cannot be opened'}`);
  }
}

/**
 * The group of a goal: `lean4/do_eqv` for `lean4/do_eqv/z_add`; without a folder in its name, its topic or
 * file.
 */
function fileOf({ id, topic, source }: LeanGoal): string {
  const folder = path.posix.dirname(id);
  return folder === '.' ? (topic ?? source?.replace(/:\d+$/, '') ?? id) : folder;
}
