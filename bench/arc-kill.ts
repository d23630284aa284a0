import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a run that must not depend on workers or interruptions. */
const outputs = ['rows.jsonl', 'traces.jsonl', 'metrics.json', 'critic.jsonl', 'student.jsonl'];

/**
 * Checks that a run gives equal bytes for 1, 2 and 4 workers, and after kill -9 and --resume. It uses real processes
 * of `orch arc run`; the killed one is killed once some of its tasks have finished.
 */
export async function killFigures(batch: string, tasks: number, folder: string): Promise<string> {
  const rowsOf = async (name: string, workers: number, more: readonly string[] = []): Promise<string> => {
    await arcRun(argsFor(batch, tasks, join(folder, name), workers, more)).ended;
    return outputs.map((file) => readFileSync(join(folder, name, file), 'utf8')).join('\n');
  };
  const one = await rowsOf('one', 1);
  const others = [await rowsOf('two', 2), await rowsOf('four', 4)];
  const cut = join(folder, 'cut');
  const killed = arcRun(argsFor(batch, tasks, cut, 2, []));
  await endedTasks(join(cut, 'log'), Math.ceil(tasks / 3));
  killed.child.kill('SIGKILL');
  await killed.ended;
  const left = endedIn(join(cut, 'log'));
  others.push(await rowsOf('cut', 2, ['--resume']));
  rmSync(folder, { recursive: true });
  const isEqual = others.every((rows) => rows === one);
  return `rows, traces, metrics and buffers of ${tasks} tasks with 1, 2 and 4 workers, and killed (-9) after ${left} tasks and resumed: ${isEqual ? 'equal bytes' : 'DIFFERENT'}`;
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
  const also = ['--metrics-json', 'metrics.json', '--trace-jsonl', 'traces.jsonl'];
  const buffers = ['--critic-buffer-jsonl', 'critic.jsonl', '--ruler-student-buffer-jsonl', 'student.jsonl'];
  const files = [...also, ...buffers].map((word) => (word.startsWith('--') ? word : join(folder, word)));
  const loop = ['--iters', '3', '--K-drafts', '8', '--edit-k', '8', '--max-nodes', '40000'];
  return [
    ...what,
    ...files,
    ...loop,
    '--workers',
    `${workers}`,
    '--log-file',
    join(folder, 'log'),
    '--log-level',
    'info',
    '--ledger',
    join(folder, 'ledger.db'),
    ...more,
  ];
}

function arcRun(args: readonly string[]) {
  const cli = join(import.meta.dirname, '..', 'src', 'cli.ts');
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'ignore', 'ignore'] });
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  return { child, ended: promise };
}

/** Waits until this many tasks have finished. */
async function endedTasks(log: string, count: number): Promise<void> {
  while (endedIn(log) < count) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The number of finished tasks in the log. */
function endedIn(log: string): number {
  return existsSync(log) ? readFileSync(log, 'utf8').split('"msg":"goal-closed"').length - 1 : 0;
}
