import { expect, test } from 'vitest';
import { advisories, affects, openAdvisories } from '../../../src/lean/gate/advisories.ts';
import { attacks } from '../../soundness/suite.ts';

test('every advisory is closed by a tested check, or open for a kind of Lean', () => {
  const disguises = new Set(attacks.map(({ disguise }) => disguise));
  const unshown = advisories.filter(({ closed, test: shown, openOn }) =>
    shown === undefined ? closed !== undefined && openOn === undefined : !disguises.has(shown),
  );
  expect(unshown).toEqual([]);
});

test('no number occurs twice', () => {
  const numbers = advisories.map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('versions before the fix are affected, including its release candidates', () => {
  const fixedIn4330 = { number: 1, what: '', fixedIn: '4.33.0' };
  const versions = ['4.9.0', '4.28.0', '4.32.2', '4.33.0-rc2', '4.33.0', '4.33.1', '4.100.0', 'nightly'];
  expect(versions.filter((version) => affects(fixedIn4330, version))).toEqual([
    '4.9.0',
    '4.28.0',
    '4.32.2',
    '4.33.0-rc2',
    'nightly',
  ]);
  expect(affects({ ...fixedIn4330, since: '4.30.0' }, '4.28.0')).toBe(false);
});

test('the embedded Lean has no open advisory; a native one has those of its runtime', () => {
  expect(openAdvisories({ version: '4.28.0', kind: 'embedded' })).toEqual([]);
  expect(openAdvisories({ version: '4.28.0', kind: 'lake' })).toContain('lean4#14838');
  expect(openAdvisories({ version: '4.34.1', kind: 'path' })).toEqual([]);
});
