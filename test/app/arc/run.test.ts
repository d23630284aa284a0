import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addLoopOptions } from '../../../src/commands/options/arc-run.ts';
import { run, runAgain } from '../../../src/app/arc/run.ts';
import { settingsFrom } from '../../../src/app/settings.ts';
import type { UnfinishedRun } from '../../../src/store/ledger/experience.ts';
import { withFreeFileLock } from '../../../src/io/file-lock.ts';
import { gridToRows } from '../../../src/arc/grid/grid.ts';
import { inventedTask } from '../../arc/invented.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

/** Every flag with its option and value; other settings keep the run short. */
const flags: readonly (readonly [string, string | null, string, unknown])[] = [
  ['--describer-checkpoint', 'openai:http://x#y', 'describerCheckpoint', 'openai:http://x#y'],
  ['--ruler-checkpoint', 'anthropic:m', 'rulerCheckpoint', 'anthropic:m'],
  ['--enhanced-ruler-checkpoint', 'student.json', 'enhancedRulerCheckpoint', 'student.json'],
  ['--critic-checkpoint', 'critic.json', 'criticCheckpoint', 'critic.json'],
  ['--loop-iters', '3', 'loopIters', 3],
  ['--iters', '4', 'iters', 4],
  ['--candidate-k', '5', 'candidateK', 5],
  ['--K-drafts', '6', 'KDrafts', 6],
  ['--edit-k', '7', 'editK', 7],
  ['--edit-top-m', '2', 'editTopM', 2],
  ['--memory-k', '1', 'memoryK', 1],
  ['--memory-k-episodes', '2', 'memoryKEpisodes', 2],
  ['--memory-k-cases', '3', 'memoryKCases', 3],
  ['--memory-k-solved-examples', '0', 'memoryKSolvedExamples', 0],
  ['--memory-k-repair-cases', '5', 'memoryKRepairCases', 5],
  ['--memory-max-bytes', '100', 'memoryMaxBytes', 100],
  ['--train-namespace', 'train', 'trainNamespace', 'train'],
  ['--metrics-json', 'm.json', 'metricsJson', 'm.json'],
  ['--trace-jsonl', 't.jsonl', 'traceJsonl', 't.jsonl'],
  ['--critic-buffer-jsonl', 'c.jsonl', 'criticBufferJsonl', 'c.jsonl'],
  ['--ruler-student-buffer-jsonl', 's.jsonl', 'rulerStudentBufferJsonl', 's.jsonl'],
  ['--out-dir', 'd', 'outDir', 'd'],
  ['--critic-batch-run', null, 'criticBatchRun', true],
  ['--critic-build-ranking-ds', null, 'criticBuildRankingDs', true],
  ['--critic-directive-sweep', null, 'criticDirectiveSweep', true],
  ['--critic-build-blame-ds', null, 'criticBuildBlameDs', true],
  ['--failed-only', null, 'failedOnly', true],
  ['--M-seeds', '3', 'MSeeds', 3],
  ['--J-edits', '5', 'JEdits', 5],
  ['--delta-threshold', '0.5', 'deltaThreshold', 0.5],
  ['--max-tasks', '1', 'maxTasks', 1],
  ['--fail-fast', null, 'failFast', true],
  ['--seed', '9', 'seed', 9],
  ['--log-level', 'debug', 'logLevel', 'debug'],
  ['--log-file', 'l.log', 'logFile', 'l.log'],
  ['--max-nodes', '1000', 'maxNodes', 1000],
  ['--workers', '2', 'workers', 2],
  ['--resume', null, 'resume', true],
  ['--teacher', 'off', 'teacher', 'off'],
  ['--ledger', 'l.db', 'ledger', 'l.db'],
  ['--reporter', 'json', 'reporter', 'json'],
];

const required = ['--batch-file', 'b.jsonl', '--out-jsonl', 'o.jsonl'];

function parsed(args: readonly string[]): Parameters<typeof run>[0] {
  const command = addLoopOptions(new Command('run'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: 'user' }).opts();
}

