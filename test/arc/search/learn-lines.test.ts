import { describe, expect, it } from 'vitest';
import { learnLines } from '../../../src/arc/search/learn-lines.ts';
import { Work } from '../../../src/arc/search/work.ts';
import type { Image } from '../../../src/arc/language/image.ts';
import { bind, type RuleOperation, type Value } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { digits, picture } from '../arbitrary.ts';

function cut(input: Image): readonly Image[] {
  const apply = bind(operations.get('cut') as RuleOperation, { by: 'object' });
  return apply(input, { input, frame: null }) as readonly Image[];
}

/** Learns from all inputs but the last, and answers that one. */
function answer(inputs: readonly Image[], targets: readonly Image[]): { rows: string[]; held: number } {
  const members = inputs.map(cut);
  const [rule] = learnLines([{ members, cost: 7, refined: false }], targets, new Work(Infinity), 4);
  if (rule === undefined) throw new Error('nothing was learned');
  let value: Value = members.at(-1) as readonly Image[];
  for (const { op, args } of rule.steps)
    value = bind(operations.get(op) as RuleOperation, args)(value, {
      input: inputs[0] as Image,
      frame: null,
    }) as Value;
  return { rows: digits(value as Image), held: rule.held };
}

describe('lists in a line', () => {
  it('are put in the order of a criterion', () => {
    // from the fewest dots to the most, whatever their colour
    const { rows, held } = answer(
      [picture('11022', '13022'), picture('44066', '74066', '47066'), picture('55088', '55098')],
      [picture('2211', '2213'), picture('6644', '6674', '6647')],
    );
    expect(rows).toEqual(['5588', '5598']);
    expect(held).toBe(1);
  });

  it('share a common base line', () => {
    const { rows } = answer(
      [picture('1100', '0002', '0002'), picture('4000', '4000', '0033'), picture('55500', '00006', '00006')],
      [picture('002', '112'), picture('400', '433')],
    );
    expect(rows).toEqual(['0006', '5556']);
  });

  it('are no rule where their images are not as long as the outputs', () => {
    const members = [cut(picture('102')), cut(picture('304')), cut(picture('506'))];
    const targets = [picture('123'), picture('345')];
    expect(learnLines([{ members, cost: 7, refined: false }], targets, new Work(Infinity), 4)).toEqual([]);
  });
});
