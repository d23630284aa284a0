import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addLoopOptions } from '../../../src/commands/options/arc-run.ts';
import { optionsOf, run } from '../../../src/app/arc/run.ts';
import type { LoopOptions } from '../../../src/arc/learning/loop-options.ts';
import { emptyMemory } from '../../../src/arc/learning/memory/bundle.ts';
import type { TaskTrace } from '../../../src/arc/learning/schemas.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { writeOutputs } from '../../../src/arc/loop/outputs.ts';
import { partsFor } from '../../../src/arc/loop/parts.ts';
import { ArcMemoryStore } from '../../../src/store/arc-memory/store.ts';
import { inventedTask } from '../../arc/invented.ts';
import { drafting, options, partsWith } from '../../arc/loop/scripted.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

/** Each test fails when its flag is ignored. */
const required = ['--batch-file', 'b.jsonl', '--out-jsonl', 'o.jsonl'];

function parsed(args: readonly string[]): Parameters<typeof run>[0] {
  return addLoopOptions(new Command('run')).parse(args, { from: 'user' }).opts();
}

function lines(file: string): Record<string, unknown>[] {
  const text = readFileSync(file, 'utf8').trim();
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as Record<string, unknown>);
}

const turned = [{ op: 'move', args: { motion: 'rotate90' } }];
const half = [{ op: 'filter', args: { colour: 3 } }];
const smallest = [
  { op: 'cut', args: { by: 'object' } },
  { op: 'pick', args: { by: '-cells' } },
  { op: 'crop', args: {} },
];

const asModel = { kind: 'model', name: 'anthropic:m' };

describe('a flag of the loop sets its option, and no other', () => {
  it.each([
    ['--loop-iters', '3', { iters: 3 }],
    ['--iters', '4', { iters: 4 }],
    ['--candidate-k', '5', { candidateK: 5 }],
    ['--K-drafts', '6', { candidateK: 6 }],
    ['--edit-k', '7', { editK: 7 }],
    ['--edit-top-m', '2', { editTopM: 2 }],
    ['--max-nodes', '99', { maxNodes: 99 }],
    ['--seed', '9', { seed: 9 }],
    ['--describer-checkpoint', 'anthropic:m', { describer: asModel }],
    ['--ruler-checkpoint', 'anthropic:m', { ruler: asModel }],
    ['--enhanced-ruler-checkpoint', 'anthropic:m', { enhancedRuler: asModel }],
    ['--memory-k', '1', { memory: { k: 1 } }],
    ['--memory-k-episodes', '1', { memory: { episodes: 1 } }],
    ['--memory-k-cases', '1', { memory: { cases: 1 } }],
    ['--memory-k-solved-examples', '1', { memory: { solvedExamples: 1 } }],
    ['--memory-k-repair-cases', '1', { memory: { repairCases: 1 } }],
    ['--memory-max-bytes', '1', { memory: { maxBytes: 1 } }],
  ])('%s %s', (flag, value, set: Readonly<Record<string, unknown>>) => {
    const usual = optionsOf(parsed(required));
    const wanted: Readonly<Record<string, unknown>> = {
      ...usual,
      ...set,
      memory: { ...usual.memory, ...(set['memory'] as object | undefined) },
    };
    expect(optionsOf(parsed([...required, flag, value]))).toEqual(wanted);
    expect(wanted).not.toEqual(usual);
  });
});

it('--teacher off leaves only the other rulers', () => {
  const student = [...required, '--enhanced-ruler-checkpoint', 'builtin'];
  const off = optionsOf(parsed([...student, '--teacher', 'off']));
  expect(off).toEqual({ ...optionsOf(parsed(student)), teacher: false });
  expect(partsFor(off, emptyMemory, 'key').rulers.map(({ source }) => source)).toEqual(['student']);
});

