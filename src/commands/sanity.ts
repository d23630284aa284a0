import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { ExitCode } from '../core/exit.ts';
import { bankFile } from './bank.ts';

const lemmas = 100;
const seconds = 30;

export function registerSanity(program: Command): void {
  program
    .command('sanity')
    .description(`Does it work at all? ${lemmas} lemmas, ${seconds} s, one line`)
    .action(async () => {
      process.exitCode = await sanity();
    });
}

/** Works on a ledger of its own: what earlier runs found must not help, and this one must not count as experience. */
async function sanity(): Promise<ExitCode> {
  const { ledgerOf, settingsFrom } = await import('../app.ts');
  const { prove } = await import('./proving.ts');
  const { readGoals } = await import('../lean/goals/read.ts');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-sanity-'));
  try {
    const settings = { ...settingsFrom({ cpu_target: '1' }), ledger: path.join(folder, 'ledger.db') };
    const { goals_solved = 0, goals_total = 0 } =
      (await prove({
        settings,
        reporter: 'silent',
        choice: { command: 'sanity', sources: ['bank'], seed: 1, timeout: seconds },
        image: 'init',
        goals: async ({ pool }) => {
          const { goals } = await readGoals(bankFile, async (_, talk) => await pool.use(talk));
          return { goals: goals.slice(0, lemmas), unreadable: [] };
        },
      })) ?? {};
    await using ledger = await ledgerOf(settings, { readOnly: true });
    const { successes } = await ledger.views.totals();
    process.stdout.write(
      `${goals_solved} of ${goals_total} lemmas solved in ${seconds} s (${Math.round((100 * goals_solved) / goals_total)} %), ${successes} successes in the ledger\n`,
    );
    if (successes > 0) return ExitCode.done;
    process.stderr.write(banner('SANITY FAILED: no proof reached the ledger. Run orch doctor.'));
    return ExitCode.broken;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function banner(text: string): string {
  const isColoured = process.stderr.isTTY && !process.env['NO_COLOR'];
  return isColoured ? `\u001B[41;97m ${text} \u001B[0m\n` : `*** ${text} ***\n`;
}