describe('orch arc run', () => {
  it.each(flags)('%s is listed in --help and parsed', (flag, value, name, expected) => {
    expect(addLoopOptions(new Command('run')).helpInformation()).toContain(flag);
    expect(parsed([...required, flag, ...(value === null ? [] : [value])])).toHaveProperty(name, expected);
  });

  it('makes one pass by default, and refuses a value that is not a number', () => {
    expect(parsed(required)).toMatchObject({ loopIters: 1, candidateK: 1, editK: 0, editTopM: 1, seed: 0 });
    expect(parsed(required)).toMatchObject({
      memoryK: 4,
      memoryKCases: 8,
      memoryMaxBytes: 65_536,
      MSeeds: 2,
    });
    for (const bad of [
      ['--edit-k', '-1'],
      ['--loop-iters', '0'],
      ['--seed', 'x'],
      ['--delta-threshold', '-1'],
    ])
      expect(() => parsed([...required, ...bad])).toThrow(/expected a (whole )?number/);
    expect(() => parsed([])).toThrow(/batch-file/);
  });

  it('runs a batch, then builds datasets from its folder without searching', async () => {
    const folder = temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    const { id, train, test } = inventedTask('largest');
    const rows = {
      id,
      train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
      test: test.map((input) => ({ input: gridToRows(input) })),
    };
    writeFileSync(at('batch.jsonl'), `${JSON.stringify(rows)}\n`);
    const base = [
      '--batch-file',
      at('batch.jsonl'),
      '--out-jsonl',
      at('rows.jsonl'),
      '--log-file',
      at('log'),
      '--ledger',
      at('ledger.db'),
    ];
    const looped = [
      '--iters',
      '2',
      '--K-drafts',
      '8',
      '--edit-k',
      '4',
      '--max-nodes',
      '1000',
      '--workers',
      '1',
    ];
    const folders = ['--critic-batch-run', '--out-dir', at('batch')];
    await run(parsed([...base, ...looped, ...folders]));
    const first = readFileSync(at('rows.jsonl'), 'utf8');
    expect(JSON.parse(first)).toMatchObject({ schema: 'arc-row-2', task_id: 'largest' });
    writeFileSync(at('batch.jsonl'), 'datasets do not read it');
    const sets = ['--critic-build-ranking-ds', '--critic-build-blame-ds', '--critic-directive-sweep'];
    await run(parsed([...base, ...sets, '--out-dir', at('batch')]));
    expect(readFileSync(at('rows.jsonl'), 'utf8')).toBe(first);
    for (const name of ['critic_ranking_pairs', 'critic_blame_locus', 'critic_directive_prefs'])
      expect(readFileSync(at(`batch/${name}.jsonl`), 'utf8')).toMatch(/^(?:\{.*\}\n)*$/);
    expect(readFileSync(at('batch/critic_blame_locus.jsonl'), 'utf8')).toContain('"step_idx":');
    const trained = [...base, '--critic-checkpoint', at('critic.json')];
    await expect(run(parsed(trained))).rejects.toMatchObject({ code: 'ARC_NO_TRAINED_CRITIC' });
    await expect(run(parsed([...base, ...sets]))).rejects.toMatchObject({ code: 'ARC_OUT_DIR_MISSING' });
    mkdirSync(at('empty'));
    const empty = [...base, ...sets, '--out-dir', at('empty')];
    await expect(run(parsed(empty))).rejects.toMatchObject({ code: 'ARC_TRACES_MISSING' });
  });

  it('refuses a run without any proposer', async () => {
    const out = path.join(temporaryFolder(), 'rows.jsonl');
    const silent = parsed(['--batch-file', 'none', '--out-jsonl', out, '--teacher', 'off']);
    await expect(run(silent)).rejects.toMatchObject({ code: 'ARC_NO_RULER' });
  });

  it.each([
    ['--out-jsonl', '/elsewhere/rows.jsonl'],
    ['--metrics-json', '../metrics.json'],
    ['--ruler-checkpoint', 'cmd:rm -r .'],
  ])('does not resume from a ledger with %s %s', async (flag, value) => {
    const options = { ...parsed([...required, flag, value]) };
    const resumed = runAgain({ options } as unknown as UnfinishedRun, settingsFrom(), undefined);
    await expect(resumed).rejects.toMatchObject({ code: 'resume-elsewhere' });
  });

  it('refuses to start while another run writes the same file', async () => {
    const folder = temporaryFolder();
    const out = path.join(folder, 'rows.jsonl');
    await withFreeFileLock(`${out}.lock`, async () => {
      const second = run(parsed(['--batch-file', 'none', '--out-jsonl', out]));
      await expect(second).rejects.toMatchObject({ code: 'ARC_RUN_BUSY' });
    });
  });
});