describe('an option of the loop', () => {
  const roles = inventedTask('roles');
  const trace = async (more: Partial<LoopOptions>): Promise<TaskTrace> =>
    await runTask(roles, { ...options, ...more }, partsWith(drafting(turned, half, smallest)));

  it('iters: the number of iterations', async () => {
    expect((await trace({ iters: 1 })).iterations).toHaveLength(1);
    expect((await trace({ iters: 2, maxNodes: 2000 })).iterations).toHaveLength(2);
  });

  it('candidateK: the number of drafts that are kept', async () => {
    for (const candidateK of [1, 2])
      expect((await trace({ iters: 1, candidateK })).iterations[0]?.candidates).toHaveLength(candidateK);
  });

  it('editK and editTopM: the number of edits and of seeds', async () => {
    for (const [editK, editTopM] of [
      [1, 1],
      [3, 2],
    ] as const) {
      const second = (await trace({ iters: 2, editK, editTopM, maxNodes: 4000 })).iterations[1];
      expect(second?.seeds).toHaveLength(editTopM);
      expect(second?.candidates).toHaveLength(editK);
    }
  });

  it('describer: the known facts', async () => {
    const file = path.join(temporaryFolder(), 'describer.json');
    writeFileSync(file, JSON.stringify({ kind: 'arc-describer', version: 1, kinds: ['period'], card: {} }));
    const args = [...required, '--describer-checkpoint', file, '--max-nodes', '100'];
    const told = optionsOf(parsed(args));
    const { fact_features } = await runTask(roles, told, partsFor(told, emptyMemory, 'key'));
    expect(fact_features.length).toBeGreaterThan(0);
    for (const word of fact_features) expect(word).toMatch(/period/);
  });
});

describe('a flag of datasets', () => {
  const made = Promise.all([
    runTask(
      inventedTask('panels-and'),
      { ...options, iters: 2, editK: 8, maxNodes: 3000 },
      partsWith(drafting(turned, half, smallest, [{ op: 'move', args: { motion: 'flip-top-bottom' } }])),
    ),
    runTask(inventedTask('largest'), options, partsWith(drafting(smallest, turned))),
  ]);

  async function rowsOf(name: string, ...more: string[]): Promise<number> {
    const folder = temporaryFolder();
    const [open, solved] = await made;
    const traces = [open, solved];
    const rows = path.join(folder, 'rows.jsonl');
    writeOutputs({ entries: [], rows: [], traces, seed: 0, runKey: 'key' }, { rows, folder });
    const log = ['--log-file', path.join(folder, 'log')];
    await run(parsed([...required, '--out-dir', folder, ...log, ...more]));
    return lines(path.join(folder, `${name}.jsonl`)).length;
  }
  const sweep = ['critic_directive_prefs', '--critic-directive-sweep'] as const;

  it('--failed-only leaves out solved tasks', async () => {
    const all = await rowsOf('critic_ranking_pairs', '--critic-build-ranking-ds');
    const failed = await rowsOf('critic_ranking_pairs', '--critic-build-ranking-ds', '--failed-only');
    expect(failed).toBeGreaterThan(0);
    expect(all).toBeGreaterThan(failed);
    expect(await rowsOf('critic_blame_locus', '--critic-build-blame-ds')).toBeGreaterThan(0);
  });

  it('--M-seeds, --J-edits and --delta-threshold say what counts as a preference', async () => {
    const all = await rowsOf(...sweep);
    expect(await rowsOf(...sweep, '--M-seeds', '1')).toBeLessThan(all);
    expect(await rowsOf(...sweep, '--J-edits', '1')).toBe(0);
    expect(await rowsOf(...sweep, '--J-edits', '2')).toBeLessThan(all);
    expect(await rowsOf(...sweep, '--delta-threshold', '1')).toBe(0);
  });
});

async function runIn(folder: string, batch: readonly string[], ...more: string[]): Promise<unknown[]> {
  const at = (name: string): string => path.join(folder, name);
  writeFileSync(at('batch.jsonl'), batch.map((line) => `${line}\n`).join(''));
  const files = ['--batch-file', at('batch.jsonl'), '--out-jsonl', at('rows.jsonl')];
  const places = ['--ledger', at('ledger.db'), '--log-file', at('log')];
  await run(parsed([...files, ...places, '--workers', '1', ...more]));
  return lines(at('rows.jsonl'));
}
const malformed = ['a', 'b', 'c'].map((id) => JSON.stringify({ id, train: 3 }));

