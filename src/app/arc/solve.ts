import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { settingsFrom } from '../settings.ts';
import { loadTasks } from '../../arc/grid/tasks.ts';
import type { Settings } from '../../config/schema.ts';
import { systemClock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { UnfinishedRun } from '../../store/ledger/experience.ts';
import { isInside } from '../../core/inside.ts';
import { ExitCode } from '../../core/exit.ts';
import { openLog } from '../../io/log.ts';
import { reporterFor } from '../../reporters/reporters.ts';
import { logEvents } from '../../reporters/log.ts';
import type { ReporterName } from '../../reporters/reporter.ts';
import { solveDefaults } from './solve-defaults.ts';
import { metricsText } from '../../arc/solve/metrics-text.ts';
import { solveTasks } from './solve-tasks.ts';
import { locate } from './tasks.ts';
import { settingFlags } from '../../config/flags.ts';

export interface SolveOptions {
  readonly data?: string;
  readonly maxNodes?: number;
  readonly workers?: number;
  readonly every: number;
  readonly solutions?: string;
  readonly submission?: string;
  readonly out: string;
  readonly resume: boolean;
  readonly reporter?: ReporterName;
}

/** Continue an interrupted run with its settings. */
export async function solveAgain(
  { sources, options }: UnfinishedRun,
  settings: Settings,
  reporter: ReporterName | undefined,
): Promise<ExitCode> {
  const told = { ...solveDefaults, ...options, ...(reporter && { reporter }), resume: true } as SolveOptions;
  // anyone who can write the ledger could have put them there
  for (const file of [told.out, told.submission])
    if (file !== undefined && !isInside(file, process.cwd()))
      throw new UserError(
        'resume-elsewhere',
        `the run wrote to ${file}, which is not in this folder, and a ledger must not choose folders`,
        `Continue it with: orch arc solve ${sources[0] ?? 'TASKS'} --resume --out ${told.out}`,
      );
  return await solveFiles(sources[0] ?? '', told, settings);
}

/** Exits with 0 if every task has a rule that fits its training pairs, else (or if interrupted) with 1. */
export async function solveFiles(
  name: string,
  options: SolveOptions,
  settings = settingsFrom(settingFlags({ ...options })),
): Promise<ExitCode> {
  const file = path.resolve(locate(name, options.data));
  const all = loadTasks(file, options.solutions && locate(options.solutions, options.data));
  const tasks = all.filter((_, i) => i % options.every === 0);
  makeFolders(options.out);
  const reporter = reporterFor(options.reporter, process, { clock: systemClock, environment: process.env });
  const { log_level: level, log_file } = settings;
  const log = openLog({ level, file: log_file, talk: reporter.talk, environment: process.env });
  const write = logEvents(log, { notes: log_file !== undefined });
  const abort = new AbortController();
  const interrupt = (): void => {
    if (abort.signal.aborted) process.exit(ExitCode.notAll);
    abort.abort();
    reporter.talk(
      'orch: stopping after the current tasks (Ctrl-C again stops at once); --resume continues from here\n',
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const result = await solveTasks(tasks, {
      ...options,
      settings,
      source: file,
      options: toldAgain(options),
      maxNodes: options.maxNodes ?? Infinity,
      signal: abort.signal,
      listen: (event) => {
        reporter.event(event);
        write(event);
      },
    });
    reporter.close();
    process.stderr.write(metricsText(result, options.out));
    return result.complete && result.rows.every(({ fits }) => fits) ? ExitCode.done : ExitCode.notAll;
  } finally {
    reporter.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** The flags that determine tasks, limits and files; the resuming command chooses its own reporter. */
function toldAgain(options: SolveOptions): Partial<SolveOptions> {
  const { data, maxNodes, workers, every, solutions, submission, out } = options;
  const all = { data, maxNodes, workers, every, solutions, submission, out };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
