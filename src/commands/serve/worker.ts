import type { Command } from 'commander';
import { addRunOptions, exitFrom, parseSeconds } from '../options/options.ts';

export function registerWorker(program: Command): void {
  addRunOptions(
    program
      .command('worker')
      .description(
        'Work on goals of runs with --workers remote, from any machine that can reach their ledger',
      )
      .option('--name <text>', 'name in verdicts and statistics (default: host and process id)')
      .option(
        '--queue <url>',
        'database to take goals from, for a role with no other rights (default: the ledger)',
      )
      .option('--project <folder>', 'project whose goals it may open (repeatable)', addTo, [])
      .option('--idle <seconds>', 'exit after this long without work (default: never)', parseSeconds),
  )
    .addHelpText(
      'after',
      `
It claims goals, works on them with its own Lean and CPU target, and sends what it found; the run judges every proof itself. Ctrl-C or SIGTERM
lets attempts in flight finish and gives the rest back; a worker that dies loses its goals to others within half a minute.
deploy/worker-role.sql makes a database role for --queue that can take goals and leave answers, and nothing else.`,
    )
    .action(exitFrom(async () => (await import('../../app/remote-worker.ts')).worker));
}

function addTo(folder: string, before: readonly string[]): string[] {
  return [...before, folder];
}
