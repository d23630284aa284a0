import { beforeAll, expect, test } from 'vitest';
import { openGate } from '../run.ts';
import { describeForged, faultOf, forgedExports, judgeForged, type Judged } from './forged.ts';

/** Exports by a grammar, each beside an oracle that knows what is true; the second tier judges many more. */
const seed = 20_261_116;
const count = 300;
const again = 30;

const wordsOf = (all: readonly Judged[]): string[] =>
  all.map(({ number, verdict }) => `${number} ${verdict.verdict} ${verdict.kind}`);

const judged: Judged[] = [];
const repeated: Judged[] = [];

beforeAll(async () => {
  await using lean = await openGate();
  for (const forged of forgedExports(seed, count)) judged.push(await judgeForged(lean.gate, forged));
  for (const forged of judged.slice(0, again).toReversed())
    repeated.push(await judgeForged(lean.gate, forged));
});

test('nothing false is accepted, nothing honest refused, and no export kills the judge', () => {
  const faults = judged.flatMap((one) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [`${fault}: ${describeForged(one)}`];
  });
  expect(faults).toEqual([]);
});

test('the same bytes get the same verdict, in whatever order', () => {
  expect(wordsOf(repeated.toReversed())).toEqual(wordsOf(judged.slice(0, again)));
});

test('the forgeries reach every stage, and some of them are honest', () => {
  const kinds = new Set(judged.map(({ verdict }) => verdict.kind));
  expect([...kinds]).toEqual(
    expect.arrayContaining(['malformed-export', 'statement-changed', 'kernel', 'sorry', 'axiom', 'proved']),
  );
  expect(judged.filter(({ forgery }) => forgery.tricks.length === 0).length).toBeGreaterThan(20);
});
