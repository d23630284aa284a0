import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same for all tests of a file; to be called outside of them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
