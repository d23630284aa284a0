import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/arc/language/registry.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { reasonFor, sentenceOf, stepsOf } from '../../../src/arc/render/explain.ts';
import { phraseOf } from '../../../src/arc/render/phrases.ts';
import { explanationText } from '../../../src/arc/render/task.ts';
import { teach } from '../../../src/arc/search/teacher.ts';
import { pic } from '../arbitrary.ts';
import { inventedTask } from '../invented.ts';

const program: Program = [
  { op: 'cut', args: { by: 'object', of: 'input' } },
  { op: 'pick', args: { by: '-cells', of: 0 } },
  { op: 'crop', args: { of: 1 } },
];

describe('a rule as text', () => {
  it('is one sentence with a phrase for each step', () => {
    expect(sentenceOf(program)).toBe(
      'Take each object (touching cells) as an image, then take the image with the fewest filled cells, then cut to the smallest rectangle around the filled cells.',
    );
  });

  it('names the steps that make the frame of another step', () => {
    const framed: Program = [...program.slice(0, 2), { op: 'embed', args: { of: 'input', frame: 1 } }];
    expect(sentenceOf(framed)).toBe(
      'Take each object (touching cells) as an image, then take the image with the fewest filled cells, then paste the input at its place on an empty frame.',
    );
  });

  it('names only arguments that operations have', () => {
    for (const { summary, parameters } of operations.values())
      for (const [, name] of summary.matchAll(/\{(\w+)\}/g)) expect(Object.keys(parameters)).toContain(name);
  });

  it.each([
    [
      'cells',
      { features: ['self', 'hole-4'], table: { '0,0': '@self', '0,1': '4' }, else: 'keep', rounds: 1 },
      'give each cell colour 4 where it is empty and it is enclosed',
    ],
    [
      'treat_objects',
      { objects: 'object', features: ['object-largest'], table: { '1': 'keep', '2': 'fill 3' }, on: 'all' },
      'for each object (touching cells), if it is the largest, fill its holes in colour 3',
    ],
    [
      'move_objects',
      { objects: 'blob', features: ['any'], table: { '0': 'slide down' }, leave: 'trail 2' },
      'for each object (touching cells of one colour), slide it down until something is in the way, leaving a trail in colour 2',
    ],
    [
      'choose',
      { features: ['only-main'], table: { '0': 'leave', '1': 'take' } },
      'take the first image whose main colour is unique',
    ],
    [
      'tile',
      { across: 0, down: 0, features: ['main'], table: { '0': 'empty', '1': 'identity' } },
      'lay copies of the image side by side, one per cell; left out where it does not show the main colour',
    ],
  ])('says what a learned table does: %s', (op, args, phrase) => {
    expect(phraseOf({ op, args })).toBe(phrase);
  });

  it('has a phrase without placeholders for every step that the search tries', () => {
    for (const { name, search } of operations.values())
      for (const { args } of search)
        expect(phraseOf({ op: name, args })).not.toMatch(/[{}]|undefined|-[a-z]+ing/);
  });

  it('shows the value after each step', () => {
    const shown = stepsOf(program, pic('1100', '0000', '0002'));
    expect(shown.map(({ grids }) => grids.length)).toEqual([2, 1, 1]);
    expect([...(shown[2]?.grids[0]?.cells ?? [])]).toEqual([2]);
  });
});

describe('an explained task', () => {
  const task = inventedTask('flip');
  const { attempts } = teach(task, { maxNodes: 20_000 });
  const [first, second] = attempts;
  if (first === undefined || second === undefined) throw new Error('two attempts expected');

  it('says what the runner-up answers and why it came second', () => {
    const text = explanationText(task, attempts, 'digits');
    expect(text).toContain(sentenceOf(first.candidate.program));
    expect(text).toContain('test 0, step 1: ');
    expect(text).toContain(`it came second because ${reasonFor(first, second)}`);
    expect(explanationText(task, [], 'digits')).toBe('');
    const miss = { ...first, candidate: { ...first.candidate, verifier_score: 0.9 } };
    expect(explanationText(task, [miss], 'digits')).toMatch(
      /^no rule fits every training pair; the nearest: /,
    );
  });

  it('gives the most important reason', () => {
    const twin = { ...first, candidate: { ...first.candidate } };
    expect(reasonFor(first, twin)).toContain('arbitrary');
    expect(reasonFor(first, { ...twin, candidate: { ...twin.candidate, verifier_score: 0.9 } })).toContain(
      'does not fit',
    );
    expect(reasonFor(first, { ...twin, candidate: { ...twin.candidate, price: 900 } })).toContain(
      'complicated',
    );
    expect(reasonFor(first, { ...twin, support: { ...twin.support, votes: -9 } })).toContain('views');
  });
});
