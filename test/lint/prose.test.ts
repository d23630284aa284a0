import { expect, test } from 'vitest';
import { findingsIn } from '../../lint/prose-findings.ts';
import { passagesOf } from '../../lint/prose-sources.ts';

const bad = [
  'Whoever knows the text of a ticket may complete it.',
  'The machine is read every so many readings.',
  'There is one file a command.',
  'It prints one line a goal.',
  'A run is told to stop by a signal.',
  'The elaborator is believed in nothing.',
  'Fix this before it is mended.',
  'It can heal broken proofs.',
  'The rooms and the arrows are in the drawing.',
  'Every wire has its own page.',
  'The table shows what came of it.',
  'The same goal in other clothes is found.',
  'A goal stands on its preamble.',
  'It goes on where it stopped.',
  'Its time was up.',
  'Four goals are in line.',
  'The page shows proofs.',
  'Its 10 CPU-seconds are spent.',
  'It took 1 attempts.',
  'It cost 1.6043610000000006 seconds.',
  'These are all the strategies that there are.',
  'The proof\nstands\nin the file.',
  `This sentence ${'goes further and '.repeat(15)}never ends.`,
];

test.each(bad)('objects to: %s', (sentence) => {
  expect(findingsIn(sentence)).not.toEqual([]);
});

test.each([
  'Anyone who has the ticket text can complete it.',
  'There is one file per command; each goal prints one line.',
  'A stopped run can be resumed.',
  'orch continues where it stopped, and reports what it recovered.',
  '```\nwhoever writes code may do as they like\n```',
  'The command `whoever` does not exist.',
])('accepts: %s', (text) => {
  expect(findingsIn(text)).toEqual([]);
});

test('reports the line and what to write instead', () => {
  expect(findingsIn('Fine.\n\nIt prints one line a goal.')).toEqual([
    { line: 3, text: 'one line a goal', instead: '"per": one file per command' },
  ]);
});

const textsOf = (file: string, source: string): string[] =>
  passagesOf(file, source).map(({ text }) => text.trim());

test('reads comments and sentences of a program, but neither keys nor SQL', () => {
  const source = `/** Why so. */
const said = { 'a key': 'one two', name: \`three \${x} four\` }; // because of this
run('SELECT a FROM b WHERE c');
`;
  expect(textsOf('src/a.ts', source)).toEqual(['Why so.', 'one two', 'three … four', 'because of this']);
});

test('reads the names and comments of tests, not their data', () => {
  const source =
    "// on purpose\ntest('does a thing', () => { check('some data'); });\ntest.each(rows)('is %s here', f);\n";
  expect(textsOf('test/a.test.ts', source)).toEqual(['on purpose', 'does a thing', 'is %s here']);
});

test('reads markup, Lean and SQL', () => {
  expect(textsOf('web/a.tsx', '<p>some words</p>')).toEqual(['some words']);
  expect(textsOf('lean/A.lean', '/- why\nso -/\ndef a := "an error here" -- and this')).toEqual([
    'why\nso',
    'an error here',
    'and this',
  ]);
  expect(textsOf('sql/a.sql', 'CREATE TABLE a; -- for later')).toEqual(['for later']);
});

test('says on which line a passage begins', () => {
  expect(passagesOf('src/a.ts', '\n\n// here it is\n')).toEqual([{ line: 3, text: ' here it is' }]);
});
