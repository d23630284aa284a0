import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/lean/gate/verdict.ts';
import {
  asksForSecondKernel,
  extraAxioms,
  readComparison,
  verdictsFor,
} from '../../../src/lean/dialects/comparator.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const config = {
  challenge_module: 'Challenge',
  solution_module: 'Solution',
  theorem_names: ['first', 'second'],
  definition_names: [],
  permitted_axioms: ['propext', 'Quot.sound', 'Classical.choice'],
  enable_nanoda: false,
  external_kernels: {},
};

const accepted = (name: string, axioms: string[] = []): Verdict => ({
  verdict: 'accepted',
  kind: 'proved',
  message: '',
  name,
  assurance: 'replayed',
  axioms,
  assumes: [],
  advisories: [],
  judge: 'test',
  bound: [],
  toolchain: '',
  fingerprint: '',
  cpu_seconds: 0,
});

function projectWith(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const ask = (external_kernels: Record<string, string[]>): typeof config => ({
  ...config,
  theorem_names: ['first'],
  external_kernels,
});

describe("comparator's config", () => {
  test('only the named theorems count, and only with permitted axioms', () => {
    const judged = [accepted('first', ['propext']), accepted('other')];
    expect(verdictsFor(config, judged).map(({ name, verdict, kind }) => [name, verdict, kind])).toEqual([
      ['first', 'accepted', 'proved'],
      ['second', 'unknown', 'no-theorem'],
    ]);
    const one = { ...config, theorem_names: ['first'] };
    expect(verdictsFor({ ...one, permitted_axioms: [] }, judged)).toMatchObject([
      { verdict: 'rejected', kind: 'axiom', assurance: null },
    ]);
    const unreadable: Verdict = { ...accepted('x'), verdict: 'unknown', kind: 'timeout', assurance: null };
    const { name: _, ...nameless } = unreadable;
    expect(verdictsFor(one, [nameless])).toEqual([nameless]);
    expect(extraAxioms({ ...config, permitted_axioms: ['propext', 'mine'] })).toEqual(['mine']);
  });

  test('a definition hole counts only if the challenge declares it and its definition was accepted', () => {
    const holes = { ...config, theorem_names: ['first'], definition_names: ['n'] };
    const defined: Verdict = { ...accepted('n'), kind: 'defined', assurance: 'axioms-clean' };
    const words = (judged: readonly Verdict[], declared: readonly string[]): string[] =>
      verdictsFor(holes, [accepted('first'), ...judged], new Set(declared)).map(({ verdict }) => verdict);
    expect(words([defined], ['n', 'first'])).toEqual(['accepted', 'accepted']);
    expect(words([defined], ['first'])).toEqual(['accepted', 'unknown']);
    expect(words([], ['n'])).toEqual(['accepted', 'unknown']);
    expect(words([accepted('n')], ['n'])).toEqual(['accepted', 'unknown']);
    expect(words([{ ...defined, axioms: ['mine'] }], ['n'])).toEqual(['accepted', 'rejected']);
    const wrong: Verdict = { ...accepted('first'), verdict: 'rejected', assurance: null };
    expect(verdictsFor(holes, [wrong])).toEqual([wrong]);
  });

  test('additional declarations of the solution do not count', () => {
    const beyond: Verdict[] = [
      accepted('first'),
      { ...accepted('second'), assurance: 'axioms-clean' },
      { ...accepted('third'), kind: 'defined', assurance: 'axioms-clean' },
    ];
    const asked = { ...config, theorem_names: ['first', 'second', 'third'] };
    expect(
      verdictsFor(asked, beyond).map(({ verdict, kind, assurance }) => [verdict, kind, assurance]),
    ).toEqual([
      ['accepted', 'proved', 'replayed'],
      ['unknown', 'no-theorem', null],
      ['unknown', 'no-theorem', null],
    ]);
  });

  test('the output stays in the folder of the config', () => {
    const outside = temporaryFolder();
    const folder = projectWith({ 'Challenge.lean': '', 'Solution.lean': '' });
    symlinkSync(outside, path.join(folder, 'link'));
    const comparisonTo = (json_output_path: string) => {
      const file = path.join(folder, 'config.json');
      writeFileSync(file, JSON.stringify({ ...config, json_output_path }));
      return readComparison(file);
    };
    expect(comparisonTo('out.json').output).toBe(path.join(folder, 'out.json'));
    for (const elsewhere of [path.join(outside, 'out.json'), '../out.json', 'link/out.json'])
      expect(() => comparisonTo(elsewhere)).toThrow('json_output_path is outside');
  });

  test('the second kernel must agree if requested; no other kernel is run', () => {
    expect(asksForSecondKernel(ask({ orch: ['npx', 'orch', 'kernel'] }))).toBe(true);
    const ours = ask({ orch: ['node', 'node_modules/orch/bin/orch.js', 'kernel'] });
    expect(asksForSecondKernel(ours)).toBe(true);
    expect(verdictsFor(ours, [accepted('first')])).toMatchObject([{ verdict: 'unknown' }]);
    const agreed: Verdict = { ...accepted('first'), assurance: 'second-kernel' };
    expect(verdictsFor(ours, [agreed])).toEqual([agreed]);
    const nanoda = [
      { ...ask({}), enable_nanoda: true },
      ask({ nanoda: ['/opt/nanoda_bin'], other: ['nanoda_bin'] }),
    ];
    for (const wanted of nanoda) {
      expect(asksForSecondKernel(wanted)).toBe(true);
      expect(verdictsFor(wanted, [accepted('first')])).toMatchObject([{ verdict: 'unknown' }]);
      expect(verdictsFor(wanted, [agreed])).toMatchObject([
        { verdict: 'accepted', message: expect.stringContaining('used instead of nanoda') as string },
      ]);
    }
    const both = { ...ask({ nanoda: ['nanoda_bin', '--fast'] }), enable_nanoda: true };
    expect(verdictsFor(both, [agreed])).toMatchObject([{ verdict: 'unknown' }]);
    for (const command of [['rm', '-rf', '.'], ['orch', 'kernel', '--no'], ['kernel'], ['torch', 'kernel']]) {
      expect(asksForSecondKernel(ask({ orch: command }))).toBe(false);
      expect(verdictsFor(ask({ orch: command }), [agreed])).toMatchObject([{ verdict: 'unknown' }]);
    }
  });

  test('errors in the config are reported', () => {
    const folder = projectWith({
      'bad.json': '{',
      'short.json': '{"challenge_module": "A"}',
      'lost.json': JSON.stringify(config),
    });
    for (const name of ['bad.json', 'short.json', 'lost.json', 'none.json'])
      expect(() => readComparison(path.join(folder, name))).toThrow(/json|Challenge/);
  });
});
