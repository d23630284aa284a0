import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { learnTiles } from '../../../src/arc/search/learn-tiles.ts';
import { Work } from '../../../src/arc/search/work.ts';
import type { Image } from '../../../src/arc/language/image.ts';
import { bind, type Arguments, type RuleOperation } from '../../../src/arc/language/operation.ts';
import { operations } from '../../../src/arc/language/registry.ts';
import { digits, picture } from '../arbitrary.ts';

function tile(args: Arguments, source: Image): Image {
  const made = bind(operations.get('tile') as RuleOperation, args)(source, { input: source, frame: null });
  return made as Image;
}

/** The outputs of rules learned from the first sources for the last one. */
function answersFor(args: Arguments, sources: readonly Image[]): string[] {
  const targets = sources.slice(0, -1).map((source) => tile(args, source));
  const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };
  return learnTiles([{ images: sources, cost: 0 }], targets, limits, 4).map((rule) =>
    digits(tile(rule.args, sources.at(-1) as Image)).join('/'),
  );
}

const motion = fc.constantFrom('identity', 'rotate180', 'flip-left-right', 'flip-top-bottom', 'empty');

describe('learned tilings', () => {
  const squares = [picture('123', '040', '500'), picture('670', '008', '009'), picture('120', '340', '506')];

  it('learns how copies are rotated by position', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom('column-odd', 'row-odd', 'checker', 'any'),
        motion,
        motion,
        (across, down, feature, even, odd) => {
          const args = { across, down, features: [feature], table: { '0': even, '1': odd } };
          const wanted = digits(tile(args, squares.at(-1) as Image)).join('/');
          expect(answersFor(args, squares)).toContain(wanted);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('learns at which of its own cells an image is repeated', () => {
    for (const feature of ['filled', 'main', 'rare', 'row-alike', 'column-alike']) {
      const sources = [
        picture('112', '222', '210'),
        picture('303', '333', '043'),
        picture('055', '050', '555'),
        picture('660', '777', '600'),
      ];
      const args = { across: 0, down: 0, features: [feature], table: { '0': 'empty', '1': 'identity' } };
      const wanted = digits(tile(args, sources.at(-1) as Image)).join('/');
      expect(answersFor(args, sources)).toContain(wanted);
    }
  });

  it('proposes nothing if an output is not a tiling', () => {
    const limits = { widen: 8, deepest: 2, work: new Work(Infinity) };
    const images = [picture('12'), picture('34')];
    expect(learnTiles([{ images, cost: 0 }], [picture('1213')], limits, 4)).toEqual([]);
    expect(learnTiles([{ images, cost: 0 }], [picture('121')], limits, 4)).toEqual([]);
    const cells = [picture('1'), picture('3')];
    expect(learnTiles([{ images: cells, cost: 0 }], [picture('11', '01')], limits, 4)).toEqual([]);
  });
});
