import type { RunEvent } from '../../shared/events.ts';
import { paletteFor } from '../colour.ts';
import { noteLine, printEnd } from '../plain.ts';
import { RunSoFar } from '../record.ts';
import type { ReporterFacts, Reporter, Streams } from '../reporter.ts';
import { frame } from './frame.ts';
import { guardTerminal } from './terminal.ts';
import { BottomWindow } from './window.ts';

/** Eight repaints per second, so that bunched timers stay below ten. */
const tickMs = 125;
const leastMs = 100;
/** A shorter run shows no window. */
const patienceMs = 500;

/**
 * A calm terminal. Waiting (for the run, and half a second more; text goes straight through) → painting (a window at the bottom of stderr; text is
 * kept until the next repaint and scrolls above). Then closed (the window is gone, the cursor back; text goes straight through).
 */
export function liveReporter(
  streams: Streams,
  { clock, environment, every = everyInterval }: ReporterFacts,
): Reporter {
  const { stderr } = streams;
  const record = new RunSoFar();
  const palette = paletteFor(stderr, environment);
  const window = new BottomWindow(stderr);
  let runStarted = Infinity;
  let state: 'waiting' | 'painting' | 'closed' = 'waiting';
  let paintedAt = -Infinity;
  let above = '';
  let height = { lines: 0, columns: 0 };

  const flush = (): void => {
    window.remove();
    if (above !== '') stderr.write(above);
    above = '';
  };
  const tick = (): void => {
    const now = clock.now();
    if (state === 'waiting' && now - runStarted >= patienceMs) state = 'painting';
    if (state !== 'painting' || now - paintedAt < leastMs) return;
    paintedAt = now;
    const size = { columns: stderr.columns ?? 80, rows: stderr.rows ?? 24 };
    const lines = frame(record, clock.date().getTime(), size, palette);
    // the window only grows until the terminal changes: constant resizing is restless
    if (height.columns !== size.columns) height = { lines: 0, columns: size.columns };
    height.lines = Math.min(size.rows - 1, Math.max(height.lines, lines.length));
    while (lines.length < height.lines) lines.push('');
    window.paint(lines, above);
    above = '';
  };
  const talk = (text: string): void => {
    const lines = text.endsWith('\n') ? text : `${text}\n`;
    if (state === 'painting') above += lines;
    else stderr.write(lines);
  };
  const stopTicking = every(tickMs, tick);
  const unguard = guardTerminal(flush);
  const close = (): void => {
    if (state === 'closed') return;
    state = 'closed';
    stopTicking();
    unguard();
    flush();
  };
  return {
    name: 'live',
    event(event: RunEvent) {
      record.apply(event);
      // set-up comes first and has its own progress line
      if (event.type === 'run-started') runStarted = clock.now();
      if (event.type === 'note') talk(`${noteLine(event, palette)}\n`);
      if (event.type === 'run-finished') {
        close();
        printEnd(record, streams, (stderr.columns ?? 80) - 1, palette);
      }
    },
    talk,
    close,
  };
}

function everyInterval(milliseconds: number, callback: () => void): () => void {
  const timer = setInterval(callback, milliseconds).unref();
  return () => clearInterval(timer);
}
