import os from 'node:os';
import path from 'node:path';
import * as z from 'zod';

/**
 * Every setting: its type, its default, its description. Help, docs and the file's schema come from here. A setting `a_b`
 * is written `a_b = …` in orch.toml, ORCH_A_B in .env and the environment, and `--a-b` where a command takes it.
 */
export const Settings = z.strictObject({
  lean: z
    .string()
    .optional()
    .describe('Path of a `lean` program to use instead of the one that orch would choose, or "embedded"'),
  cache_dir: z
    .string()
    .default(() => path.join(process.env['XDG_CACHE_HOME'] || path.join(os.homedir(), '.cache'), 'orch'))
    .describe('Folder of the embedded Lean; it can be deleted at any time'),
  ledger: z
    .string()
    .default('.orch/ledger.db')
    .describe('File of the ledger: what every run, goal, attempt and proof left behind'),
  data: z.string().optional().describe('Folder with problem sets that are not part of the repository'),
  num_procs: z.coerce
    .number()
    .int()
    .min(1)
    .default(() => Math.max(1, Math.min(8, Math.floor(os.availableParallelism() / 2))))
    .describe('How many Lean workers run at the same time'),
});

export type Settings = Readonly<z.infer<typeof Settings>>;
export type SettingName = keyof Settings;

/** Environment variables that carry another name than ORCH_ and the setting in capitals. */
export const environmentAliases: Readonly<Record<string, SettingName>> = { NUM_PROCS: 'num_procs' };
