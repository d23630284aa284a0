import { describe, expect, it } from 'vitest';
import { score, type Attempts } from '../../../src/arc/verify/scoring.ts';
import { submission } from '../../../src/arc/verify/submission.ts';
import type { Task } from '../../../src/arc/grid/task.ts';
import { pic } from '../arbitrary.ts';

const one = pic('1');
const two = pic('2');

function task(id: string, answers: Task['answers']): Task {
  return { id, train: [{ input: one, output: one }], test: answers.map(() => one), answers };
}

describe('scoring', () => {
  const first: Attempts = [one, two];
  const answered = [
    { task: task('a', [one]), attempts: [first], confident: true },
    { task: task('b', [two, one]), attempts: [first, first], confident: true },
    { task: task('c', [two, pic('3')]), attempts: [first, first], confident: true },
    { task: task('d', [two]), attempts: [[null, null] as Attempts], confident: false },
    { task: task('unknown', [null]), attempts: [first], confident: true },
  ];

  it('reports the three scorings with one and two attempts', () => {
    expect(score(answered)).toEqual({
      tasks: 4,
      outputs: 6,
      outputs_right: { pass_1: 2, pass_2: 4 },
      task_mean: { pass_1: (1 + 0.5) / 4, pass_2: (1 + 1 + 0.5) / 4 },
      tasks_solved: { pass_1: 1, pass_2: 2 },
      confident: 3,
      confident_solved: 2,
      precision: 2 / 3,
    });
  });

  it('has no precision if no answer is confident', () => {
    expect(score([]).precision).toBeNull();
  });
});

describe('the submission', () => {
  it('has every task and two attempts for each test input', () => {
    const text = submission([
      { id: 'a', attempts: [[one, two]] },
      {
        id: 'b',
        attempts: [
          [one, null],
          [null, null],
        ],
      },
    ]);
    expect(JSON.parse(text)).toEqual({
      a: [{ attempt_1: [[1]], attempt_2: [[2]] }],
      b: [
        { attempt_1: [[1]], attempt_2: [[1]] },
        { attempt_1: [[0]], attempt_2: [[0]] },
      ],
    });
  });
});
