import { expect, test } from 'vitest';
import { parseName, parseNames } from '../../../src/lean/base/names.ts';

test.each([
  ['a', ['a']],
  ['a.b', ['a', 'b']],
  ['«a.b»', ['a.b']],
  ['a.«b c».d', ['a', 'b c', 'd']],
  ['«x»»y»', ['x»y']],
  ['_private.0.t', ['_private', 0, 't']],
  ['a.«0»', ['a', '0']],
])('%s', (text, parts) => {
  expect(parseName(text)).toEqual(parts);
});

test.each(['', 'a.', '.a', '«a', 'a»', 'a..b', '«a»b'])('"%s" is not a name', (text) => {
  expect(parseName(text)).toBeUndefined();
  expect(parseNames([text, 'b'])).toEqual([['b']]);
});
