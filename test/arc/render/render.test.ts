import { describe, expect, it } from 'vitest';
import { galleryPage, gridSvg } from '../../../src/arc/render/html.ts';
import { runPage } from '../../../src/arc/render/run-page.ts';
import { taskText } from '../../../src/arc/render/task.ts';
import { gridLines } from '../../../src/arc/render/terminal.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';
import { drafting, options, partsWith } from '../loop/scripted.ts';

describe('grids in the terminal', () => {
  it('are digits where colour is unwelcome, wrong cells marked', () => {
    expect(gridLines(pic('12', '30'), 'digits')).toEqual(['1 2', '3 0']);
    expect(gridLines(pic('12', '30'), 'digits', pic('12', '34'))).toEqual(['1 2', '3 0!']);
  });

  it('are two columns a cell in 24-bit colour', () => {
    expect(gridLines(pic('1'), 'blocks')).toEqual(['\u001b[48;2;30;147;255m  \u001b[0m']);
    expect(gridLines(pic('1'), 'blocks', pic('2'))[0]).toContain('╳╳');
  });

  it('are half as high in half blocks', () => {
    expect(gridLines(pic('1', '2', '3'), 'half-blocks')).toHaveLength(2);
  });
});

describe('a task with a rule', () => {
  const task = inventedTask('flip');
  const near = [{ op: 'crop', args: {} }];
  const rule = { program: near, verdict: verify(near, task) };

  it('shows pairs, what the rule makes of them, and the rule', () => {
    const text = taskText(task, 'digits', rule);
    expect(text).toContain('train 0: input, output, by the rule · wrong');
    expect(text).toContain('$0 = crop(input)');
    expect(text).not.toContain('\u001b');
  });

  it('becomes a page of its own with wrong cells crossed', () => {
    const page = galleryPage('A <title>', 'one task', [
      { task, state: 'near', note: 'near', rules: [{ ...rule, title: 'a rule' }] },
    ]);
    expect(page).toContain('A &lt;title&gt;');
    expect(page).toContain('Near misses');
    expect(page).not.toContain('<script');
    expect(gridSvg(pic('1'), pic('2'))).toContain('stroke="#fff"');
    expect(gridSvg(pic('1'), pic('1'))).not.toContain('stroke="#fff"');
  });
});

describe('the page of a run', () => {
  it('marks the blamed step and its cells, says the score by iteration, and puts what is open first', async () => {
    const [flip, largest] = [inventedTask('flip'), inventedTask('largest')];
    const solved = await runTask(
      flip,
      options,
      partsWith(drafting([{ op: 'move', args: { motion: 'flip-left-right' } }])),
    );
    const near = drafting([{ op: 'move', args: { motion: 'rotate180' } }]);
    const open = await runTask(flip, { ...options, iters: 1 }, partsWith(near));
    const page = runPage('A <run>', 'two tasks', [
      { task: { ...largest, id: 'done' }, trace: solved },
      { task: { ...flip, id: 'left' }, trace: open },
    ]);
    expect(page.indexOf('id="left"')).toBeLessThan(page.indexOf('id="done"'));
    expect(page).toContain('A &lt;run&gt;');
    expect(page).toContain('score by iteration 0: 1.000');
    expect(page).toContain('<mark>$0 = move(input, motion: rotate180)</mark>');
    expect(page).toMatch(/Blamed: arg of \$0 \(motion\); the best change there gains 0\.\d+/);
    expect(page.match(/class="blamed"/g)).toHaveLength(1);
    expect(page).not.toContain('<script');
  });
});
