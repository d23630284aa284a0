import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreement, usualAgreement } from '../../../src/arc/verify/agreement.ts';
import { compare } from '../../../src/arc/verify/comparator.ts';
import { chooseAttempts } from '../../../src/arc/search/choose.ts';
import { odds } from '../../../src/arc/search/odds.ts';
import type { JudgedProposal } from '../../../src/arc/search/teacher.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { pic } from '../arbitrary.ts';

const task = { train: [{ input: pic('12'), output: pic('12') }], test: [pic('34')] };
const program = [{ op: 'origin', args: {} }];
const fitting = compare(program, task, verify(program, task));

/** A rule that fits and answers with one cell of a colour. */
function rule(id: string, colour: number, its: Partial<JudgedProposal> = {}): JudgedProposal {
  const answers = [pic(`${colour}`)];
  return { program, by: 'stack plain', held: 1, ...fitting, id, price: 20, unknown: 0, answers, ...its };
}

const alike = (): number => usualAgreement;

function colours(judged: readonly JudgedProposal[]): number[] {
  return chooseAttempts(task, judged, alike).map(({ candidate }) => candidate.answers[0]?.cells[0] ?? -1);
}

describe('choosing the answers', () => {
  it('takes two different answers, the more likely one first', () => {
    expect(
      colours([rule('a', 1, { price: 40 }), rule('b', 2), rule('c', 2, { price: 21 }), rule('d', 3)]),
    ).toEqual([2, 3]);
  });

  it('adds the votes of agreeing proposers, and counts related rules of one proposer once', () => {
    const lone = rule('a', 1, { price: 20 });
    const kin = ['b', 'c', 'd', 'e'].map((id) => rule(id, 2, { price: 24 }));
    expect(colours([lone, ...kin])[0]).toBe(1);
    expect(
      colours([
        lone,
        ...kin.map((one, i) => ({ ...one, by: `${['stack', 'cells', 'moves', 'members'][i]} plain` })),
      ])[0],
    ).toBe(2);
  });

  it('lowers the confidence when rules disagree, and gives none to a rule that does not fit', () => {
    const [alone] = chooseAttempts(task, [rule('a', 1)], alike);
    const [first, second] = chooseAttempts(task, [rule('a', 1), rule('b', 2)], alike);
    expect(alone?.confident).toBe(true);
    expect(first?.belief).toBeLessThan(alone?.belief ?? 0);
    expect((first?.belief ?? 0) + (second?.belief ?? 0)).toBeLessThan(1);
    const [missed] = chooseAttempts(task, [rule('a', 1, { verifier_score: 0.9 })], alike);
    expect(missed).toMatchObject({ confident: false });
    expect(missed?.belief).toBeLessThan(0.01);
  });

  it('checks competing rules for self-consistency', () => {
    const [first] = chooseAttempts(task, [rule('a', 1), rule('b', 2, { price: 25 })], ({ id }) =>
      id === 'b' ? 2 : 1,
    );
    expect(first?.candidate.id).toBe('b');
  });

  it('prefers the answer that more views of the task support', () => {
    const views = ['plain', 'orient:transpose', 'orient:rotate180'];
    const voted = views.map((view, i) => rule(`v${i}`, 2, { price: 21, by: `stack ${view}` }));
    expect(colours([rule('a', 1), voted[0] as JudgedProposal])[0]).toBe(1);
    expect(colours([rule('a', 1, { by: 'stack plain' }), ...voted])[0]).toBe(2);
  });

  it('prefers rules that pass leave-one-out, cost less and have the test’s table entries', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 80 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (price, held) => {
          const one = rule('a', 1, { price, held });
          expect(odds({ ...one, price: price + 5 })).toBeLessThan(odds(one));
          expect(odds({ ...one, held: held / 2 - 0.1 })).toBeLessThan(odds(one));
          expect(odds({ ...one, unknown: 1 })).toBeLessThan(odds(one));
        },
      ),
    );
  });

  it('does not depend on the order of the rules', () => {
    const rules = [
      rule('a', 1),
      rule('b', 2),
      rule('c', 3, { price: 30 }),
      rule('d', 2, { by: 'cells plain' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
        const chosen = chooseAttempts(task, shuffled, alike);
        expect(chosen.map(({ candidate }) => candidate.id)).toEqual(['b', 'a']);
        expect(chosen[0]?.belief).toBeCloseTo(chooseAttempts(task, rules, alike)[0]?.belief ?? 0, 9);
      }),
    );
  });
});

describe('agreement between views', () => {
  const drawn = {
    train: [
      { input: pic('120', '000', '003'), output: pic('120', '000', '003') },
      { input: pic('45', '00'), output: pic('45', '00') },
    ],
    test: [pic('67')],
  };

  it('is complete for a rule that rotates with the grid and names no colour', () => {
    expect(agreement([{ op: 'origin', args: {} }], drawn)).toBe(2);
  });

  it('is lower for a rule that names a colour or a direction', () => {
    const named = [{ op: 'recolour', args: { of: 'input' as const, table: { 6: '1' } } }];
    expect(agreement(named, drawn)).toBeLessThan(2);
    const falling = [{ op: 'fall', args: { to: 'up' } }];
    const fallen = { train: [{ input: pic('12', '00'), output: pic('12', '00') }], test: [pic('34', '00')] };
    expect(agreement(falling, fallen)).toBeLessThan(agreement([{ op: 'origin', args: {} }], fallen));
  });
});
