import { describe, expect, it } from 'vitest';
import { learnMembers, type MemberRule } from '../../../src/arc/search/learn-members.ts';
import { Work } from '../../../src/arc/search/work.ts';
import type { Image } from '../../../src/arc/language/image.ts';
import { bind, type Arguments, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { digits, picture } from '../arbitrary.ts';

const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };

function cut(input: Image): readonly Image[] {
  return applied('cut', { by: 'object' }, input, input) as readonly Image[];
}

function applied(op: string, args: Arguments, value: Image | readonly Image[], frame: Image) {
  return bind(operations.get(op) as RuleOperation, args)(value, { input: frame, frame });
}

/** Learns from all inputs but the last, and answers that one. */
function answer(inputs: readonly Image[], targets: readonly Image[]): { rule: MemberRule; rows: string[] } {
  const members = inputs.map(cut);
  const frames = [...targets, targets[0] as Image];
  const [rule] = learnMembers([{ members, cost: 7 }], frames, targets, limits, 1);
  if (rule === undefined) throw new Error('nothing was learned');
  const chosen = applied(rule.op, rule.args, members.at(-1) ?? [], targets[0] as Image) as Image;
  const last =
    rule.next === null ? chosen : applied(rule.next.op, rule.next.args, chosen, targets[0] as Image);
  return { rule, rows: digits(last as Image) };
}

describe('learned choices from lists', () => {
  it('select the image that differs from the others, whatever its colour and position', () => {
    const { rule, rows } = answer(
      [picture('2202', '0000', '3330'), picture('40', '00', '55'), picture('60070', '00070', '08000')],
      [picture('333'), picture('55')],
    );
    expect(rows).toEqual(['7', '7']);
    expect(rule).toMatchObject({ op: 'choose', next: null });
    expect(rule.held).toBeGreaterThanOrEqual(0.5);
  });

  it('combine two criteria if one is not enough', () => {
    // expected: two colours and a width of one
    const { rows } = answer(
      [
        picture('120030', '000030', '400000', '200055'),
        picture('770080', '000090', '660000', '000012'),
        picture('300450', '000000', '206000', '207000'),
      ],
      [picture('4', '2'), picture('8', '9')],
    );
    expect(rows).toEqual(['6', '7']);
  });

  it('include the step after the choice', () => {
    const { rule, rows } = answer(
      [picture('1100', '0002'), picture('300', '300', '004'), picture('5500', '5006')],
      [picture('1'), picture('3')],
    );
    expect(rule.next?.op).toBe('broadcast');
    expect(rows).toEqual(['5']);
  });

  it('turn every image into a cell whose colour depends on the image', () => {
    const { rule, rows } = answer(
      [
        picture('222011', '202000', '222000'),
        picture('400111', '400101', '000111'),
        picture('110333', '010303', '000333'),
      ],
      [picture('50'), picture('05')],
    );
    expect(rule.op).toBe('tabulate');
    expect(rows).toEqual(['05']);
  });

  it('fill every panel of the input according to its content', () => {
    // two objects, with any number of cells
    const inputs = [
      picture('1005110', '0005110', '0015000'),
      picture('2205200', '2005002', '0005000'),
      picture('3005333', '0035303', '0005000'),
    ];
    const targets = [picture('7775000', '7775000', '7775000'), picture('0005777', '0005777', '0005777')];
    const members = inputs.map((input) => applied('panels', {}, input, input) as readonly Image[]);
    const [rule] = learnMembers([{ members, cost: 8 }], inputs, targets, limits, 1);
    expect(rule).toMatchObject({ op: 'tabulate', next: { op: 'into_panels' } });
    const last = inputs[2] as Image;
    const small = applied('tabulate', rule?.args ?? {}, members[2] ?? [], last) as Image;
    expect(digits(applied('into_panels', {}, small, last) as Image)).toEqual([
      '7775000',
      '7775000',
      '7775000',
    ]);
  });

  it('learn nothing from lists that do not contain the output', () => {
    const members = [cut(picture('102')), cut(picture('304')), cut(picture('506'))];
    const targets = [picture('77', '88'), picture('99', '12')];
    expect(
      learnMembers([{ members, cost: 7 }], [...targets, picture('00', '00')], targets, limits, 4),
    ).toEqual([]);
  });
});
