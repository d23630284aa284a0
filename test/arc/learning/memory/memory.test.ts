import * as fc from 'fast-check';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprint } from '../../../../src/arc/grid/fingerprint.ts';
import { motions, moveGrid, recolourGrid } from '../../../../src/arc/grid/grid.ts';
import { runTask } from '../../../../src/arc/loop/loop.ts';
import { fillHoles, piecesOf } from '../../../../src/arc/learning/memory/fragments.ts';
import { remember } from '../../../../src/arc/learning/memory/remember.ts';
import {
  readMemory,
  retrieveForCritic,
  retrieveForRuler,
} from '../../../../src/arc/learning/memory/retrieve.ts';
import { emptyMemory } from '../../../../src/arc/learning/memory/bundle.ts';
import { neighbourFeatures } from '../../../../src/arc/learning/critic/neighbours.ts';
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

  it('returns similar rules, cases and fragments for another task, and separates namespaces', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const other = inventedTask('flip');
    const bundle = retrieveForRuler(readMemory(store), other, options.memory);
    expect(bundle.solved_examples).toHaveLength(1);
    expect(bundle.repair_cases.length).toBeGreaterThan(0);
    expect(bundle.fragments.length).toBeGreaterThan(0);
    using apart = storeIn(folder, 'two');
    expect(retrieveForRuler(readMemory(apart), other, options.memory)).toMatchObject({
      solved_examples: [],
      fragments: [],
      left_out: 0,
    });
  });

  it('selects whole items within the byte limit, and counts the omitted ones', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const all = retrieveForRuler(readMemory(store), inventedTask('flip'), options.memory);
    const none = retrieveForRuler(readMemory(store), inventedTask('flip'), {
      ...options.memory,
      maxBytes: 0,
    });
    expect(none).toMatchObject({ solved_examples: [], repair_cases: [], fragments: [] });
    const { left_out: _, ...items } = all;
    expect(none.left_out).toBe(Object.values(items).flat().length);
    const [first] = all.solved_examples;
    const exact = Buffer.byteLength(JSON.stringify(first));
    const one = retrieveForRuler(readMemory(store), inventedTask('flip'), {
      ...options.memory,
      maxBytes: exact,
    });
    expect(one.solved_examples).toEqual([first]);
    expect(
      retrieveForRuler(readMemory(store), inventedTask('flip'), { ...options.memory, maxBytes: exact - 1 })
        .solved_examples,
    ).toEqual([]);
  });

  it.each([
    ['solvedExamples', 'solved_examples', 'ruler'],
    ['repairCases', 'repair_cases', 'ruler'],
    ['repairCases', 'fragments', 'ruler'],
    ['episodes', 'episodes', 'ruler'],
    ['k', 'summary', 'ruler'],
    ['episodes', 'episodes', 'critic'],
    ['cases', 'cases', 'critic'],
  ] as const)('returns as many items as %s allows: %s of the %s', async (limit, items, role) => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const memory = readMemory(store);
    const count = (most: number): number => {
      const limits = { ...options.memory, [limit]: most };
      const ruler = retrieveForRuler(memory, inventedTask('flip'), limits);
      const critic = retrieveForCritic(memory, inventedTask('flip'), limits);
      const all: Readonly<Record<string, unknown>> = role === 'ruler' ? { ...ruler } : { ...critic };
      const found = all[items];
      return Array.isArray(found) ? found.length : Number.NaN;
    };
    expect(count(0)).toBe(0);
    expect(count(1)).toBe(1);
  });

  it('reports the outcomes of similar tasks to rulers and as critic features', async () => {
    const folder = temporaryFolder();
    const { trace } = await filled(folder);
    using store = storeIn(folder);
    const memory = readMemory(store);
    const { episodes, summary } = retrieveForRuler(memory, inventedTask('flip'), options.memory);
    expect(episodes).toMatchObject([{ solved: true, best_score: 1, iterations: 2 }]);
    const won = trace.iterations[1]?.candidates[0]?.ops_signature ?? '';
    expect(summary[0]).toMatchObject({ ops_signature: won, tasks: 1, solved: 1 });
    const critic = retrieveForCritic(memory, inventedTask('flip'), options.memory);
    const error = trace.iterations[0]?.candidates[0]?.error_type ?? '';
    expect(neighbourFeatures(critic, won, error)).toEqual({
      promising: 1,
      repairable: critic.cases[0]?.best_delta,
    });
    expect(neighbourFeatures(critic, 'another', 'NEAR_MISS')).toEqual({ promising: 0, repairable: 0 });
    const beside = await runTask(
      inventedTask('flip'),
      { ...options, iters: 1 },
      {
        ...partsWith(drafting(smallest, [{ op: 'hull', args: {} }])),
        memory: { ...emptyMemory, critic },
      },
    );
    const [first, second] = ['cut', 'hull'].map((op) =>
      beside.iterations[0]?.candidates.find(({ program }) => program?.[0]?.op === op),
    );
    expect(first?.neighbours.promising).toBeGreaterThan(0);
    expect(second?.neighbours.promising).toBe(0);
    expect(retrieveForCritic(memory, inventedTask('largest'), options.memory).episodes).toEqual([]);
  });

  it('reads one consistent state while others write, and skips tampered items', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const memory = readMemory(store);
    const before = retrieveForRuler(memory, inventedTask('flip'), options.memory);
    const digest = store.digest();
    using other = storeIn(folder);
    other.addGold({ fingerprint: 'new', program: other.keep('not json'), price: 1, fact_features: [] });
    other.addFragment({ fragment_id: 'x', fingerprint: 'new', program: other.keep('{'), gain: 1 });
    other.addCase({
      ops_signature: 'x',
      error_type: 'SOME_DAY',
      directive: 'HOPE',
      n: 1,
      improved: 9,
      sum_delta: 9,
      best_delta: 9,
      exemplar: 'x',
    });
    expect(retrieveForRuler(memory, inventedTask('flip'), options.memory)).toEqual(before);
    expect(store.digest()).not.toBe(digest);
    const after = retrieveForRuler(readMemory(store), inventedTask('flip'), { ...options.memory, k: 99 });
    expect(after.solved_examples).toEqual(before.solved_examples);
    expect(after.fragments.map(({ fragment_id }) => fragment_id)).not.toContain('x');
    expect(after.repair_cases).toEqual(before.repair_cases);
    for (const name of readdirSync(path.join(folder, 'blobs')))
      writeFileSync(path.join(folder, 'blobs', name), '[{"op":"hull","args":{}}]');
    expect(retrieveForRuler(readMemory(store), inventedTask('flip'), options.memory)).toMatchObject({
      solved_examples: [],
      fragments: [],
    });
  });

  it('never returns a task’s own answer, even rotated or recoloured', async () => {
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
        const bundle = retrieveForRuler(readMemory(store), same, options.memory);
        expect(bundle.solved_examples).toEqual([]);
        expect(bundle.fragments).toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(new Set(invented.map(fingerprint)).size).toBe(invented.length);
  });

  it('solves a similar task from memory before searching', async () => {
    const folder = temporaryFolder();
    await filled(folder);
    using store = storeIn(folder);
    const like = {
      ...inventedTask('largest'),
      test: [inventedTask('largest').train[0]?.input as Task['test'][0]],
    };
    const ruler = retrieveForRuler(readMemory(store), like, options.memory);
    const memory = { ...emptyMemory, ruler };
    expect(ruler.solved_examples).toHaveLength(1);
    const trace = await runTask(like, options, { ...partsWith(builtinTeacher()), memory });
    expect(trace.iterations[0]?.candidates[0]).toMatchObject({ by: 'memory', error_type: 'NONE' });
    expect(trace.row.nodes).toBeLessThan(100);
  });

  it('leaves fragment colours open and fills them from the next task', () => {
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
      expect(() => memoryImport(file, { trainNamespace: 'copy' })).toThrow(/is not a row/);
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
