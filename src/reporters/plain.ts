import type { RunEvent } from '../shared/events.ts';
import { paletteFor, type Palette } from './colour.ts';
import { nextSteps } from './next-steps.ts';
import { RunSoFar } from './record.ts';
import type { ReporterFacts, Output, Reporter, Streams } from './reporter.ts';
import { armTable, failures, goalLine, summaryLine } from './summary.ts';
import { oneLine } from './width.ts';
import { harmless } from '../shared/for-people.ts';

/** Line width for files and pipes: enough for a proof of some steps. */
const columnsOfPlain = 160;
/** Number of failures listed; the others are in the results and the ledger. */
const mostFailuresShown = 40;

/** One line per closed goal on stderr, the summary on stdout. */
export function plainReporter(streams: Streams, { environment }: ReporterFacts): Reporter {
  const record = new RunSoFar();
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

/**
 * Failures first, newest first; then the results of each arm. Proofs and summary go to stdout; next steps come last, on stderr.
 */
export function printEnd(
  record: RunSoFar,
  { stdout, stderr }: { readonly stdout: Output; readonly stderr: Output },
  columns: number,
  palette: Palette,
): void {
  // after a user stops a run, print one line instead of one per goal
  const isStopped = record.finished?.reason === 'drained';
  const unsolved = isStopped ? record.newest(false) : failures(record);
  const lines = [
    ...(unsolved.length === 0 ? [] : [palette.strong(`Not solved (${unsolved.length}):`)]),
    ...unsolved.slice(0, mostFailuresShown).map((goal) => goalLine(goal, columns, palette)),
    ...(unsolved.length > mostFailuresShown ? [`…and ${unsolved.length - mostFailuresShown} more`] : []),
    ...armTable(record, columns, palette),
  ];
  stderr.write(inLines(lines));
  stdout.write(`${provedTexts(record)}${summaryLine(record)}\n`);
  stderr.write(inLines(nextSteps(record).map((step) => palette.dim(`→ ${step}`))));
}

function inLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Proofs found by `orch run`, as Lean text, each below its location. */
function provedTexts({ started, goals }: RunSoFar): string {
  if (started?.command !== 'run') return '';
  return [...goals.values()]
    .map(({ added, closed }) =>
      closed?.solved && closed.proof !== null
        ? `-- ${oneLine(added.source ?? '')}  ${oneLine(added.goal)}\n${harmless(`${added.statement} := ${closed.proof}`)}\n\n`
        : '',
    )
    .join('');
}
