import { describe, expect, test } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import { reporterFor } from '../../src/reporters/reporters.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import { widthOf } from '../../src/reporters/width.ts';
import {
  added,
  attemptBegun,
  begun,
  closed,
  event,
  finished,
  HandClock,
  Paper,
  sampled,
  smallRun,
  started,
} from './recorded.ts';
import { Screen } from './screen.ts';

const repaint = '\u001B[?2026h';

function terminal(columns = 80, rows = 24) {
  const clock = new HandClock();
  const stdout = new Paper();
  const stderr = Object.assign(new Paper(), { isTTY: true, columns, rows });
  const reporter = reporterFor(undefined, { stdout, stderr }, { clock, environment: {}, every: clock.every });
  return { clock, stdout, stderr, reporter };
}

function papers(isTTY: boolean) {
  return { stdout: new Paper(), stderr: Object.assign(new Paper(), { isTTY }) };
}

/** Sends events when their time has come, up to a second of the run. */
function play({ clock, reporter }: ReturnType<typeof terminal>, events: readonly RunEvent[]): void {
  for (const one of events) {
    clock.advance(Math.max(0, one.at - begun - clock.now()));
    reporter.event(one);
  }
}

/** The lines of a frame as a screen shows them. */
function frames(stderr: Paper): string[][] {
  return stderr.writes
    .filter((text) => text.startsWith(repaint))
    .map((text) => stripVTControlCharacters(text).replaceAll('\r', '').split('\n'));
}

