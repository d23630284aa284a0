import { expect, onTestFinished, test } from 'vitest';
import type { ConstantKey } from '../../src/lean/second-kernel/messages.ts';
import { SecondKernel } from '../../src/lean/second-kernel/second-kernel.ts';

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

test('a file that is judged alone asks for the library once, however much it declares', async () => {
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
