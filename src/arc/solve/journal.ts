import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../core/errors.ts';
import type { Report } from './worker.ts';

/** One finished task in the journal: its row as it will be printed, and the time it took, which rows leave out. */
export type Entry = Report;

/**
 * The journal of a run: a head that names the run, then one line a finished task, appended as it ends. A kill loses the
 * tasks in hand and at most a torn last line, which is dropped when the journal is read.
 */
export class Journal {
  readonly #path: string;

  private constructor(path: string) {
    this.#path = path;
  }

  static begin(path: string, run: string): Journal {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ run })}\n`);
    return new Journal(path);
  }

  /** Takes up a journal of the same run; without one, begins anew. */
  static resume(path: string, run: string): { journal: Journal; entries: Entry[] } {
    if (!existsSync(path)) return { journal: Journal.begin(path, run), entries: [] };
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
    const head = parseLine(lines[0]) as { run?: string } | undefined;
    if (head?.run !== run)
      throw new UserError(
        'ARC_OTHER_RUN',
        `the journal ${path} belongs to another run (other tasks, mode or limits)`,
        'Run without --resume to begin anew, or name another folder with --out.',
      );
    const entries = lines
      .slice(1)
      .map(parseLine)
      .filter((entry): entry is Entry => entry !== undefined);
    // Rewriting drops a torn line, so that the next append starts on a line of its own.
    writeFileSync(path, [lines[0], ...entries.map((entry) => JSON.stringify(entry)), ''].join('\n'));
    return { journal: new Journal(path), entries };
  }

  append(entry: Entry): void {
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`);
  }
}

function parseLine(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? '');
  } catch {
    return undefined;
  }
}
