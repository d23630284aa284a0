import type { Entry } from '../arc/solve/journal.ts';
import type { RunResult } from '../arc/solve/run.ts';
import { unreachable } from '../core/errors.ts';

export type ReporterName = 'live' | 'plain' | 'json' | 'github';

export interface ArcReporter {
  entry(entry: Entry, finished: number): void;
  note(text: string): void;
  end(result: RunResult, out: string): void;
}

/** stdout is data, stderr is talk: json prints rows and a summary, the others print progress and a summary for people. */
export function arcReporter(name: ReporterName, total: number): ArcReporter {
  const line = (entry: Entry, finished: number): string =>
    `${String(finished).padStart(String(total).length)}/${total} ${entry.row.task_id} ${entry.row.fits ? 'fits' : 'no rule'} ${entry.seconds.toFixed(1)} s`;
  switch (name) {
    case 'json':
      return {
        entry: () => undefined,
        note: (text) => say(`${text}\n`),
        end: ({ rows, metrics }) => {
          for (const row of rows) process.stdout.write(`${JSON.stringify({ type: 'task', ...row })}\n`);
          process.stdout.write(`${JSON.stringify({ type: 'summary', ...metrics })}\n`);
        },
      };
    case 'live': {
      let painted = 0;
      return {
        entry: (entry, finished) => {
          // At most ten repaints a second, and always the last.
          if (Date.now() - painted < 100 && finished < total) return;
          painted = Date.now();
          say(`\r\u001b[2K${line(entry, finished)}`);
        },
        note: (text) => say(`\r\u001b[2K${text}\n`),
        end: (result, out) => say(`\r\u001b[2K${summary(result, out)}`),
      };
    }
    case 'github':
      return {
        entry: (entry, finished) => say(`${line(entry, finished)}\n`),
        note: (text) => say(`::warning::${text}\n`),
        end: (result, out) =>
          say(`::notice title=ARC::${summary(result, out).trim().replaceAll('\n', '%0A')}\n`),
      };
    case 'plain':
      return {
        entry: (entry, finished) => say(`${line(entry, finished)}\n`),
        note: (text) => say(`${text}\n`),
        end: (result, out) => say(summary(result, out)),
      };
    default:
      return unreachable(name);
  }
}

function say(text: string): void {
  process.stderr.write(text);
}

function summary({ metrics, complete }: RunResult, out: string): string {
  const m = metrics;
  const lines = [
    `${m.finished} tasks${m.recovered > 0 ? ` (${m.recovered} from the journal)` : ''}${complete ? '' : ', stopped early'}; rows and metrics in ${out}`,
    `time    median ${m.seconds_median.toFixed(2)} s, longest ${m.seconds_max.toFixed(2)} s (processor time: ${m.cpu_seconds_median.toFixed(2)} s and ${m.cpu_seconds_max.toFixed(2)} s); all ${m.wall_seconds.toFixed(0)} s; peak memory ${m.peak_rss_mb.toFixed(0)} MB; ${m.nodes} nodes`,
  ];
  if (m.tasks > 0)
    lines.push(
      `tasks   ${m.tasks_solved.pass_2} of ${m.tasks} solved (first attempt alone: ${m.tasks_solved.pass_1})`,
      `outputs ${m.outputs_right.pass_2} of ${m.outputs} right (first attempt alone: ${m.outputs_right.pass_1}); task mean ${(100 * m.task_mean.pass_2).toFixed(1)} %`,
      `fitted  ${m.fitted} tasks, ${m.fitted_solved} of them solved: precision ${m.precision === null ? 'unknown' : `${(100 * m.precision).toFixed(1)} %`}`,
    );
  return `${lines.join('\n')}\n`;
}
