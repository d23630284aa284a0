import { appendFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { judgeClaim } from '../../src/kernel/claim.ts';
import { ConstantsFile } from '../../src/lean/second-kernel/constants-file.ts';
import type { ConstantKey } from '../../src/lean/second-kernel/messages.ts';
import { SecondKernel } from '../../src/lean/second-kernel/second-kernel.ts';
import { temporaryFolder } from '../helpers/folders.ts';

/** An export of definitions `a0 : Type := Prop`, `a1`, … */
function definitions(count: number): unknown {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    format: 2,
    names: [null, ...numbers.map((index) => [0, `a${index}`])],
    levels: [null, ['s', 0]],
    exprs: [
      ['s', 0],
      ['s', 1],
    ],
    declarations: numbers.map((index) => ({
      kind: 'definition',
      name: index + 1,
      levels: [],
      type: 1,
      value: 0,
      hints: 'abbrev',
      safe: true,
    })),
    theorems: numbers.map((index) => index + 1),
  };
}

test('judging a file alone requests the library’s constants once', async () => {
  const asked: (readonly ConstantKey[])[] = [];
  const kernel = new SecondKernel({
    entries: async () => [],
    fetch: async (keys) => {
      asked.push(keys);
      return keys.map((key) => [key, null] as const);
    },
  });
  onTestFinished(async () => await kernel.close());
  const question = {
    kind: 'file',
    statement: undefined,
    candidate: definitions(200),
    allowAxioms: [],
  } as const;
  const { theorems } = await kernel.judge(question);
  expect(theorems.filter(({ outcome }) => outcome.answer === 'accept')).toHaveLength(200);
  expect(asked).toHaveLength(1);
});

/** `t : ∀ p : Prop, p → p`, its proof in row 6, and a constant that is not declared in row 7. */
const rows = {
  format: 2,
  names: [null, [0, 't'], [0, 'other'], [0, 'nowhere']],
  levels: [null],
  exprs: [
    ['s', 0],
    ['b', 0],
    ['b', 1],
    ['p', 0, 0, 1, 2],
    ['p', 0, 0, 0, 3],
    ['l', 0, 0, 1, 1],
    ['l', 0, 0, 0, 5],
    ['c', 2, []],
    ['c', 2, [0]],
    ['c', 3, []],
  ],
};
const theorem = { kind: 'theorem', name: 1, levels: [], type: 4, value: 6 };
const unsafe = { kind: 'definition', name: 2, levels: [], type: 0, value: 0, hints: 'opaque', safe: false };

test.each([
  ['a proof', 'accept', [theorem]],
  ['a proof of what mentions an unknown constant', 'refuse', [{ ...theorem, type: 7 }]],
  ['a wrong theorem that nothing uses', 'accept', [{ ...theorem, name: 2, value: 0 }, theorem]],
  [
    'a constant with a wrong number of universes, in what is unsafe',
    'refuse',
    [{ ...unsafe, type: 8 }, theorem],
  ],
  ['an unknown constant in what is unsafe', 'refuse', [{ ...unsafe, value: 9 }, theorem]],
  ['an unsafe definition that nothing uses', 'accept', [unsafe, theorem]],
])('%s: %s', (_what, answer, declarations) => {
  const statement = {
    ...rows,
    declarations: [],
    definitions: [],
    statements: [{ name: 1, levels: [], type: 4 }],
  };
  const { theorems } = judgeClaim({
    kind: 'claim',
    statement: JSON.stringify(statement),
    candidate: JSON.stringify({ ...rows, declarations, theorems: [1] }),
    allowAxioms: [],
    library: () => null,
  });
  expect(theorems.map(({ outcome }) => outcome.answer)).toEqual([answer]);
});

test('a write that a crash cut short, at any byte, costs only the constants that it cut', async () => {
  const [one, two, three] = ['["A"]', '["B"]', '["C"]'].map((key) => [key, '{"a":{"b":"é"}}'] as const);
  if (!one || !two || !three) throw new Error('three constants');
  const name = path.join(temporaryFolder(), 'cache', 'constants.tsv');
  const file = new ConstantsFile(name);
  expect(await file.read()).toEqual(new Map());
  await file.append([one]);
  const { size, mode } = statSync(name);
  expect(mode & 0o777).toBe(0o600);
  await file.append([two]);
  const whole = readFileSync(name);
  for (let bytes = size; bytes <= whole.length; bytes++) {
    truncateSync(name, size);
    appendFileSync(name, whole.subarray(size, bytes));
    await file.append([three]);
    const known = await file.read();
    known.delete(two[0]);
    expect(known).toEqual(new Map([one, three]));
  }
});

test('concurrent writes are not mixed', async () => {
  const name = path.join(temporaryFolder(), 'constants.tsv');
  const long = 'x'.repeat(700_000);
  const entries = Array.from({ length: 12 }, (_, at) => [`["${at}"]`, `{"${at}":"${long}"}`] as const);
  await Promise.all(entries.map(async (entry) => await new ConstantsFile(name).append([entry])));
  expect(await new ConstantsFile(name).read()).toEqual(new Map(entries));
});
