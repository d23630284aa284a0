import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/arc/verify/comparator.ts';
import { errorType, type ErrorType } from '../../../src/arc/verify/error-type.ts';
import type { Grid } from '../../../src/arc/grid/grid.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { pic } from '../arbitrary.ts';

const keep: Program = [{ op: 'origin', args: {} }];

function turn(motion: string): Program {
  return [{ op: 'move', args: { motion } }];
}

function recolour(table: Readonly<Record<string, string>>): Program {
  return [{ op: 'recolour', args: { table } }];
}

/** One example for each kind: a program, and training pairs on which it fails in that way. */
const examples: readonly (readonly [ErrorType, Program, ...(readonly [Grid, Grid])[]])[] = [
  ['NONE', turn('flip-left-right'), [pic('12'), pic('21')], [pic('30'), pic('03')]],
  [
    'EXEC',
    [{ op: 'reverse_colours', args: { by: 'place' } }],
    [pic('12'), pic('21')],
    [pic('10'), pic('20')],
  ],
  ['OVERSIZE', [{ op: 'enlarge', args: { by: '5' } }], [pic('1000000'), pic('1')]],
  ['EMPTY', [{ op: 'filter', args: { colour: 5 } }], [pic('12'), pic('12')]],
  ['SHAPE_MISMATCH', [{ op: 'crop', args: {} }], [pic('010'), pic('010')]],
  ['NO_CHANGE', keep, [pic('12'), pic('13')]],
  ['ORIENTATION', turn('flip-left-right'), [pic('12', '30'), pic('30', '12')]],
  ['POSITION_SHIFT', turn('flip-left-right'), [pic('1230', '0000'), pic('0000', '3210')]],
  ['COLOUR_PERMUTED', recolour({ 1: '5' }), [pic('12'), pic('62')]],
  ['PALETTE_EXTRA', recolour({ 1: '5' }), [pic('1112'), pic('1111')]],
  ['PALETTE_MISSING', recolour({ 1: '2' }), [pic('1112'), pic('2232')]],
  ['OBJECT_MISSING', recolour({ 1: '2' }), [pic('01100'), pic('20200')], [pic('10000'), pic('02000')]],
  ['OBJECT_EXTRA', turn('flip-left-right'), [pic('10100'), pic('11000')]],
  [
    'PARTIAL_PAIRS',
    turn('flip-left-right'),
    [pic('1100', '0000'), pic('0011', '0000')],
    [pic('1200'), pic('0201')],
  ],
  [
    'NEAR_MISS',
    turn('flip-left-right'),
    [
      pic('1111111111', '1111111111', '1111111111', '1111111112'),
      pic('1111111111', '1111111111', '1111111111', '1211111111'),
    ],
  ],
  ['WRONG_CONTENT', turn('flip-left-right'), [pic('1122'), pic('2111')]],
  ['OVERFIT', recolour({ 1: '5', 2: '6' }), [pic('1'), pic('5')], [pic('2'), pic('6')]],
];

describe('the error kind', () => {
  for (const [kind, program, ...pairs] of examples)
    it(`is ${kind} for the matching error`, () => {
      const train = pairs.map(([input, output]) => ({ input, output }));
      const verdict = verify(program, { train, test: [] });
      const { feature_vec } = compare(program, { train, test: [] }, verdict);
      expect(errorType(train, verdict, feature_vec)).toBe(kind);
    });
});
