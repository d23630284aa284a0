import { generateKeyPairSync } from 'node:crypto';
import path from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { isTrusted, type KnownScript, type NewScript } from '../../../src/store/scripts/script-cache.ts';
import { exportBundle, importBundle } from '../../../src/store/scripts/bundle.ts';
import type { SavedFrontier } from '../../../src/store/ledger/search-memory.ts';
import { ScriptStore } from '../../../src/store/scripts/scripts.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const script = (template: string, overrides: Partial<NewScript> = {}): NewScript => ({
  shape: 'a'.repeat(32),
  goalHash: 'b'.repeat(64),
  template,
  tokens: ['Nat', '⊢ ='],
  lean: 'lean-4.28.0-embedded',
  mathlib: '',
  project: '',
  seconds: 0.5,
  ...overrides,
});

const opened = (folder = temporaryFolder()): ScriptStore =>
  new ScriptStore(path.join(folder, 'scripts.db'), systemClock);

describe('the cache of scripts', () => {
  test('counts uses and successes, persists, and drops entries of other Lean versions', () => {
    const folder = temporaryFolder();
    {
      using store = opened(folder);
      const { id } = store.learn(script('omega'));
      store.learn(script('omega'));
      store.used(id, false, 1);
      store.learn(script('grind', { lean: 'lean-4.27.0-embedded' }));
    }
    using store = opened(folder);
    const [known, ...others] = store.usable({ lean: 'lean-4.28.0-embedded', mathlib: '' });
    expect(others).toEqual([]);
    expect(known).toMatchObject({ template: 'omega', uses: 3, successes: 2, seconds: 2, origin: 'here' });
    expect(known && isTrusted(known)).toBe(false);
    expect(store.usable({ lean: 'lean-4.28.0-embedded', mathlib: 'other' })).toEqual([]);
    expect(store.prune({ lean: 'lean-4.28.0-embedded', days: 90 })).toBe(1);
    expect(store.all()).toHaveLength(1);
  });

  test('a bundle is reproducible, and its figures count as one use', () => {
    using here = opened();
    using there = opened();
    for (let use = 0; use < 5; use++) here.learn(script('induction ⟦h0⟧ <;> grind [⟦c0⟧]'));
    here.learn(script('omega'));
    const { bytes, address } = exportBundle({ scripts: here.all() });
    expect(exportBundle({ scripts: here.all().toReversed() })).toEqual({ bytes, address });
    const bundle = importBundle(bytes);
    expect(there.add(bundle.scripts)).toBe(2);
    expect(there.add(bundle.scripts)).toBe(0);
    expect(there.all().map(({ uses, successes, origin }) => [uses, successes, origin])).toEqual([
      [1, 1, address],
      [1, 1, address],
    ]);
  });

  test('bundles full of junk do not displace what is known here, and take limited space', () => {
    using here = opened();
    const own = Array.from({ length: 30 }, (_, at) => here.learn(script(`own ${at}`)).id);
    for (const id of own) here.used(id, false, 1);
    const junk = Array.from({ length: 11_000 }, (_, at) => ({
      ...script(`junk ${at}`),
      id: '',
      uses: 1_000_000,
      successes: 1_000_000,
      lastUsed: 0,
      origin: '',
    }));
    const arms = Array.from({ length: 4000 }, (_, at) => ({
      arm: `arm${at}`,
      context: '',
      trials: 9,
      mean: 1,
    }));
    for (const round of [1, 2]) {
      const { bytes } = exportBundle({
        scripts: junk.map((row) => ({ ...row, template: `${row.template} of ${round}` })),
        arms: arms.map((row) => ({ ...row, context: String(round) })),
      });
      const bundle = importBundle(bytes);
      here.add(bundle.scripts);
      here.addArms(bundle.arms);
    }
    const usable = new Set(here.usable({ lean: 'lean-4.28.0-embedded', mathlib: '' }).map(({ id }) => id));
    expect(own.filter((id) => !usable.has(id))).toEqual([]);
    expect(here.all().length).toBeLessThanOrEqual(20_000);
    expect(here.arms()).toHaveLength(5000);
  });

  test('a bundle includes the premises of goals, and is refused if they are invalid', () => {
    const premises = {
      goalHash: 'c'.repeat(64),
      fingerprint: 'print',
      encoder: 'e1',
      vector: 'Zm9v',
      premises: ['Nat.add_comm'],
      helped: [],
    };
    using store = opened();
    store.learn(script('omega'));
    const bundle = importBundle(exportBundle({ scripts: store.all(), premises: [premises] }).bytes);
    expect(bundle.scripts).toHaveLength(1);
    expect(bundle.premises).toEqual([premises]);
    const bad = { ...premises, premises: ['two words'] };
    expect(() => exportBundle({ premises: [bad] })).toThrow('premises');
  });

  test('a signature is required if a key is configured', () => {
    const pem = { type: 'spki', format: 'pem' } as const;
    const keys = generateKeyPairSync('ed25519', {
      publicKeyEncoding: pem,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const other = generateKeyPairSync('ed25519').publicKey.export(pem).toString();
    using store = opened();
    store.learn(script('omega'));
    const signed = exportBundle({ scripts: store.all() }, { privateKey: keys.privateKey }).bytes;
    expect(importBundle(signed, keys.publicKey).scripts).toHaveLength(1);
    expect(() => importBundle(signed, other)).toThrow('not signed with this key');
    expect(() => importBundle(exportBundle({ scripts: store.all() }).bytes, keys.publicKey)).toThrow(
      'not signed',
    );
  });
});

const row = (overrides: object): KnownScript => ({
  ...script('omega'),
  uses: 1,
  successes: 1,
  id: '',
  lastUsed: 0,
  origin: '',
  ...overrides,
});

const emptyHeader = {
  format: 2,
  versions: { lean: [], mathlib: [], encoder: [], project: '' },
  scripts: 0,
  premises: 0,
  frontiers: 0,
  arms: 0,
};

const frontier = (tactics: string[]): SavedFrontier => ({
  goalHash: 'd'.repeat(64),
  fingerprint: 'print',
  start: { state: '0'.repeat(32), goals: ['⊢ p'] },
  nodes: [{ state: '1'.repeat(32), tactics, goals: ['⊢ q'], score: -1 }],
});

test('open searches and records of arms travel; foreign ones weigh little and bring no printed goals', () => {
  const arms = [{ arm: 'micro/close', context: 'Nat', trials: 900, mean: 0.7 }];
  const frontiers = [frontier(['intro x', 'cases x'])];
  const { bytes } = exportBundle({ scripts: [row({ mathlib: 'rev' })], frontiers, arms }, { project: 'abc' });
  const bundle = importBundle(bytes);
  expect(bundle.arms).toEqual([{ ...arms[0], trials: 5 }]);
  const plain = { goals: [] };
  expect(bundle.frontiers).toEqual([
    {
      ...frontiers[0],
      start: { state: '0'.repeat(32), ...plain },
      nodes: [{ state: '1'.repeat(32), tactics: ['intro x', 'cases x'], score: -1, ...plain }],
    },
  ]);
  expect(bundle.versions).toEqual({
    lean: ['lean-4.28.0-embedded'],
    mathlib: ['rev'],
    encoder: [],
    project: 'abc',
  });
});

describe('a hostile bundle is refused or has little effect', () => {
  test.each<[name: string, bytes: () => Uint8Array]>([
    ['no zstd', () => Buffer.from('{}')],
    ['gigabytes in kilobytes', () => zstdCompressSync(Buffer.alloc(200_000_000))],
    [
      'an address that is not its own',
      () => zstdCompressSync(`${JSON.stringify({ ...emptyHeader, address: 'c'.repeat(64) })}\n`),
    ],
    ['a script of a megabyte', () => exportBundle({ scripts: [row({ template: 'x'.repeat(1e6) })] }).bytes],
    ['another field', () => exportBundle({ scripts: [row({ proof: 'by omega' })] }).bytes],
    ['more successes than uses', () => exportBundle({ scripts: [row({ successes: 2 })] }).bytes],
    ['a number that is none', () => exportBundle({ scripts: [row({ uses: -1 })] }).bytes],
  ])('%s', (_, bytes) => {
    expect(() => importBundle(bytes())).toThrow('not a bundle of caches');
  });

  test('inflated figures do not help, and code, axioms and `sorry` are omitted', () => {
    const { scripts, leftOut } = importBundle(
      exportBundle({
        scripts: [
          row({ uses: 1e9, successes: 1e9 }),
          row({ template: 'run_tac Lean.Elab.Tactic.evalTactic x' }),
          row({ template: 'sorry' }),
          row({ template: 'set_option maxHeartbeats 0 in simp' }),
        ],
      }).bytes,
    );
    expect(leftOut).toBe(3);
    const code = exportBundle({ frontiers: [frontier(['intro x', 'run_tac f'])] });
    expect(importBundle(code.bytes)).toMatchObject({ frontiers: [], leftOut: 1 });
    expect(scripts).toMatchObject([{ template: 'omega', uses: 1, successes: 1 }]);
  });
});