async function logged(level: string): Promise<string> {
  const folder = temporaryFolder();
  await runIn(folder, malformed, '--log-level', level);
  return readFileSync(path.join(folder, 'log'), 'utf8');
}

/** One input with two outputs: no draft solves that, so there are edits. */
const [input, first, second] = [[[1, 2]], [[1, 1]], [[3, 4]]];
const contradiction = JSON.stringify({
  id: 'contradiction',
  train: [
    { input, output: first },
    { input, output: second },
  ],
  test: [{ input }],
});

async function runWithMemory(folder: string, ...more: string[]): Promise<void> {
  const before = process.env['ARC_V3_MEMORY_DIR'];
  process.env['ARC_V3_MEMORY_DIR'] = path.join(folder, 'memory');
  try {
    const loop = ['--iters', '2', '--K-drafts', '4', '--edit-k', '2', '--max-nodes', '6000'];
    await runIn(folder, [contradiction], ...loop, ...more);
  } finally {
    if (before === undefined) delete process.env['ARC_V3_MEMORY_DIR'];
    else process.env['ARC_V3_MEMORY_DIR'] = before;
  }
}

describe('a flag of the run', () => {
  it('--max-tasks takes the first, --fail-fast ends at the first that fails', async () => {
    expect(await runIn(temporaryFolder(), malformed)).toHaveLength(3);
    expect(await runIn(temporaryFolder(), malformed, '--max-tasks', '2')).toHaveLength(2);
    expect(await runIn(temporaryFolder(), malformed, '--fail-fast')).toHaveLength(1);
  });

  it('--log-file and --log-level say where and how much is logged', async () => {
    expect(await logged('error')).toContain('task failed');
    expect(await logged('silent')).toBe('');
  });

  it('--resume searches no finished task again', async () => {
    const folder = temporaryFolder();
    const searched = async (...more: string[]): Promise<number> => {
      await runIn(folder, [contradiction], '--max-nodes', '300', '--log-level', 'info', ...more);
      return readFileSync(path.join(folder, 'log'), 'utf8').split('"msg":"goal-closed"').length - 1;
    };
    expect(await searched()).toBe(1);
    expect(await searched('--resume')).toBe(1);
  });

  it('each file has its own rows, and --train-namespace its own memory', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    const out = ['--metrics-json', at('metrics'), '--trace-jsonl', at('traces'), '--out-dir', at('batch')];
    const buffers = ['--critic-buffer-jsonl', at('critic'), '--ruler-student-buffer-jsonl', at('student')];
    const more = [...out, ...buffers, '--critic-batch-run', '--train-namespace', 'apart'];
    await runWithMemory(folder, ...more);
    for (const [name, schema] of [
      ['metrics', 'arc-metrics-2'],
      ['traces', 'arc-trace-2'],
      ['critic', 'arc-critic-buffer-2'],
      ['student', 'arc-student-buffer-2'],
      ['batch/index.jsonl', 'arc-index-1'],
    ] as const)
      expect(lines(at(name))[0]).toMatchObject({ schema });
    using apart = new ArcMemoryStore(at('memory'), 'apart');
    expect(apart.counts()).toMatchObject({ episodes: 1 });
    expect(apart.cases().length).toBeGreaterThan(0);
    using usual = new ArcMemoryStore(at('memory'), 'default');
    expect(usual.counts()).toMatchObject({ episodes: 0 });
  });

  it('--delta-threshold says which gains become cases', async () => {
    const folder = temporaryFolder();
    await runWithMemory(folder, '--delta-threshold', '1');
    using store = new ArcMemoryStore(path.join(folder, 'memory'), 'default');
    expect(store.counts()).toMatchObject({ episodes: 1, cases: 0 });
  });
});
