import { mkdirSync, writeFileSync } from 'node:fs';
import { settingsFrom } from '../app.ts';
import type { Mode } from '../arc/propose/teacher.ts';
import { gallery } from '../arc/solve/gallery.ts';
import { loadTasks } from '../arc/tasks.ts';
import { systemClock } from '../core/clock.ts';
import { ExitCode } from '../core/exit.ts';
import { openLog } from '../io/log.ts';
import { reporterFor } from '../reporters/index.ts';
import { logEvents } from '../reporters/log.ts';
import type { ReporterName } from '../reporters/reporter.ts';
import { metricsText } from './arc-report.ts';
import { solveTasks } from './arc-solving.ts';
import { locate } from './arc-tasks.ts';
import { settingFlags } from './options.ts';

export interface SolveOptions {
  readonly data?: string;
  readonly mode: Mode;
  readonly maxNodes?: number;
  readonly workers?: number;
  readonly every: number;
  readonly solutions?: string;
  readonly submission?: string;
  readonly out: string;
  readonly html?: string;
  readonly resume: boolean;
  readonly reporter?: ReporterName;
}

/** Exit 0 when every task has a rule that fits its training pairs, 1 when not or when interrupted. */
export async function solve(name: string, options: SolveOptions): Promise<void> {
  const file = locate(name, options.data);
  const all = loadTasks(file, options.solutions && locate(options.solutions, options.data));
  const tasks = all.filter((_, i) => i % options.every === 0);
  mkdirSync(options.out, { recursive: true });
  const settings = settingsFrom(settingFlags({ ...options }));
  const reporter = reporterFor(options.reporter, process, { clock: systemClock, environment: process.env });
  const { log_level: level, log_file } = settings;
  const log = openLog({ level, file: log_file, talk: reporter.talk, environment: process.env });
  const write = logEvents(log, { notes: log_file !== undefined });
  const abort = new AbortController();
  const interrupt = (): void => {
    if (abort.signal.aborted) process.exit(ExitCode.notAll);
    abort.abort();
    reporter.talk(
      'orch: stopping after the tasks in hand (once more stops at once); --resume goes on from here\n',
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const result = await solveTasks(tasks, {
      ...options,
      settings,
      source: file,
      maxNodes: options.maxNodes ?? Infinity,
      signal: abort.signal,
      listen: (event) => {
        reporter.event(event);
        write(event);
      },
    });
    if (options.html !== undefined) writeFileSync(options.html, gallery(tasks, result));
    reporter.close();
    process.stderr.write(metricsText(result, options.out));
    process.exitCode =
      result.complete && result.rows.every(({ fits }) => fits) ? ExitCode.done : ExitCode.notAll;
  } finally {
    reporter.close();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}
