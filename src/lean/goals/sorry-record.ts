import { failed, success, type Result } from '../../core/result.ts';
import * as z from 'zod';

/**
 * One record of SorryDB (github.com/SorryDB/SorryDB): the place of a `sorry` in a public repository. The file is called `file` or `path`, depending on the version; lines count from 1, columns from 0. The goal's text is only for display: Lean reads the file.
 */
const SorryRecord = z.object({
  id: z.string().min(1),
  repo: z.object({ remote: z.string(), commit: z.string().optional(), lean_version: z.string().optional() }),
  location: z
    .object({
      path: z.string().optional(),
      file: z.string().optional(),
      start_line: z.number().int().positive(),
      start_column: z.number().int().nonnegative().optional(),
    })
    .refine(({ path, file }) => path !== undefined || file !== undefined, { error: 'has no "path"' }),
  debug_info: z.object({ goal: z.string() }).optional(),
});
export type SorryRecord = z.infer<typeof SorryRecord>;

export function looksLikeSorryRecord(row: unknown): boolean {
  return typeof row === 'object' && row !== null && 'location' in row;
}

/** The record, or its error. */
export function parseSorryRecord(row: unknown): Result<SorryRecord> {
  const parsed = SorryRecord.safeParse(row);
  if (parsed.success) return success(parsed.data);
  const [issue] = parsed.error.issues;
  const message = `"${issue?.path.join('.') ?? ''}" ${issue?.message ?? 'is not readable'}`;
  return failed({ kind: 'sorry-record', message });
}

/** Possible locations of the file: below a folder, directly or in a folder named after its repository. */
export function placesOf({ repo, location }: SorryRecord): string[] {
  const file = location.path ?? location.file ?? '';
  const repository = repo.remote.replace(/\/+$|\.git$/g, '').split(/[/:]/);
  const name = repository.at(-1) ?? '';
  const owner = repository.at(-2) ?? '';
  // a record is untrusted: its path must not leave the folder
  return file.startsWith('/') || file.split(/[/\\]/).includes('..')
    ? []
    : [file, `${name}/${file}`, `${owner}/${name}/${file}`];
}
