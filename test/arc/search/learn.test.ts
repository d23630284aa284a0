import { describe, expect, it } from 'vitest';
import { learnCells } from '../../../src/arc/search/learn.ts';
import { learnMoves, mayBeMoved } from '../../../src/arc/search/learn-moves.ts';
import { learnTreatments } from '../../../src/arc/search/learn-treatments.ts';
import { Work } from '../../../src/arc/search/work.ts';
import type { Image } from '../../../src/arc/language/image.ts';
import { bind, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { digits, picture } from '../arbitrary.ts';

const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };

function run(op: string, args: Parameters<typeof bind>[1], input: Image): string[] {
  const result = bind(operations.get(op) as RuleOperation, args)(input, { input, frame: null });
  return digits(result as Image);
}

describe('learned moves', () => {
  /** Each lesson: inputs and outputs to learn from, and one more of each to try the rule on. */
  const lessons: Readonly<Record<string, readonly (readonly [Image, Image])[]>> = {
    'by their own size': [
      [picture('030', '000', '000'), picture('000', '030', '000')],
      [picture('22', '22', '00', '00', '00'), picture('00', '00', '22', '22', '00')],
      [
        picture('4444', '4444', '4444', '0000', '0000', '0000', '0000'),
        picture('0000', '0000', '0000', '4444', '4444', '4444', '0000'),
      ],
    ],
    'towards an anchor until they touch': [
      [picture('20005', '00000'), picture('00025', '00000')],
      [picture('0005', '0000', '0002'), picture('0005', '0002', '0000')],
      [picture('500200', '000000'), picture('520000', '000000')],
    ],
    'into the row of an anchor': [
      [picture('2000', '0010', '0000'), picture('0000', '2010', '0000')],
      [picture('0000', '0010', '0003'), picture('0000', '0013', '0000')],
      [picture('2004', '0000', '0100'), picture('0000', '0000', '2104')],
    ],
    'until they are blocked': [
      [picture('20', '00', '00'), picture('00', '00', '20')],
      [picture('020', '010', '000'), picture('000', '020', '010')],
      [picture('302', '000', '000'), picture('000', '000', '302')],
    ],
  };

  for (const [name, lesson] of Object.entries(lessons))
    it(`finds objects that go ${name}`, () => {
      const train = lesson.slice(0, -1);
      const [input, output] = lesson.at(-1) as readonly [Image, Image];
      const rules = learnMoves(
        [...train.map(([base]) => base), input],
        train.map(([, target]) => target),
        limits,
        4,
      );
      const right = rules.filter(
        ({ args }) => run('move_objects', args, input).join() === digits(output).join(),
      );
      expect(right.length).toBeGreaterThan(0);
      expect(rules[0]?.held).toBeGreaterThanOrEqual(0.5);
    });

  it('proposes nothing if an object changes shape', () => {
    const rules = learnMoves([picture('20', '00')], [picture('30', '00')], limits, 4);
    expect(
      rules.filter(({ args }) => run('move_objects', args, picture('20', '00')).join() !== '30,00'),
    ).toEqual([]);
  });

  it('learns moves of objects that are recoloured on the way, using only filled cells', () => {
    const [before, after] = [picture('1000', '0000', '2002'), picture('0003', '0000', '2002')];
    expect(mayBeMoved([before], [after])).toBe(true);
    expect(mayBeMoved([before], [picture('3000', '0000', '2002')])).toBe(false);
    expect(learnMoves([before], [after], limits, 4)).toEqual([]);
    expect(learnMoves([before], [after], limits, 4, 'filling')).not.toEqual([]);
  });
});

