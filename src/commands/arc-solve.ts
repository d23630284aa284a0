import { mkdirSync, writeFileSync } from 'node:fs';
import type { Mode } from '../arc/propose/teacher.ts';
import { gallery } from '../arc/solve/gallery.ts';
import type { Entry } from '../arc/solve/journal.ts';
import { solveTasks } from '../arc/solve/run.ts';
import { loadTasks } from '../arc/tasks.ts';
import { ExitCode } from '../core/exit.ts';
import { arcReporter, type ReporterName } from './arc-report.ts';
import { locate } from './arc-tasks.ts';

export interface SolveOptions {
  readonly data?: string;
  readonly mode: Mode;
  readonly maxNodes?: number;
  readonly workers: number;
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
  const all = loadTasks(
    locate(name, options.data),
    options.solutions && locate(options.solutions, options.data),
  );
  const tasks = all.filter((_, i) => i % options.every === 0);
  mkdirSync(options.out, { recursive: true });
  const reporter = arcReporter(options.reporter ?? (process.stderr.isTTY ? 'live' : 'plain'), tasks.length);
  const abort = new AbortController();
  const interrupt = (): void => {
    if (abort.signal.aborted) process.exit(ExitCode.notAll);
    abort.abort();
    reporter.note('stopping after the tasks in hand; --resume goes on from here, Ctrl-C again stops at once');
  };
  process.on('SIGINT', interrupt);
  try {
    const result = await solveTasks(
      tasks,
      {
        mode: options.mode,
        maxNodes: options.maxNodes ?? Infinity,
        workers: options.workers,
        resume: options.resume,
        out: options.out,
        submission: options.submission,
        signal: abort.signal,
      },
      (entry: Entry, finished: number) => reporter.entry(entry, finished),
    );
    if (options.html !== undefined) writeFileSync(options.html, gallery(tasks, result));
    reporter.end(result, options.out);
    process.exitCode =
      result.complete && result.rows.every(({ fits }) => fits) ? ExitCode.done : ExitCode.notAll;
  } finally {
    process.off('SIGINT', interrupt);
  }
}
