import path from 'node:path';
import { settingsFrom } from './settings.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { writeWhole } from '../io/whole-file.ts';
import type { GoalsRead } from '../lean/goals/goal.ts';
import { isEndOf } from '../store/ledger/find-goal.ts';
import { settingFlags } from '../config/flags.ts';
import { readText } from '../io/text-file.ts';
import type { RunOptions } from './run.ts';
import { ProofsInPlace } from '../lean/writing/proofs-in-place.ts';
import { putProofs, type ProofsOut } from './proofs-out.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { goalsOfFiles } from '../lean/blueprint/file-goals.ts';
import { exitCodeOf, prove, remoteOptions } from './reported-run.ts';

export interface ProveFilesOptions extends RunOptions, ProofsOut {
  readonly write?: true;
  readonly timeout?: number;
  readonly strict?: true;
  /** Only this goal: its name, the end of its name, or FILE:LINE. */
  readonly goal?: string;
}

/** The common part of `run` and `prove`: the goals of files, and where their proofs go. */
export async function proveFiles(
  command: 'run' | 'prove',
  files: readonly string[],
  options: ProveFilesOptions,
): Promise<ExitCode> {
  refuseContradictions(files, options);
  const { diff, write, out, goal, reporter, strict = false } = options;
  const inPlace = write ? new ProofsInPlace({ withGiven: true }) : undefined;
  let isAllPlaced = true;
  const finished = await prove({
    settings: settingsFrom(settingFlags({ ...options })),
    reporter,
    choice: {
      command,
      label: options.label,
      sources: files,
      seed: options.seed,
      timeout: options.timeout ?? null,
      ...remoteOptions(options.workers),
    },
    workers: options.workers,
    image: imageOfFiles(files),
    goals: async (lean) => {
      const all = await goalsOfFiles(files, lean, { strict });
      const read = goal === undefined ? all : chosen(all, goal);
      return inPlace?.first(read) ?? read;
    },
    ...(inPlace && { more: inPlace.more }),
    ...(diff && { reportsOn: { stdout: process.stderr, stderr: process.stderr } }),
    afterwards: async ({ proved, given = [] }, lean) => {
      if (inPlace) {
        isAllPlaced = inPlace.isAllPlaced;
        if (diff) process.stdout.write(inPlace.patch);
        // --out is for one file
        if (out !== undefined) writeWhole(out, readText(files[0] ?? ''));
      } else if (diff || out !== undefined)
        isAllPlaced = await putProofs([...proved, ...given.filter((one) => one.goal.place)], lean, options);
      else if (reporter !== 'json' && [...proved, ...given].some(({ goal: { place } }) => place))
        process.stderr.write('→ --write writes the proofs into the files, --diff prints a patch\n');
    },
  });
  return isAllPlaced ? exitCodeOf(finished, inPlace?.again) : ExitCode.notAll;
}

/** The goals that a name or line refers to; a line may have several. */
function chosen({ goals, unreadable, warnings }: GoalsRead, wanted: string): GoalsRead {
  const [, file, line] = /^(.+):(\d+)$/.exec(wanted) ?? [];
  const isThere = (source: string | null, end?: number): boolean => {
    const [, other, first] = /^(.+):(\d+)$/.exec(source ?? '') ?? [];
    if (file === undefined || other === undefined || path.resolve(file) !== path.resolve(other)) return false;
    return Number(first) <= Number(line) && Number(line) <= (end ?? Number(first));
  };
  const isNamed = (id: string): boolean => id === wanted || isEndOf(wanted, id);
  const found = {
    goals: goals.filter(({ id, source, place }) => isNamed(id) || isThere(source, place?.end[0])),
    unreadable: unreadable.filter(({ id, source }) => isNamed(id) || isThere(source)),
    warnings,
  };
  if (found.goals.length + found.unreadable.length > 0) return found;
  throw new UserError(
    'no-such-goal',
    `there is no goal ${wanted} in these files`,
    'orch goals lists them, each with its name and FILE:LINE.',
  );
}

/** Reported before any work starts. */
function refuseContradictions(
  files: readonly string[],
  { diff, write, out, reporter }: ProveFilesOptions,
): void {
  const lean = files.filter((file) => file.endsWith('.lean')).length;
  if ((diff || write) && lean === 0)
    throw new UserError('no-place', 'rows have no file to write a proof into', 'Use --out solved.lean.');
  if (diff && reporter === 'json')
    throw new UserError(
      'two-outputs',
      '--diff and --reporter json both write to stdout',
      'Choose one of them.',
    );
  if (out !== undefined && lean > 0 && files.length > 1)
    throw new UserError('several-files', '--out is for one Lean file, or for rows', 'Use --write or --diff.');
}
