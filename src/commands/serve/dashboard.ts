import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import { systemClock } from '../../core/clock.ts';
import { placeOf, withoutPassword } from '../../store/ledger/place.ts';
import { parsePort } from '../options/options.ts';
import { untilStopped } from '../../io/signals.ts';

interface DashboardFlags {
  readonly port: number;
  readonly ledger?: string;
}

export function registerDashboard(program: Command): void {
  program
    .command('dashboard')
    .description('Serve the dashboard on this machine (loopback only)')
    .option('--port <number>', 'port; 0 picks a free one', parsePort, 8000)
    .option('--ledger <file>', descriptions.ledger)
    .addHelpText(
      'after',
      '\nAnyone on this machine can read it. The printed address contains a token, which retry, pause, priority,\ncancel and promote need. Metrics for Prometheus are at /metrics, the API is described at /api/openapi.json.',
    )
    .action(dashboard);
}

async function dashboard({ port, ledger }: DashboardFlags): Promise<void> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { startDashboard } = await import('../../server/server.ts');
  const settings = settingsFrom({ ledger });
  const place = placeOf(settings.ledger);
  const token = randomBytes(24).toString('base64url');
  await using server = await startDashboard({
    ledger: place,
    port,
    token,
    clock: systemClock,
    editor: settings.editor,
    promote: async (ticket) => await (await import('../../app/promote.ts')).promoteTicket(settings, ticket),
  });
  process.stdout.write(`${server.url}\n`);
  process.stderr.write(`shows ${withoutPassword(place)}; Ctrl-C ends it\n`);
  await untilStopped();
}
