import { describe, expect, it } from 'vitest';
import { taskText } from '../../../src/arc/render/task.ts';
import { gridLines } from '../../../src/arc/render/terminal.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';

describe('grids in the terminal', () => {
  it('are digits without colour, with wrong cells marked', () => {
    expect(gridLines(pic('12', '30'), 'digits')).toEqual(['1 2', '3 0']);
    expect(gridLines(pic('12', '30'), 'digits', pic('12', '34'))).toEqual(['1 2', '3 0!']);
  });

  it('use two columns per cell in 24-bit colour', () => {
    expect(gridLines(pic('1'), 'blocks')).toEqual(['\u001b[48;2;30;147;255m  \u001b[0m']);
    expect(gridLines(pic('1'), 'blocks', pic('2'))[0]).toContain('╳╳');
  });

  it('use half the height with half-block characters', () => {
    expect(gridLines(pic('1', '2', '3'), 'half-blocks')).toHaveLength(2);
  });
});

describe('a task with a rule', () => {
  const task = inventedTask('flip');
  const near = [{ op: 'crop', args: {} }];
  const rule = { program: near, verdict: verify(near, task) };

  it('shows pairs, the rule’s outputs and the rule', () => {
    const text = taskText(task, 'digits', rule);
    expect(text).toContain('train 0: input, output, by the rule · wrong');
    expect(text).toContain('$0 = crop(input)');
    expect(text).not.toContain('\u001b');
  });
});
