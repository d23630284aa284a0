import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import Module from 'node:module';
import path from 'node:path';
import { expect, test } from 'vitest';
import { extensionFiles, zipped } from '../../editors/vscode/package-extension.ts';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { standIn } from './host.ts';

const draft = `theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  sorry

theorem wrong : 1 = 2 := by
  sorry
`;

test('the packaged extension proves, explains, suggests, checks and opens the dashboard', async () => {
  const folder = temporaryFolder();
  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'lakefile.toml'), 'name = "demo"\n[[lean_lib]]\nname = "Demo"\n');
  const file = path.join(project, 'Demo.lean');
  writeFileSync(file, draft);

  // as VS Code unpacks it
  const vsix = path.join(folder, 'orch-lean.vsix');
  writeFileSync(vsix, zipped(await extensionFiles()));
  execFileSync('python3', ['-m', 'zipfile', '-e', vsix, folder]);
  const command = [process.execPath, path.join(packageRoot, 'src', 'cli.ts')];
  const host = standIn(project, { command, cpuSeconds: 20 });
  const { activate, deactivate } = withModule('vscode', host.vscode, () =>
    createRequire(import.meta.url)(path.join(folder, 'extension', 'extension.cjs')),
  ) as { activate: (context: object) => void; deactivate: () => Promise<void> };
  activate({ subscriptions: [] });
  const run = async (name: string): Promise<void> => await host.commands.get(`orch.${name}`)?.();
  try {
    host.open(file, 1);
    await run('suggestPremises');
    expect(host.shown.picks.length).toBeGreaterThan(3);
    expect(host.shown.copied).toEqual([host.shown.picks[0]]);
    await run('proveSorry');
    expect([host.shown.errors, host.shown.warnings]).toEqual([[], []]);
    expect(readFileSync(file, 'utf8')).not.toContain('p := by\n  sorry');
    const line = readFileSync(file, 'utf8').split('\n').lastIndexOf('  sorry');
    host.open(file, line);
    await run('proveSorry');
    expect(host.shown.warnings.join()).toContain('orch found no proof');
    await run('whyNot');
    expect(host.shown.output[0]).toMatch(/^wrong: (?:refuted|unsolved)/);
    await run('check');
    expect(host.shown.diagnostics).toMatchObject([{ line: line - 1 }]);
    expect(host.shown.infos.at(-1)).toBe('orch: 1 of 2 accepted');
    await run('openDashboard');
    expect(host.shown.opened[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=/);
    expect(host.shown.errors).toEqual([]);
  } finally {
    await deactivate();
  }
});

/** Loads something while `require(name)` gives a value, as VS Code does for its own module. */
function withModule(name: string, value: object, load: () => unknown): unknown {
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const { _load } = loader;
  loader._load = (request, ...rest) => (request === name ? value : _load(request, ...rest));
  try {
    return load();
  } finally {
    loader._load = _load;
  }
}
