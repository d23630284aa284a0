import { describe, expect, it } from 'vitest';
import { normalForm } from '../../../src/arc/language/normal.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { readProgram } from '../../../src/arc/language/text.ts';
import { differences, mainDirective } from '../../../src/arc/search/difference.ts';
import { directiveKinds, edit } from '../../../src/arc/search/edit.ts';
import { inventedTask } from '../invented.ts';

function rule(...lines: string[]): Program {
  const read = readProgram(lines.join('\n'));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const parent = rule(
  '$0 = cut(input, by: object)',
  '$1 = pick($0, by: cells)',
  '$2 = crop($1)',
  '$3 = move($2, motion: rotate90)',
);

describe('the difference of two programs', () => {
  it.each([
    [
      'nothing',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: cells)',
        '$2 = crop($1)',
        '$3 = move($2, motion: rotate90)',
      ],
      [],
    ],
    [
      'another criterion',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: area)',
        '$2 = crop($1)',
        '$3 = move($2, motion: rotate90)',
      ],
      ['CHANGE_SELECTOR 1 by'],
    ],
    [
      'a step less',
      ['$0 = cut(input, by: object)', '$1 = pick($0, by: cells)', '$2 = move($1, motion: rotate90)'],
      ['DROP_STEP 2 null'],
    ],
    [
      'a step more',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: cells)',
        '$2 = hull($1)',
        '$3 = crop($2)',
        '$4 = move($3, motion: rotate90)',
      ],
      ['ADD_STEP 1 null'],
    ],
    [
      'two steps exchanged',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: cells)',
        '$2 = move($1, motion: rotate90)',
        '$3 = crop($2)',
      ],
      ['REORDER 2 null'],
    ],
    [
      'a step replaced and an argument',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: area)',
        '$2 = hull($1)',
        '$3 = move($2, motion: rotate90)',
      ],
      ['CHANGE_SELECTOR 1 by', 'REPLACE_OP 2 null'],
    ],
    [
      'a piece of two steps',
      [
        '$0 = cut(input, by: object)',
        '$1 = pick($0, by: cells)',
        '$2 = crop($1)',
        '$3 = move($2, motion: rotate90)',
        '$4 = hull($3)',
        '$5 = outline($4, colour: 1)',
      ],
      ['SPLICE_FRAGMENT 3 null'],
    ],
    ['another program', ['$0 = hull(input)', '$1 = outline($0, colour: 1)'], ['RESTART 0 null']],
  ] as [string, string[], string[]][])('is %s', (_, lines, wanted) => {
    const found = differences(parent, rule(...lines));
    expect(found.map(({ kind, step, path }) => `${kind} ${step} ${path}`)).toEqual(wanted);
  });

  it('names the edit that was made, for every directive', () => {
    const task = inventedTask('largest');
    const fragments = [normalForm(rule('$0 = hull(input)', '$1 = outline($0, colour: 1)'))];
    let [all, named] = [0, 0];
    for (const kind of directiveKinds) {
      if (kind === 'RESTART') continue;
      for (const step of normalForm(parent).keys())
        for (const child of edit(
          parent,
          { kind, step },
          { task, fragments, drafts: [], spend: () => undefined },
        ).take(20)) {
          all++;
          named += Number(mainDirective(differences(parent, child))?.kind === kind);
        }
    }
    expect(all).toBeGreaterThan(250);
    // a source in place of a step is a step dropped, whichever directive it was
    expect(named / all).toBeGreaterThan(0.9);
  });
});
