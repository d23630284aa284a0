import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ledgerOf } from '../../../src/app/ledger.ts';
import { solveTasks, type Solving } from '../../../src/app/arc/solve-tasks.ts';
import { loadSettings } from '../../../src/config/load.ts';
import { replayDecisions } from '../../../src/core/scheduler/replay.ts';
import type { RunEvent } from '../../../src/shared/events.ts';
import { invented } from '../../arc/invented.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

function solving(more: Partial<Solving> = {}): Solving {
  const out = temporaryFolder();
  const flags = { ledger: join(out, 'ledger.db') };
  const settings = loadSettings({ folder: out, environment: {}, flags });
  return {
    settings,
    source: 'invented',
    maxNodes: 5000,
    workers: 1,
    resume: false,
    out,
    ...more,
  };
}

function rows({ out }: Solving): string {
  return readFileSync(join(out, 'rows.jsonl'), 'utf8');
}

describe('ARC tasks as goals', () => {
  it('writes the same bytes with one worker, with two, and after an interruption and resume', async () => {
    const events: RunEvent[] = [];
    const one = solving({ listen: (event) => events.push(event) });
    const result = await solveTasks(invented, one);
    expect(result.complete).toBe(true);
    expect(result.metrics.finished).toBe(invented.length);
    expect(replayDecisions(events).differences).toEqual([]);
    const solved = events.filter((event) => event.type === 'goal-closed' && event.solved);
    expect(solved).toHaveLength(result.rows.filter(({ fits }) => fits).length);

    const abort = new AbortController();
    const cut = solving({ workers: 2, signal: abort.signal });
    const first = await solveTasks(invented, cut, (_, finished) => {
      if (finished === 2) abort.abort();
    });
    expect(first.complete).toBe(false);
    const again: number[] = [];
    const rest = { ...cut, resume: true, signal: new AbortController().signal };
    const second = await solveTasks(invented, rest, ({ index }) => again.push(index));
    expect(rows(cut)).toBe(rows(one));
    expect(again.length + first.metrics.finished).toBe(invented.length);
    expect(second.metrics.recovered).toBe(first.metrics.finished);

    // why and the page read the same ledger
    await using ledger = await ledgerOf(one.settings, { readOnly: true });
    const [run] = await ledger.views.runs(1);
    expect(run).toMatchObject({ command: 'arc solve', goals_total: invented.length, reason: 'done' });
    const goal = await ledger.views.goal(run?.run ?? '', invented[0]?.id ?? '');
    expect(goal).toMatchObject({ topic: 'arc', status: 'solved' });
    expect(goal?.attempt_rows).toMatchObject([{ strategy: 'teach', arm: 'teach/fast', outcome: 'solved' }]);
    expect(JSON.parse(goal?.statement ?? '')).toHaveProperty('train');
  });

  it('writes a submission with every task; other limits start a new run', async () => {
    const out = temporaryFolder();
    const options = solving({ submission: join(out, 'submission.json'), maxNodes: 1000, workers: 2 });
    await solveTasks(invented, options);
    const written = JSON.parse(readFileSync(join(out, 'submission.json'), 'utf8')) as Record<
      string,
      unknown[]
    >;
    expect(Object.keys(written)).toEqual(invented.map(({ id }) => id));
    const other = await solveTasks(invented.slice(0, 1), { ...options, resume: true });
    expect(other.metrics.recovered).toBe(0);
  });

  it('counts a task whose search crashes as unsolved, and reports its name', async () => {
    const out = temporaryFolder();
    const options = solving({ submission: join(out, 'submission.json'), maxNodes: 1000 });
    const [whole] = invented;
    if (whole === undefined) throw new Error('no invented tasks');
    const torn = { ...whole, id: 'torn', test: whole.test.map((grid) => ({ ...grid, width: 0.5 })) };
    const { rows: searched, metrics, complete } = await solveTasks([torn, whole], options);
    expect(searched.map(({ task_id }) => task_id)).toEqual([whole.id]);
    expect(complete).toBe(false);
    expect(metrics).toMatchObject({ finished: 1, broken: ['torn'], tasks: 2, tasks_solved: { pass_2: 1 } });
    const written = JSON.parse(readFileSync(join(out, 'submission.json'), 'utf8')) as object;
    expect(Object.keys(written)).toEqual([whole.id, 'torn']);
  });
});
