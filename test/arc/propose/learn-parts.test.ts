import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnParts } from '../../../src/arc/propose/learn-parts.ts';
import { Work } from '../../../src/arc/propose/work.ts';
import type { Image } from '../../../src/arc/rules/image.ts';
import { bind, type Arguments, type Operation } from '../../../src/arc/rules/operation.ts';
import { operations } from '../../../src/arc/rules/registry.ts';
import { digits, picture } from '../arbitrary.ts';

function apply(args: Arguments, source: Image): Image {
  return bind(operations.get('cells_in_parts') as Operation, args)(source, {
    input: source,
    frame: null,
  }) as Image;
}

/** What rules learned from the first sources make of the last one. */
function answersFor(args: Arguments, sources: readonly Image[]): string[] {
  const targets = sources.slice(0, -1).map((source) => apply(args, source));
  const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };
  return learnParts(sources, targets, limits, 4).map((rule) =>
    digits(apply(rule.args, sources.at(-1) as Image)).join('/'),
  );
}

const sources = [
  picture('12000000', '11000340', '00000330', '00000000'),
  picture('00000005', '66000055', '06700005', '00000000'),
  picture('00800000', '22800000', '00000110', '00000010'),
  picture('90000000', '99000000', '00003300', '00003030'),
];

describe('cell rules in parts', () => {
  it('finds what every part becomes by itself', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('object', 'object-wider'),
        fc.constantFrom('mirror-across', 'mirror-down', 'turned'),
        (parts, source) => {
          const args = {
            parts,
            features: ['filled'],
            table: { '0': `@${source}`, '1': '@self' },
            else: 'keep',
          };
          const wanted = digits(apply(args, sources.at(-1) as Image)).join('/');
          expect(answersFor(args, sources)).toContain(wanted);
        },
      ),
      { numRuns: 6 },
    );
  });

  it('proposes nothing where something changes outside the parts', () => {
    const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };
    const images = [picture('1100', '1000', '0000'), picture('0000', '0220', '0020')];
    const changed = [picture('1100', '1000', '0003')];
    expect(learnParts(images, changed, limits, 4).filter(({ args }) => args['parts'] === 'object')).toEqual(
      [],
    );
    expect(learnParts(images, [picture('11')], limits, 4)).toEqual([]);
  });
});
