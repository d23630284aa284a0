import { describe, expect, it } from 'vitest';
import { learnPanels } from '../../../src/arc/propose/learn-panels.ts';
import { bind, type Operation, type Value } from '../../../src/arc/rules/operation.ts';
import { operations } from '../../../src/arc/rules/registry.ts';
import type { Image } from '../../../src/arc/rules/image.ts';
import { digits, picture } from '../arbitrary.ts';

/** What a rule says of the last input, by what it asks. */
function answers(inputs: readonly Image[], targets: readonly Image[]): Record<string, string[]> {
  const input = inputs.at(-1) as Image;
  return Object.fromEntries(
    learnPanels(inputs, targets)
      .filter(({ op }) => op === 'panels')
      .map(({ op, args, by, table, keys }) => {
        const list = bind(operations.get(op) as Operation, args)(input, { input, frame: null }) as Value;
        const apply = bind(operations.get(by) as Operation, { table, keys, else: 'keep' });
        return [by, digits(apply(list, { input, frame: null }) as Image)];
      }),
  );
}

describe('panel logic', () => {
  it('says of colours that no pair shows where they are read', () => {
    // the first panel, but not where the second is filled
    const known = answers(
      [picture('1205030', '1105000'), picture('4405006', '0405060'), picture('7705080', '0705080')],
      [picture('100', '110'), picture('440', '000')],
    );
    expect(known['cells_of_masks']).toEqual(['700', '000']);
    expect(known['cells_of_list']).toEqual(['770', '070']);
  });
});
