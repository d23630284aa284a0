import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { packageRoot } from '../../src/config/package.ts';
import { standIn } from './host.ts';

test('the extension registers every command of its manifest; only machine settings choose the program', async () => {
  const host = standIn(packageRoot, {});
  vi.doMock('vscode', () => host.vscode);
  const { activate } = await import('../../editors/vscode/src/extension.ts');
  activate({ subscriptions: [] } as never);
  const manifest = JSON.parse(
    readFileSync(path.join(packageRoot, 'editors', 'vscode', 'package.json'), 'utf8'),
  ) as {
    contributes: {
      commands: { command: string }[];
      configuration: { properties: Record<string, { scope?: string }> };
    };
    capabilities: { untrustedWorkspaces: { supported: boolean } };
  };
  const offered = manifest.contributes.commands.map(({ command }) => command);
  expect([...host.commands.keys()]).toEqual(offered);
  expect(manifest.contributes.configuration.properties['orch.command']?.scope).toBe('machine');
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
  await host.commands.get('orch.proveSorry')?.();
  expect(host.shown.errors).toEqual(['orch: open a Lean file first']);
});
