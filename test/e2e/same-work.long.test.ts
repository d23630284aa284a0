import { spawn } from 'node:child_process';
import os from 'node:os';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { eventsOf } from './goal-files.ts';

/** The decisions and results of a run, in order: choices, how attempts ended, proofs. */
async function storyOf(folder: string): Promise<string[]> {
  const events = await eventsOf(folder);
  return events.flatMap((event) => {
    if (event.type === 'slate-started')
      return `${event.goal}: ${event.arms.map(({ arm }) => arm).join(', ')}`;
    if (event.type === 'attempt-finished') return `${event.goal}: ${event.arm} ${event.outcome}`;
    return event.type === 'goal-closed' ? `${event.goal}: ${event.proof}` : [];
  });
}

async function bank(): Promise<string[]> {
  const folder = temporaryFolder();
  const limits = ['--num-procs', '1', '--timeout', '1800'];
  const { code } = await orch(['bank', '--goals', '60', ...limits], { cwd: folder });
  expect(code).toBe(0);
  return await storyOf(folder);
}

test('a busy machine makes the same attempts in the same order and finds the same proofs', async () => {
  const idle = await bank();
  const noise = Array.from({ length: 2 * os.availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    expect(await bank()).toEqual(idle);
  } finally {
    for (const process of noise) process.kill('SIGKILL');
  }
});
