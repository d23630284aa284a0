import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/arc/language/registry.ts';
import type { Program } from '../../../src/arc/language/program.ts';
import { reasonFor, sentenceOf, stepsOf } from '../../../src/arc/render/explain.ts';
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
      'Take the objects (object), each with nothing else in its box, then take the image that is first by least cells, then cut to the smallest rectangle around the filled cells.',
    );
  });

  it('names the steps that make the frame of another step', () => {
    const framed: Program = [...program.slice(0, 2), { op: 'embed', args: { of: 'input', frame: 1 } }];
    expect(sentenceOf(framed)).toBe(
      'Take the objects (object), each with nothing else in its box, then take the image that is first by least cells, then paste the image at its place on an empty frame (from the input).',
    );
  });

  it('names only arguments that operations have', () => {
    for (const { summary, parameters } of operations.values())
      for (const [, name] of summary.matchAll(/\{(\w+)\}/g)) expect(Object.keys(parameters)).toContain(name);
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