describe('learned treatments', () => {
  it('treat each object according to its kind', () => {
    const train = [
      [picture('1110000', '1010000', '1110020'), picture('1110000', '1410000', '1112222')],
      [picture('2001110', '0001010', '0001110'), picture('2221110', '0001410', '0001110')],
    ] as const;
    const input = picture('0020000', '1110000', '1010020', '1110000');
    const rules = learnTreatments(
      [...train.map(([base]) => base), input],
      train.map(([, target]) => target),
      limits,
      4,
    );
    expect(rules.map(({ args }) => run('treat_objects', args, input))).toContainEqual([
      '2222222',
      '1110000',
      '1412222',
      '1110000',
    ]);
    expect(rules[0]?.held).toBe(1);
  });

  it('explain the changes with few treatments and keep the objects in the way', () => {
    // the rays of the 1s could be some of the 2s', where they end, but not of all of them
    const train = [
      [picture('1000200', '0000000', '2000200'), picture('1333200', '0000000', '2000200')],
      [picture('0200002', '1000000', '0100200'), picture('0200002', '1333333', '0133200')],
    ] as const;
    const input = picture('2000002', '0001000', '0010002');
    const rules = learnTreatments(
      [...train.map(([base]) => base), input],
      train.map(([, target]) => target),
      limits,
      4,
    );
    expect(run('treat_objects', rules[0]?.args ?? {}, input)).toEqual(['2000002', '0001333', '0013332']);
    expect(rules[0]?.held).toBe(1);
  });

  it('apply two treatments to one object', () => {
    const train = [
      [picture('0000000', '0100020', '0000000'), picture('3330040', '3133320', '3330040')],
      [picture('2000000', '0000000', '0001000'), picture('2000000', '4033300', '4031333')],
    ].map(([base, target]) => [base, target] as readonly [Image, Image]);
    const ringed = picture('0000000', '0010000', '0000000', '2000000');
    const rules = learnTreatments(
      [...train.map(([base]) => base), ringed],
      train.map(([, target]) => target),
      limits,
      4,
    );
    expect(rules.map(({ args }) => run('treat_objects', args, ringed))).toContainEqual([
      '4333000',
      '4313333',
      '4333000',
      '2000000',
    ]);
  });

  it('recognise loose groups, and all cells of a colour, as objects', () => {
    const heaps = [
      [picture('2020000', '0000000', '2020000'), picture('2420000', '4440000', '2420000')],
      [picture('3000303', '0000000', '0000030'), picture('3000343', '0000444', '0000434')],
    ].map(([base, target]) => [base, target] as readonly [Image, Image]);
    const input = picture('0505000', '0000000', '0050006');
    const colours = [
      [picture('20002', '00000', '00020'), picture('24442', '44444', '44424')],
      [picture('0300000', '0000000', '0000030'), picture('0344440', '0444440', '0444430')],
    ].map(([base, target]) => [base, target] as readonly [Image, Image]);
    const far = picture('5000000', '0000000', '0005000');
    const learned = (train: typeof heaps, test: Image): string[][] =>
      learnTreatments(
        [...train.map(([base]) => base), test],
        train.map(([, target]) => target),
        limits,
        4,
      ).map(({ args }) => run('treat_objects', args, test));
    expect(learned(heaps, input)).toContainEqual(['0545000', '0444000', '0454006']);
    expect(learned(colours, far)).toContainEqual(['5444000', '4444000', '4445000']);
  });

  it('propose nothing where a changed cell belongs to no object', () => {
    expect(learnTreatments([picture('2000', '0000')], [picture('2000', '0003')], limits, 4)).toEqual([]);
  });
});

describe('features of other images', () => {
  it('recognise a pattern by the whole input', () => {
    const inputs = [
      picture('100', '010'),
      picture('022', '000'),
      picture('001', '100'),
      picture('200', '002'),
    ];
    const frame = picture('00', '00');
    const cross = picture('50', '05');
    const line = picture('55', '00');
    const lesson = {
      bases: inputs.map(() => frame),
      targets: [cross, line, cross],
      inputs,
      beside: [],
      wide: true,
    };
    const { decided } = learnCells(lesson, { widen: 30, deepest: 3, work: new Work(Infinity) }, 4);
    expect(decided[0]?.columns.some(({ name }) => name.startsWith('input-'))).toBe(true);
    expect(
      learnCells({ ...lesson, wide: false }, { widen: 30, deepest: 3, work: new Work(Infinity) }, 4).decided,
    ).toEqual([]);
  });
});
