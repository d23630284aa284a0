import { describe, expect, it } from 'vitest';
import { sameGrid, type Grid } from '../../../src/arc/grid.ts';
import { teach } from '../../../src/arc/propose/teacher.ts';
import { checkProgram } from '../../../src/arc/rules/program.ts';
import { verify } from '../../../src/arc/verify.ts';
import { invented, inventedTask } from '../invented.ts';

const nodes = 40_000;

describe('the teacher', { timeout: 120_000 }, () => {
  for (const task of invented)
    it(`solves "${task.id}" with a program that fits all pairs`, () => {
      const { ranked } = teach({ ...task, answers: [] }, 'fast', nodes);
      const right = ranked
        .slice(0, 2)
        .find(({ answers }) =>
          answers.every((answer, i) => sameGrid(answer as Grid, task.answers[i] as Grid)),
        );
      expect(right).toBeDefined();
      const program = right?.program ?? [];
      expect(checkProgram(JSON.parse(JSON.stringify(program)))).toMatchObject({ kind: 'program' });
      expect(verify(program, task).solved).toBe(true);
    });

  it('answers alike twice, and ranks by fit', () => {
    const task = { ...inventedTask('holes'), answers: [] };
    const first = teach(task, 'fast', nodes);
    expect(JSON.stringify(teach(task, 'fast', nodes))).toBe(JSON.stringify(first));
    const exact = first.ranked.map(({ exactPairs }) => exactPairs);
    expect(exact).toEqual([...exact].sort((a, b) => b - a));
  });

  it('keeps in full mode what fast mode finds', () => {
    for (const id of ['roles', 'panels-and']) {
      const task = { ...inventedTask(id), answers: [] };
      const [best] = teach(task, 'fast', nodes).ranked;
      const full = teach(task, 'full', 2 * nodes).ranked;
      expect(full.slice(0, 2).map(({ program }) => program)).toContainEqual(best?.program);
    }
  });

  it('is bounded by nodes', () => {
    const task = { ...inventedTask('panels-and'), answers: [] };
    expect(teach(task, 'fast', 5_000).nodes).toBeLessThan(teach(task, 'fast', 40_000).nodes);
  });

  it('never looks at test outputs', () => {
    const task = inventedTask('flip');
    const blind = teach({ ...task, answers: [] }, 'fast', 5_000);
    expect(JSON.stringify(teach({ ...task, answers: [null] }, 'fast', 5_000))).toBe(JSON.stringify(blind));
  });
});
