import { describe, expect, it } from 'vitest';
import { betterOf } from '../../../src/arc/verify/comparator.ts';
import { sameGrid, type Grid } from '../../../src/arc/grid/grid.ts';
import { inOrderOf, teach, type TeachLimits } from '../../../src/arc/search/teacher.ts';
import { viewsOf } from '../../../src/arc/search/views.ts';
import { checkProgram } from '../../../src/arc/language/program.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { pic } from '../arbitrary.ts';
import { invented, inventedTask } from '../invented.ts';
import { slice } from '../../helpers/tier.ts';

const nodes = 80_000;

const noise: Task = {
  id: 'noise',
  train: [
    { input: pic('1203', '0040', '5000'), output: pic('7130', '0092', '1800') },
    { input: pic('0021', '3300', '0450'), output: pic('9001', '5560', '0317') },
  ],
  test: [pic('0100', '0020', '3000')],
  answers: [],
};

function fast(maxNodes: number): TeachLimits {
  return { maxNodes };
}

describe('the teacher', () => {
  for (const task of slice(invented, 8))
    it(`solves "${task.id}" with a program that fits all pairs`, () => {
      const { attempts } = teach({ ...task, answers: [] }, fast(nodes));
      const right = attempts.find(({ candidate }) =>
        candidate.answers.every((answer, i) => sameGrid(answer as Grid, task.answers[i] as Grid)),
      );
      expect(right).toBeDefined();
      const program = right?.candidate.program ?? [];
      expect(checkProgram(JSON.parse(JSON.stringify(program)))).toMatchObject({ ok: true });
      expect(verify(program, task).solved).toBe(true);
    });

  it('returns the same answer twice, ranked by fit', () => {
    const task = { ...inventedTask('holes'), answers: [] };
    const first = teach(task, fast(nodes));
    expect(JSON.stringify(teach(task, fast(nodes)))).toBe(JSON.stringify(first));
    expect([...first.candidates].sort(betterOf)).toEqual(first.candidates);
    expect(first.candidates.some(({ verifier_score }) => verifier_score === 1)).toBe(true);
  });

  it('returns near misses if nothing fits, with no confidence in them', () => {
    const { candidates, attempts } = teach(noise, fast(nodes));
    expect(candidates.length).toBeGreaterThanOrEqual(4);
    expect(new Set(candidates.map(({ id }) => id)).size).toBe(candidates.length);
    expect(attempts.length).toBe(2);
    expect(attempts.some(({ confident }) => confident)).toBe(false);
  });

  it('the seed decides the order of views; the same seed gives the same order', () => {
    const views = viewsOf(noise);
    const names = (seed: number): string[] => inOrderOf(views, seed).map(({ name }) => name);
    expect(names(0)).toEqual(views.map(({ name }) => name));
    expect(names(7)).toEqual(names(7));
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => names(seed).join())).size).toBeGreaterThan(1);
    for (const seed of [1, 2, 3])
      expect(inOrderOf(views, seed).map(({ kind }) => kind)).toEqual(views.map(({ kind }) => kind));
  });

  it('stops at its node limit', () => {
    const task = { ...inventedTask('panels-and'), answers: [] };
    expect(teach(task, fast(5_000)).nodes).toBeLessThan(teach(task, fast(40_000)).nodes);
  });

  it('never looks at test outputs', () => {
    const task = inventedTask('flip');
    const blind = teach({ ...task, answers: [] }, fast(5_000));
    expect(JSON.stringify(teach({ ...task, answers: [null] }, fast(5_000)))).toBe(JSON.stringify(blind));
  });
});
