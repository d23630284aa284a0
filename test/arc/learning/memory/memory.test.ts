import * as fc from 'fast-check';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../../../src/arc/grid/fingerprint.ts';
import { motions, moveGrid, recolourGrid } from '../../../../src/arc/grid/grid.ts';
import { runTask } from '../../../../src/arc/loop/loop.ts';
import { fillHoles, piecesOf } from '../../../../src/arc/learning/memory/fragments.ts';
import { recall, remember } from '../../../../src/arc/learning/memory/memory.ts';
import { builtinTeacher } from '../../../../src/arc/learning/rulers/builtin.ts';
import type { Program } from '../../../../src/arc/language/program.ts';
import type { TaskTrace } from '../../../../src/arc/learning/schemas.ts';
import type { Task } from '../../../../src/arc/grid/task.ts';
import { memoryExport, memoryImport, memoryPrune, memoryStats } from '../../../../src/app/arc/memory.ts';
import { ArcMemoryStore } from '../../../../src/store/arc-memory/store.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { colourPermutations } from '../../arbitrary.ts';
import { invented, inventedTask } from '../../invented.ts';
import { drafting, options, partsWith } from '../../loop/scripted.ts';

const smallest: Program = [
  { op: 'cut', args: { by: 'object' } },
  { op: 'pick', args: { by: '-cells' } },
  { op: 'crop', args: {} },
];

const traced = (async () => {
  const task = inventedTask('largest');
  return { task, trace: await runTask(task, options, partsWith(drafting(smallest))) };
})();

function storeIn(folder: string, namespace = 'one'): ArcMemoryStore {
  return new ArcMemoryStore(folder, namespace);
}

async function filled(folder: string, namespace = 'one'): Promise<{ task: Task; trace: TaskTrace }> {
  const known = await traced;
  using store = storeIn(folder, namespace);
  remember(store, [known], options, 1e-6);
  return known;
}

describe('memory', () => {
  it('keeps episodes, attempts, gold, fragments, and cases only where an edit gained', async () => {
    const folder = temporaryFolder();
    const { trace } = await filled(folder);
    using store = storeIn(folder);
    const counts = store.counts();
    expect(counts).toMatchObject({ episodes: 1, gold_solutions: 1 });
    expect(counts.attempts).toBe(
      new Set(trace.iterations.flatMap((one) => one.candidates.map((c) => c.candidate_id))).size,
    );
    expect(counts.fragments).toBeGreaterThan(0);
    expect(counts.cases).toBeGreaterThan(0);
    for (const { n, improved, best_delta } of store.cases()) {
      expect(improved).toBe(n);
      expect(best_delta).toBeGreaterThan(1e-6);
    }
    remember(store, [await traced], options, 2);
    expect(store.counts().cases).toBe(counts.cases);
  });

  it('hands another task like rules, cases and pieces, and keeps namespaces apart', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const other = inventedTask('flip');
    const bundle = recall(store, other, options.memory);
    expect(bundle.solved_examples).toHaveLength(1);
    expect(bundle.repair_cases.length).toBeGreaterThan(0);
    expect(bundle.fragments.length).toBeGreaterThan(0);
    using apart = storeIn(folder, 'two');
    expect(recall(apart, other, options.memory)).toMatchObject({
      solved_examples: [],
      fragments: [],
      left_out: 0,
    });
  });

  it('takes whole items within the bytes, and counts the others', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const all = recall(store, inventedTask('flip'), options.memory);
    const none = recall(store, inventedTask('flip'), { ...options.memory, maxBytes: 0 });
    expect(none).toMatchObject({ solved_examples: [], repair_cases: [], fragments: [] });
    expect(none.left_out).toBe(all.solved_examples.length + all.repair_cases.length + all.fragments.length);
    const [first] = all.solved_examples;
    const exact = Buffer.byteLength(JSON.stringify(first));
    const one = recall(store, inventedTask('flip'), { ...options.memory, maxBytes: exact });
    expect(one.solved_examples).toEqual([first]);
    expect(
      recall(store, inventedTask('flip'), { ...options.memory, maxBytes: exact - 1 }).solved_examples,
    ).toEqual([]);
  });

  it('never gives a task its own answer, however it is turned and recoloured', async () => {
    const folder = temporaryFolder();
    const { task } = await filled(folder);
    using store = storeIn(folder);
    fc.assert(
      fc.property(fc.constantFrom(...motions), colourPermutations(false), (motion, colours) => {
        const twin = (one: Task['test'][number]) => recolourGrid(moveGrid(one, motion), colours);
        const same: Task = {
          ...task,
          train: task.train
            .map(({ input, output }) => ({ input: twin(input), output: twin(output) }))
            .reverse(),
          test: task.test.map(twin),
        };
        const bundle = recall(store, same, options.memory);
        expect(bundle.solved_examples).toEqual([]);
        expect(bundle.fragments).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(new Set(invented.map(fingerprint)).size).toBe(invented.length);
  });

  it('solves a like task from memory before it searches', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const like = {
      ...inventedTask('largest'),
      test: [inventedTask('largest').train[0]?.input as Task['test'][0]],
    };
    const memory = recall(store, like, options.memory);
    expect(memory.solved_examples).toHaveLength(1);
    const trace = await runTask(like, options, { ...partsWith(builtinTeacher()), memory });
    expect(trace.iterations[0]?.candidates[0]).toMatchObject({ by: 'memory', error_type: 'NONE' });
    expect(trace.row.nodes).toBeLessThan(100);
  });

  it('leaves colours of fragments open and fills them from the next task', () => {
    const task = inventedTask('roles');
    const pieces = piecesOf([{ op: 'filter', args: { colour: 3, of: 'input' } }], task);
    expect(pieces[0]?.steps[0]?.args['colour']).toBe('?colour');
    expect(fillHoles(pieces[0]?.steps as Program, [0, 4, 7]).map(([step]) => step?.args['colour'])).toEqual([
      4, 7,
    ]);
    expect(fillHoles([{ op: 'cover', args: {} }], [1])).toEqual([]);
  });

  it('can be exported, imported and pruned from the command line', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    const before = process.env['ARC_V3_MEMORY_DIR'];
    process.env['ARC_V3_MEMORY_DIR'] = folder;
    try {
      const file = path.join(folder, 'export.jsonl');
      memoryExport(file, { trainNamespace: 'one' });
      memoryImport(file, { trainNamespace: 'copy' });
      using copy = storeIn(folder, 'copy');
      using own = storeIn(folder);
      expect(copy.golds()).toEqual(own.golds());
      expect(copy.fragments()).toEqual(own.fragments());
      writeFileSync(file, '{"table":"cases","row":{}}\n');
      expect(() => memoryImport(file, { trainNamespace: 'copy' })).toThrow(/is no row/);
      writeFileSync(path.join(folder, 'blobs', 'stray.json'), '[]');
      memoryPrune({ trainNamespace: 'one' });
      expect(readdirSync(path.join(folder, 'blobs'))).not.toContain('stray.json');
      memoryStats({ trainNamespace: 'one' });
      delete process.env['ARC_V3_MEMORY_DIR'];
      expect(() => memoryStats({})).toThrow(/memory is off/);
    } finally {
      if (before !== undefined) process.env['ARC_V3_MEMORY_DIR'] = before;
    }
  });
});
