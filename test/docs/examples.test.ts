import { expect, test } from 'vitest';
import { blocksOf, documents, testExamples } from './examples.ts';

testExamples(false);

test.each(documents)('$file has an example that the tests run', ({ blocks }) => {
  expect(blocks.flatMap(({ examples }) => examples).length).toBeGreaterThan(0);
});

test('reads commands, exit codes and expected lines', () => {
  const text =
    '```console long\n$ orch check --stmt "a b" --rule \'$0\'    # exit 1\n✗ rejected\n\n$ orch stats\n```\n';
  expect(blocksOf(text)).toEqual([
    {
      isLong: true,
      examples: [
        { args: ['check', '--stmt', 'a b', '--rule', '$0'], code: 1, quoted: ['✗ rejected'] },
        { args: ['stats'], code: 0, quoted: [] },
      ],
    },
  ]);
});
