import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { leanCacheFolder, settingsFrom } from '../../src/app/settings.ts';
import { embeddedStatus } from '../../src/lean/toolchain/embedded/status.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const needed = new Set(['image init', 'image std', 'code']);

/**
 * Builds the embedded Lean once for all test files, into the product's own cache folder, in its own process while the
 * first tests run. A test that needs it waits for it.
 */
export default async function prepareLean(): Promise<(() => Promise<void>) | undefined> {
  const { stages } = await embeddedStatus(leanCacheFolder(settingsFrom()));
  if (stages.every(({ name, ready }) => ready || !needed.has(name))) return undefined;
  const child = spawn(process.execPath, [cli, 'lean', 'setup'], { stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = once(child, 'close');
  return async () => {
    const [code] = await ended;
    if (code !== 0) throw new Error(`orch lean setup: exit ${String(code)}`);
  };
}
