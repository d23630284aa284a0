import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether a run gives equal bytes for 1, 2 and 4 workers, and after kill -9 and --resume: real processes of `orch arc run`,
 * the killed one as soon as it has ended some of its tasks.
 */
export async function killFigures(batch: string, tasks: number, folder: string): Promise<string> {
  const rowsOf = async (name: string, workers: number, more: readonly string[] = []): Promise<string> => {
    await arcRun(argsFor(batch, tasks, join(folder, name), workers, more)).ended;
    return readFileSync(join(folder, name, 'rows.jsonl'), 'utf8');
  };
  const one = await rowsOf('one', 1);
  const others = [await rowsOf('two', 2), await rowsOf('four', 4)];
  const cut = join(folder, 'cut');
  const killed = arcRun(argsFor(batch, tasks, cut, 2, []));
  await endedTasks(join(cut, 'rows.jsonl.progress'), Math.ceil(tasks / 3));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const left = countLines(join(cut, 'rows.jsonl.progress')) - 1;
  others.push(await rowsOf('cut', 2, ['--resume']));
  rmSync(folder, { recursive: true });
  const isEqual = others.every((rows) => rows === one);
  return `rows of ${tasks} tasks with 1, 2 and 4 workers, and killed (-9) after ${left} tasks and resumed: ${isEqual ? 'equal bytes' : 'DIFFERENT'}`;
}

function argsFor(
  batch: string,
  tasks: number,
  folder: string,
  workers: number,
  more: readonly string[],
): string[] {
  const rows = join(folder, 'rows.jsonl');
  const what = ['arc', 'run', '--batch-file', batch, '--out-jsonl', rows, '--max-tasks', `${tasks}`];
  const loop = ['--iters', '3', '--K-drafts', '8', '--edit-k', '8', '--max-nodes', '40000'];
  return [...what, ...loop, '--workers', `${workers}`, '--log-file', join(folder, 'log'), ...more];
}

function arcRun(args: readonly string[]) {
  const cli = join(import.meta.dirname, '..', 'src', 'cli.ts');
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  return { child, ended: promise };
}

/** Waits until this many tasks have ended; a run that is over before has none left to kill. */
async function endedTasks(file: string, count: number): Promise<void> {
  for (let seen = false; countLines(file) <= count;) {
    seen ||= existsSync(file);
    if (seen && !existsSync(file)) throw new Error('the run was over before it could be killed');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function countLines(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}
