import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { peersFolder, type PeerResult } from '../../docs/compatibility.ts';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from './folders.ts';

/**
 * A checkout of a public repository at a commit, fetched now and never kept. `ORCH_PEERS` names a folder with local copies
 * (`OWNER+NAME/repo`) to fetch from instead of GitHub.
 */
export function fetchPeer(repository: string, commit: string): string {
  const copies = process.env['ORCH_PEERS'];
  const source =
    copies === undefined
      ? `https://github.com/${repository}`
      : path.join(copies, repository.replace('/', '+'), 'repo');
  const folder = temporaryFolder();
  execFileSync('git', ['clone', '--quiet', '--no-checkout', source, folder]);
  execFileSync('git', ['-C', folder, 'checkout', '--quiet', commit]);
  return folder;
}

/** Exactly the known cases differ. With `ORCH_KEEP_PEERS`, the result is recorded for docs/COMPATIBILITY.md. */
export function expectPeer(
  name: string,
  about: Omit<PeerResult, 'date' | 'test' | 'cases' | 'differences'>,
  cases: readonly string[],
  found: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, string>> = {},
): void {
  const unexpected = Object.fromEntries(Object.entries(found).filter(([one]) => !(one in known)));
  expect(unexpected).toEqual({});
  expect(Object.keys(found).toSorted()).toEqual(Object.keys(known).toSorted());
  if (process.env['ORCH_KEEP_PEERS'] === undefined) return;
  const test = path.relative(packageRoot, expect.getState().testPath ?? '');
  const result = { ...about, test, date: new Date().toISOString().slice(0, 10), cases: cases.length };
  writeFileSync(
    path.join(packageRoot, peersFolder, `${name}.json`),
    `${JSON.stringify({ ...result, differences: known } satisfies PeerResult, null, 2)}\n`,
  );
}
