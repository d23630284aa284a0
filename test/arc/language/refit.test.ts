import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recolourGrid, type Grid } from '../../../src/arc/grid/grid.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { emptyMemory } from '../../../src/arc/learning/memory/bundle.ts';
import { builtinTeacher } from '../../../src/arc/learning/rulers/builtin.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { refitted } from '../../../src/arc/search/refit.ts';
import { studentRuler, trainStudent } from '../../../src/arc/learning/student/student.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { colourPermutations, pic } from '../arbitrary.ts';
import { drafting, options, partsWith } from '../loop/scripted.ts';

/** Holes are filled with 4. */
const pairs = [
  [pic('11100', '10100', '11100'), pic('11100', '14100', '11100')],
  [pic('00111', '00101', '01111', '01010'), pic('00111', '00141', '01111', '01010')],
  [pic('0111', '0101', '0111', '1000'), pic('0111', '0141', '0111', '1000')],
] as const;
const filling: Program = [
  { op: 'cells', args: { features: ['hole-4'], table: { 0: '@self', 1: '4' }, else: 'keep', rounds: 1 } },
];

function taskWith(colourOf: readonly number[]): Task {
  const recoloured = (grid: Grid): Grid => recolourGrid(grid, colourOf);
  return {
    id: 'holes',
    train: pairs.map(([input, output]) => ({ input: recoloured(input), output: recoloured(output) })),
    test: [recoloured(pic('111', '101', '111'))],
    answers: [null],
  };
}

describe('a known table', () => {
  it('is learned again for the colours of another task', () => {
    fc.assert(
      fc.property(colourPermutations(true), (colourOf) => {
        const task = taskWith(colourOf);
        const fitted = refitted(filling, task, () => undefined);
        expect(fitted && verify(fitted, task).solved).toBe(true);
        expect(fitted?.[0]?.args['table']).toMatchObject({ 1: `${colourOf[4]}` });
      }),
      { numRuns: 20 },
    );
  });

  it('is rejected if it is ambiguous or holds only for the examples it was learned from', () => {
    const task = taskWith([0, 1, 2, 3, 4]);
    const other: Program = [{ op: 'cells', args: { ...filling[0]?.args, features: ['row-odd'] } }];
    expect(refitted(other, task, () => undefined)).toBeNull();
    expect(refitted([{ op: 'hull', args: {} }], task, () => undefined)).toBeNull();
    expect(refitted(filling, { ...task, train: task.train.slice(0, 1) }, () => undefined)).toBeNull();
  });

  it('is used by memory and the student before any search', async () => {
    const task = taskWith([0, 3, 2, 1, 8]);
    const example = { fingerprint: 'another', program: filling, similarity: 1 };
    const memory = { ...emptyMemory, ruler: { ...emptyMemory.ruler, solved_examples: [example] } };
    const remembered = await runTask(task, options, { ...partsWith(builtinTeacher()), memory });
    expect(remembered.row).toMatchObject({ solved: true, best: { source: 'teacher' } });
    expect(remembered.row.nodes).toBeLessThan(200);
    const student = studentRuler(trainStudent([{ fact_features: [], program: filling }]));
    const taught = await runTask(task, options, { ...partsWith(drafting()), rulers: [student, drafting()] });
    expect(taught.row).toMatchObject({ solved: true, best: { source: 'student' } });
  });
});
