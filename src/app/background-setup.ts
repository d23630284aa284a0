import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import type { Settings } from '../config/schema.ts';
import { packageRoot } from '../config/package.ts';
import type { ImageName } from '../lean/toolchain/embedded/embedded.ts';

/**
 * `orch lean setup` in a process that outlives this one, at low priority: compiling machine code takes half a minute, and the user already has the answer. A caller that needs it in the meantime waits for the same lock; if the process dies, the next command starts another.
 */
export function setUpInBackground(settings: Settings, image: ImageName): void {
  const child = spawn(
    process.execPath,
    [path.join(packageRoot, 'bin', 'orch.js'), 'lean', 'setup', '--image', image],
    {
      // the user may delete or unmount the working folder
      cwd: path.parse(packageRoot).root,
      env: { ...process.env, ORCH_CACHE_DIR: path.resolve(settings.cache_dir) },
      stdio: 'ignore',
      detached: true,
    },
  );
  // a failure only costs time later
  child.on('error', () => {});
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  child.unref();
}
