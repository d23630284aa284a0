import * as z from 'zod';
import { UserError } from '../core/errors.ts';
import type { LabRow } from '../core/lab/record.ts';
import { readText } from '../io/text-file.ts';

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
      const row = Row.safeParse(parsed(line)).data;
      if (row) return row;
      throw new UserError(
        'bad-record',
        `${file}:${index + 1} is not a line of a record`,
        'orch lab record writes them.',
      );
    });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
