import type { RunEvent } from '../shared/events.ts';
import { paletteFor, type Palette } from './colour.ts';
import { RunRecord } from './record.ts';
import type { Facts, Output, Reporter, Streams } from './reporter.ts';
import { armTable, failures, goalLine, summaryLine } from './summary.ts';
import { oneLine } from './width.ts';

/** Where lines are for a file or another program: enough for a proof of some steps. */
const columnsOfPlain = 160;
/** The others are in the results and in the ledger. */
const mostFailuresShown = 40;

/** One line a closed goal on stderr, the summary on stdout. */
export function plainReporter(streams: Streams, { environment }: Facts): Reporter {
  const record = new RunRecord();
  const palette = paletteFor(streams.stderr, environment);
  const talk = (text: string): void => void streams.stderr.write(text);
  return {
    name: 'plain',
    event(event: RunEvent) {
      record.apply(event);
      if (event.type === 'goal-closed' && record.goals.has(event.goal))
        talk(`${goalLine(event, columnsOfPlain, palette)}\n`);
      if (event.type === 'note') talk(`${noteLine(event, palette)}\n`);
      if (event.type === 'run-finished') printEnd(record, streams, columnsOfPlain, palette);
    },
    talk,
    close: () => undefined,
  };
}

export function noteLine(
  { level, text }: { readonly level: 'info' | 'warning' | 'error'; readonly text: string },
  { bad, strong }: Palette,
): string {
  const told = `orch: ${oneLine(text)}`;
  return { info: told, warning: strong(told), error: bad(told) }[level];
}

/** Failures first, newest first; then what each arm did; the summary last, on stdout. */
export function printEnd(
  record: RunRecord,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
  columns: number,
  palette: Palette,
): void {
  const unsolved = failures(record);
  const lines = [
    ...(unsolved.length === 0 ? [] : [palette.strong(`Not solved (${unsolved.length}):`)]),
    ...unsolved.slice(0, mostFailuresShown).map((goal) => goalLine(goal, columns, palette)),
    ...(unsolved.length > mostFailuresShown ? [`…and ${unsolved.length - mostFailuresShown} more`] : []),
    ...armTable(record, columns, palette),
  ];
  stderr.write(lines.map((line) => `${line}\n`).join(''));
  stdout.write(`${summaryLine(record)}\n`);
}
