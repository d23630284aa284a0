import type { Palette } from '../colour.ts';
import type { RunSoFar } from '../record.ts';
import { armTable, duration, goalLine, percent } from '../summary.ts';
import { cut, fit, oneLine } from '../width.ts';

export interface FrameSize {
  readonly columns: number;
  readonly rows: number;
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const spinnerMs = 125;
/** Shorter steps need no spinner. */
const patienceMs = 500;
const mostSolvedShown = 4;
const leastColumns = 40;

/**
 * The window's lines: always progress, CPU and queue; then, space permitting, workers, last proofs and arms.
 */
export function frame(record: RunSoFar, now: number, size: FrameSize, palette: Palette): string[] {
  // leave the last column free: terminals disagree about the cursor after a full line
  const columns = size.columns - 1;
  const head = [
    progressLine(record, now, columns, palette),
    cpuLine(record, columns, palette),
    queueLine(record, columns),
  ];
  // minimum useful width of a table
  let left = size.columns < leastColumns ? 0 : Math.max(0, size.rows - 1 - head.length);
  const take = (lines: readonly string[]): string[] => {
    const taken = lines.slice(0, left);
    left -= taken.length;
    return taken;
  };
  const workers = take(workerLines(record, now, columns, palette));
  const solved = take(
    record
      .newest(true)
      .slice(0, mostSolvedShown)
      .map((goal) => goalLine(goal, columns, palette)),
  );
  const table = armTable(record, columns, palette);
  return [...head.slice(0, Math.max(1, size.rows - 1)), ...workers, ...take(table), ...solved];
}

function progressLine(
  { goals, solved, started, closedOrder }: RunSoFar,
  now: number,
  columns: number,
  palette: Palette,
): string {
  const unsolved = closedOrder.size - solved;
  const timeout = started?.config.timeout ?? null;
  const elapsed = started === undefined ? 0 : (now - started.at) / 1000;
  const facts = [
    `${solved}/${goals.size} solved`,
    ...(unsolved > 0 ? [`${unsolved} not`] : []),
    timeout === null ? `${duration(elapsed)} so far` : `${duration(timeout - elapsed)} left`,
  ].join(' · ');
  const title = `${spin(now)} ${oneLine(started?.command ?? 'orch')}`;
  return withBar({ title, facts, filled: share(solved, goals.size) }, columns, palette);
}

function cpuLine({ sample, started }: RunSoFar, columns: number, palette: Palette): string {
  if (sample === undefined) return cut('  CPU', columns);
  const { utilisation, cpu_target, others, resident_bytes } = sample;
  const facts = [
    `${percent(utilisation)} of ${started?.config.cores ?? '?'} cores (target ${percent(cpu_target)})`,
    ...(others >= 0.01 ? [`others ${percent(others)}`] : []),
    `${(resident_bytes / 1e9).toFixed(1)} GB`,
  ].join(' · ');
  return withBar({ title: '  CPU', facts, filled: utilisation, mark: cpu_target }, columns, palette);
}

function queueLine({ goals }: RunSoFar, columns: number): string {
  const waiting = { easy: 0, medium: 0, hard: 0 };
  let racing = 0;
  let parked = 0;
  for (const { state, label } of goals.values()) {
    if (state === 'queued') waiting[label]++;
    else if (state === 'racing') racing++;
    else if (state === 'parked') parked++;
  }
  const { easy, medium, hard } = waiting;
  const text = `  queue  easy ${easy} · medium ${medium} · hard ${hard} · racing ${racing}${parked > 0 ? ` · parked ${parked}` : ''}`;
  return cut(text, columns);
}

/** The current work of each worker from the last sample, with the age of the attempt; before the first sample, the attempts. */
function workerLines(
  { sample, running }: RunSoFar,
  now: number,
  columns: number,
  { dim }: Palette,
): string[] {
  const attempts = [...running.values()];
  const busy: readonly { goal: string | null; arm: string | null }[] = sample?.workers ?? attempts;
  const armWidth = Math.min(18, Math.floor(columns / 3));
  return busy.map(({ goal, arm }, index) => {
    const attempt =
      attempts.find((one) => one.goal === goal && one.arm === arm) ??
      attempts.find((one) => one.goal === goal);
    if (goal === null || attempt === undefined) return dim(cut(`  ${index + 1}  idle`, columns));
    const took = Math.max(0, now - attempt.at);
    const name = fit(oneLine(goal), Math.max(1, columns - armWidth - 15));
    const place = String(index + 1).padEnd(2);
    const text = `${took < patienceMs ? ' ' : spin(now)} ${place} ${name} ${fit(oneLine(arm ?? attempt.arm), armWidth)} ${fit(duration(took / 1000), 8, 'right')}`;
    return cut(text, columns);
  });
}

/** A title, a bar that fills the available width (with a mark at the target), and figures. */
function withBar(
  { title, facts, filled, mark }: { title: string; facts: string; filled: number; mark?: number },
  columns: number,
  { good, dim }: Palette,
): string {
  const titleWidth = 9;
  const room = Math.min(30, columns - titleWidth - facts.length - 2);
  if (room < 4) return cut(`${title}  ${facts}`, columns);
  const full = Math.round(Math.min(1, filled) * room);
  const markAt = mark === undefined ? -1 : Math.min(room - 1, Math.round(mark * room));
  const cells = Array.from({ length: room }, (_, index) => {
    if (index === markAt) return '│';
    return index < full ? '█' : '░';
  }).join('');
  const bar = good(cells.slice(0, full)) + dim(cells.slice(full));
  return `${fit(title, titleWidth)}${bar}  ${facts}`;
}

function spin(now: number): string {
  return spinner[Math.floor(now / spinnerMs) % spinner.length] ?? '';
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
