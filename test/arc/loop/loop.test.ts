import { describe, expect, it } from 'vitest';
import { blameRows, directivePreferences, rankingPairs } from '../../../src/arc/learning/datasets/build.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import {
  blameRowSchema,
  directivePreferenceSchema,
  rankingPairSchema,
  traceSchema,
} from '../../../src/arc/learning/schemas.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';
import { drafting, options, partsWith } from './scripted.ts';

const turned = [{ op: 'move', args: { motion: 'rotate90' } }];
const smallest = [
  { op: 'cut', args: { by: 'object' } },
  { op: 'pick', args: { by: '-cells' } },
  { op: 'crop', args: {} },
];

/** One input, two outputs: no rule can fit both. */
const contradiction: Task = {
  id: 'contradiction',
  train: [
    { input: pic('120', '003'), output: pic('111', '222') },
    { input: pic('120', '003'), output: pic('333', '444') },
  ],
  test: [pic('120', '003')],
  answers: [],
};

describe('the loop', () => {
  it('blames the faulty step, repairs it and stops when the task is solved', async () => {
    const trace = await runTask(inventedTask('largest'), options, partsWith(drafting(smallest)));
    const [first, second] = trace.iterations;
    expect(first?.candidates[0]?.blame).toMatchObject({ level: 'selector', step_idx: 1, arg: 'by' });
    expect(first?.candidates[0]?.csa?.reruns).toBeLessThanOrEqual(64);
    expect(second?.seeds).toEqual([first?.candidates[0]?.candidate_id]);
    expect(second?.candidates[0]).toMatchObject({
      parent_id: first?.candidates[0]?.candidate_id,
      verifier_score: 1,
      error_type: 'NONE',
    });
    expect(trace.row).toMatchObject({ solved: true, stop: 'solved', scores: [expect.any(Number), 1] });
    // from the two most likely answers, because the outputs of both pairs have one colour
    expect(trace.row.attempts[0]).toContainEqual([
      [7, 7, 7],
      [7, 0, 7],
    ]);
    expect(traceSchema.parse(JSON.parse(JSON.stringify(trace)))).toEqual(trace);
  });

  it('keeps an answer that is not a program as a candidate with PARSE or TYPE', async () => {
    const garbage = drafting(
      'no',
      [{ op: 'nonsense', args: {} }],
      [{ op: 'move', args: { motion: 3 } }],
      turned,
    );
    const trace = await runTask(inventedTask('flip'), { ...options, iters: 1 }, partsWith(garbage));
    const types = trace.iterations[0]?.candidates.map(({ error_type }) => error_type);
    expect(types).toHaveLength(4);
    expect(types?.filter((type) => type === 'PARSE')).toHaveLength(2);
    expect(types?.filter((type) => type === 'TYPE')).toHaveLength(1);
    expect(trace.row.stop).toBe('iterations');
    expect(traceSchema.safeParse(trace).success).toBe(true);
  });

  it('makes one pass by default, and stops when nothing may be edited', async () => {
    const once = await runTask(inventedTask('flip'), { ...options, editK: 0 }, partsWith(drafting(turned)));
    expect(once.iterations).toHaveLength(1);
  });

  it('spends one budget on drafts, attribution and edits', async () => {
    const few = { ...options, maxNodes: 400 };
    const trace = await runTask(contradiction, few, partsWith(drafting(turned)));
    const spent = trace.iterations.reduce((sum, { nodes }) => sum + nodes, 0);
    expect(trace.row.nodes).toBe(spent);
    // work in progress is finished when the budget ends: one attribution, one learned step
    expect(trace.row.nodes).toBeLessThan(6000);
    expect(trace.row.stop).toBe('nodes');
  });

  it('the seed decides between equally good drafts; the same seed gives the same drafts', async () => {
    // rules with equal score, price and leave-one-out: the seed decides which are kept
    const equals = Array.from({ length: 5 }, (_, i) => [{ op: 'paint', args: { colour: i + 5 } }]);
    const kept = async (seed: number) => {
      const parts = partsWith(drafting(...equals));
      const trace = await runTask(contradiction, { ...options, iters: 1, candidateK: 2, seed }, parts);
      return trace.iterations[0]?.candidates.map(({ candidate_id }) => candidate_id).join(' ');
    };
    const seen = await Promise.all([1, 2, 3, 4].map(kept));
    expect(new Set(seen).size).toBeGreaterThan(1);
    expect(await Promise.all([1, 2, 3, 4].map(kept))).toEqual(seen);
  });

  it('never shows a test output to a ruler', async () => {
    const task = inventedTask('flip');
    const seen: unknown[] = [];
    const teacher = drafting(turned);
    const spying = {
      ...teacher,
      draft: (request: Parameters<typeof teacher.draft>[0]) => {
        seen.push(request.task.answers);
        return teacher.draft(request);
      },
    };
    await runTask(task, { ...options, iters: 1 }, partsWith(spying));
    expect(seen).toEqual([[]]);
  });
});

describe('datasets', () => {
  it('pair candidates of one iteration only, drop ties, and judge by pairs that vectors have not seen', async () => {
    const task = inventedTask('roles');
    const half = [{ op: 'filter', args: { colour: 3 } }];
    const trace = await runTask(task, options, partsWith(drafting(turned, half, smallest)));
    const pairs = rankingPairs(trace);
    expect(pairs.length).toBeGreaterThan(0);
    for (const pair of pairs) {
      rankingPairSchema.parse(pair);
      const candidates = trace.iterations[pair.iter_idx]?.candidates.map(({ candidate_id }) => candidate_id);
      expect(candidates).toContain(pair.a_id);
      expect(candidates).toContain(pair.b_id);
      expect(pair.a_score).not.toBe(pair.b_score);
      expect(pair.label).toBe(pair.a_score > pair.b_score ? 'a' : 'b');
    }
    const heldout = pairs.flatMap((pair) => pair.heldout);
    expect(heldout.length).toBeGreaterThan(0);
    const blames = blameRows(trace);
    for (const row of blames) blameRowSchema.parse(row);
    expect(blames.length).toBeGreaterThan(0);
    const preferences = directivePreferences(trace, { seeds: 2, edits: 4, threshold: 1e-6 });
    for (const row of preferences) {
      directivePreferenceSchema.parse(row);
      expect(row.delta_preferred - row.delta_rejected).toBeGreaterThan(1e-6);
      expect(row.preferred).not.toEqual(row.rejected);
    }
    expect(preferences.length).toBeGreaterThan(0);
    expect(directivePreferences(trace, { seeds: 2, edits: 4, threshold: 1 })).toEqual([]);
  });
});
