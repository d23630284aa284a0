import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { generatedDocuments } from '../../docs/generated.ts';
import { descriptions } from '../../src/config/descriptions.ts';
import { loadSettings } from '../../src/config/load.ts';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';

const documents = await generatedDocuments(packageRoot);

test.each(Object.entries(documents))(
  '%s is up to date (otherwise run npm run docs:generated)',
  (file, text) => {
    expect(readFileSync(path.join(packageRoot, file), 'utf8')).toBe(text);
  },
);

describe('settings', () => {
  test('every setting has a description', () => {
    for (const text of Object.values(descriptions)) expect(text.length).toBeGreaterThan(10);
  });

  test('the example files change nothing as they are, and are valid when uncommented', () => {
    const folder = temporaryFolder();
    const plain = loadSettings({ folder, environment: {} });
    copyFileSync(path.join(packageRoot, 'orch.example.toml'), path.join(folder, 'orch.toml'));
    copyFileSync(path.join(packageRoot, '.env.example'), path.join(folder, '.env'));
    expect(loadSettings({ folder, environment: {} })).toEqual(plain);
    const assignments = /^# ((?:[a-z_]+ = |[A-Z_]+=|\[).*)$/gm;
    for (const [from, to] of [
      ['orch.example.toml', 'orch.toml'],
      ['.env.example', '.env'],
    ] as const)
      writeFileSync(path.join(folder, to), (documents[from] ?? '').replaceAll(assignments, '$1'));
    const settings = loadSettings({ folder, environment: {} });
    expect(settings.features).toEqual({ copilot: false, reprover: false });
    expect(Object.keys(parse(readFileSync(path.join(folder, 'orch.toml'), 'utf8'))).sort()).toEqual(
      Object.keys(descriptions).sort(),
    );
  });
});
