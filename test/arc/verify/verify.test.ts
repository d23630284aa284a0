import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, featureOrder } from '../../../src/arc/verify/comparator.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { compile } from '../../../src/arc/language/run.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { leaveOneOut, unknownEntries, verify } from '../../../src/arc/verify/verify.ts';
import { grids, pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';

const fill: Program = [
  { op: 'cells', args: { features: ['self', 'hole-4'], table: { '0,1': '4' }, else: 'keep', rounds: 1 } },
];

describe('the verifier', () => {
  it('checks every training pair', () => {
    const task = inventedTask('holes');
    expect(verify(fill, task)).toMatchObject({ solved: true, exact: [true, true] });
    expect(verify([{ op: 'crop', args: {} }], task)).toMatchObject({ solved: false, exact: [false, false] });
  });

  it('leave-one-out rejects a table entry that only one pair uses', () => {
    const train = [
      { input: pic('12'), output: pic('52') },
      { input: pic('31'), output: pic('35') },
      { input: pic('40'), output: pic('60') },
    ];
    expect(leaveOneOut([{ op: 'recolour', args: { table: { 1: '5', 4: '6' } } }], train)).toBeCloseTo(2 / 3);
    expect(leaveOneOut(fill, inventedTask('holes').train)).toBe(1);
  });

  /** Each table operation with an entry that only the last of three pairs uses, and one that all use. */
  const tables: readonly Program[] = [
    [{ op: 'recolour', args: { table: { 1: '5', 4: '6' } } }],
    [{ op: 'cells', args: { features: ['self'], table: { 1: '5', 4: '6' }, else: 'keep', rounds: 1 } }],
    [
      {
        op: 'cells_of_list',
        args: { table: { 1: '5', 4: '6', 2: '@0' }, keys: 1, else: 'keep', of: ['input'] },
      },
    ],
  ];
  for (const program of tables)
    it(`leave-one-out of ${program[0]?.op}, with the number of keys that no training input shows`, () => {
      const train = ['12', '21', '14'].map((cells) => {
        const input = pic(cells);
        const outcome = compile(program)(input);
        if (outcome.kind !== 'grid') throw new Error(outcome.message);
        return { input, output: outcome.grid };
      });
      expect(leaveOneOut(program, train)).toBeCloseTo(2 / 3);
      expect(unknownEntries(program, { train, test: [pic('41')] })).toBe(0);
      expect(unknownEntries(program, { train, test: [pic('78'), pic('70')] })).toBeGreaterThanOrEqual(3);
      expect(unknownEntries(program, { train: train.slice(0, 2), test: [pic('41')] })).toBe(1);
    });

  it('leave-one-out of move_objects', () => {
    const program: Program = [
      {
        op: 'move_objects',
        args: {
          objects: 'blob',
          features: ['self'],
          table: { 1: 'slide right', 4: 'slide left' },
          leave: 'nothing',
        },
      },
    ];
    const train = [
      { input: pic('100'), output: pic('001') },
      { input: pic('010'), output: pic('001') },
      { input: pic('004'), output: pic('400') },
    ];
    expect(leaveOneOut(program, train)).toBeCloseTo(2 / 3);
  });
});

describe('the comparator', () => {
  const tasks = fc
    .array(fc.tuple(grids(), grids()), { minLength: 1, maxLength: 3 })
    .map((pairs): Pick<Task, 'train' | 'test'> => ({
      train: pairs.map(([input, output]) => ({ input, output })),
      test: pairs.map(([input]) => input),
    }));
  const programs = fc.constantFrom<Program>(
    [{ op: 'crop', args: {} }],
    [{ op: 'move', args: { motion: 'rotate90' } }],
    [{ op: 'enlarge', args: { by: '5' } }],
    [{ op: 'reverse_colours', args: { by: 'place' } }],
    fill,
  );

  it('gives 16 numbers in [0, 1], and 1.0 exactly for a solved task', () => {
    fc.assert(
      fc.property(tasks, programs, (task, program) => {
        const verdict = verify(program, task);
        const { feature_vec, verifier_score } = compare(program, task, verdict);
        expect(Object.keys(feature_vec)).toEqual([...featureOrder]);
        for (const value of Object.values(feature_vec)) expect(value >= 0 && value <= 1).toBe(true);
        expect(verifier_score === 1).toBe(verdict.solved);
        expect(Math.abs(verifier_score * 1e6 - Math.round(verifier_score * 1e6)) < 1e-6).toBe(true);
      }),
    );
  });

  it('uses the weights of cmp-2', () => {
    const task = {
      train: [
        { input: pic('00'), output: pic('10') },
        { input: pic('01'), output: pic('11') },
      ],
      test: [pic('00')],
    };
    const program: Program = [
      { op: 'cells', args: { features: ['column-first'], table: { '0': '@self' }, else: 'keep', rounds: 1 } },
    ];
    const { feature_vec, verifier_score } = compare(program, task, verify(program, task));
    expect(feature_vec).toMatchObject({
      exact_frac: 0,
      cell_acc: 0.5,
      changed_recall: 0,
      shape_frac: 1,
      preserved_frac: 1,
    });
    const palette = feature_vec.palette_jaccard;
    expect(verifier_score).toBeCloseTo(0.2 * 0.5 + 0.05 + 0.03 * palette + 0.02 * feature_vec.object_iou, 6);
  });
});