describe('live', () => {
  test('is used only when a person is at a terminal', () => {
    const clock = new HandClock();
    const facts = (environment: Record<string, string>) => ({ clock, environment, every: clock.every });
    const watched = reporterFor(undefined, papers(true), facts({}));
    expect(watched.name).toBe('live');
    watched.close();
    expect(reporterFor(undefined, papers(false), facts({})).name).toBe('plain');
    expect(reporterFor('live', papers(false), facts({})).name).toBe('plain');
    expect(reporterFor(undefined, papers(true), facts({ TERM: 'dumb' })).name).toBe('plain');
    expect(reporterFor('json', papers(true), facts({})).name).toBe('json');
  });

  test('a run under half a second prints only its end', () => {
    const screen = terminal();
    // set-up takes as long as it takes
    screen.clock.advance(60_000);
    screen.reporter.event(started());
    screen.clock.advance(490);
    play(screen, [added('a'), closed('a', 0), finished(0)]);
    expect(frames(screen.stderr)).toEqual([]);
    expect(screen.stderr.text).not.toContain('\u001B[?25l');
    expect(screen.stdout.lines).toHaveLength(1);
  });

  test('shows workers, CPU and its target, progress, queue, arms, last proofs and the time left', () => {
    const screen = terminal(100, 30);
    const until = smallRun.filter(({ at }) => at <= begun + 9000);
    play(screen, [...until, attemptBegun('now', 'odd|one', 'micro/cases', 9)]);
    screen.reporter.event(
      sampled(9, [
        { pid: 1, resident_bytes: 6e8, goal: 'odd|one', arm: 'micro/cases' },
        { pid: 2, resident_bytes: 1, goal: null, arm: null },
      ]),
    );
    screen.clock.advance(2000);
    const lines = frames(screen.stderr).at(-1) ?? [];
    const text = lines.join('\n');
    expect(lines[0]).toMatch(/^. bank +█+░+ {2}2\/5 solved · 1 not · 1 min 49 s left$/);
    expect(lines[1]).toMatch(/CPU +█+│?░*│?░* {2}48 % of 2 cores \(target 50 %\) · others 10 % · 1\.2 GB$/);
    expect(lines[2]).toContain('easy 1 · medium 0 · hard 0 · racing 1');
    expect(lines[3]).toMatch(/^\S 1 +odd\|one +micro\/cases +2 s$/);
    expect(lines[4]).toMatch(/2 +idle/);
    expect(text).toMatch(/micro +4 +2 +1\.2 s\n {2}close +2 +1 +1\.6 s/);
    expect(text).toContain('by induction xs with | nil => rfl | cons x xs ih => simp [ih]');
    expect(text.indexOf('list_map')).toBeLessThan(text.indexOf('nat_add'));
    screen.reporter.close();
  });

  test.each([
    [40, 10],
    [41, 5],
    [57, 24],
    [80, 24],
    [200, 60],
    [20, 3],
    [12, 2],
  ])('fits %i columns and %i rows, wide characters too', (columns, rows) => {
    const screen = terminal(columns, rows);
    const wide = '証明'.repeat(60);
    play(screen, [
      started(),
      added(wide),
      ...smallRun.slice(1, -1).filter(({ type }) => type !== 'note'),
      closed(wide, 15, { proof: `by exact ${wide}`, arm: `micro/${wide}` }),
      sampled(
        16,
        Array.from({ length: 9 }, () => ({ pid: 1, resident_bytes: 1, goal: 'open_one', arm: wide })),
      ),
    ]);
    screen.reporter.event(attemptBegun('x', 'open_one', wide, 16));
    screen.clock.advance(1000);
    const painted = frames(screen.stderr);
    expect(painted.length).toBeGreaterThan(10);
    for (const lines of painted) {
      expect(lines.length).toBeLessThan(rows);
      for (const line of lines) expect(widthOf(line)).toBeLessThan(columns);
    }
    screen.reporter.close();
  });

  test('repaints at most ten times in any second, whatever happens', () => {
    const { clock, stderr, reporter } = terminal();
    const times: number[] = [];
    stderr.write = (text: string) => {
      if (text.startsWith(repaint)) times.push(clock.now());
      return true;
    };
    for (const one of smallRun.slice(0, -1)) reporter.event(one);
    for (let step = 0; step < 1000; step++) {
      clock.advance(5);
      reporter.event(sampled(step / 200));
      reporter.talk(`log ${step}\n`);
    }
    expect(times.length).toBeGreaterThan(20);
    for (const from of times)
      expect(times.filter((at) => at >= from && at < from + 1000).length).toBeLessThanOrEqual(10);
    reporter.close();
  });

  test('logs and notes scroll above, nothing is lost, and at the end the cursor is restored', () => {
    const { clock, stdout, stderr, reporter } = terminal(80, 20);
    const screen = new Screen(80);
    reporter.talk('before\n');
    for (const one of smallRun.slice(0, 8)) reporter.event(one);
    for (let second = 0; second < 5; second++) {
      clock.advance(1000);
      reporter.talk(`log ${second}\n`);
      reporter.event(event('note', second, { level: 'info', text: `note ${second}\u001B[2J` }));
    }
    for (const text of stderr.writes) screen.feed(text);
    expect(screen.cursorVisible).toBe(false);
    const seen = stderr.writes.length;
    reporter.close();
    for (const text of stderr.writes.slice(seen)) screen.feed(text);
    const told = [0, 1, 2, 3, 4].flatMap((second) => [
      `log ${second}`,
      String.raw`orch: note ${second}\u{1B}[2J`,
    ]);
    expect(screen.lines).toEqual(['before', ...told, '']);
    expect(screen.cursorVisible).toBe(true);
    reporter.close();
    reporter.talk('after\n');
    expect(stderr.writes.at(-1)).toBe('after\n');
    expect(stdout.text).toBe('');
  });

  test('ends with the unsolved goals, newest first, the arms, and one line on stdout', () => {
    const screen = terminal();
    play(screen, smallRun);
    const page = new Screen(80);
    for (const text of screen.stderr.writes) page.feed(text);
    expect(page.cursorVisible).toBe(true);
    const text = page.lines.join('\n');
    expect(text).toMatch(
      /Not solved \(3\):\n✗ odd\|one.*\n✗ hard_one.*\n✗ open_one.*not finished: the run timed out\n/,
    );
    expect(text).toMatch(/micro +5 +2 /);
    expect(screen.stdout.text).toBe(
      '2 of 5 solved in 142 s (timed out) · 131 CPU-s · 49 % of 2 cores (target 50 %) · Lean 4.28.0 (embedded) · seed 7\n',
    );
  });

  test('a narrowed terminal is cleared up to the top of the window', () => {
    const { clock, stderr, reporter } = terminal(100, 20);
    for (const one of smallRun.slice(0, 12)) reporter.event(one);
    clock.advance(1000);
    const lines = frames(stderr).at(-1) ?? [];
    stderr.columns = 50;
    const brokenInto = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / 50)), 0);
    expect(brokenInto).toBeGreaterThan(lines.length);
    clock.advance(200);
    expect(stderr.writes.at(-1)).toContain(`\r\u001B[${brokenInto - 1}A`);
    reporter.close();
  });
});
