import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { packageRoot } from '../../config/package.ts';
import { refuseLinkedState } from '../../config/trust.ts';
import type { DashboardProject } from '../../server/server.ts';
import type { Promoted } from '../../shared/api.ts';
import { escaped } from '../../shared/for-people.ts';
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
    .argument('[projects...]', 'project folders; each keeps its own ledger (default: the working folder)')
    .option('--port <number>', 'port; 0 picks a free one', parsePort, 8000)
    .option('--ledger <file>', descriptions.ledger)
    .addHelpText(
      'after',
      '\nAnyone on this machine can read it. The printed address contains a token, which retry, pause, priority,\ncancel and promote need. Metrics for Prometheus are at /metrics, the API is described at /api/openapi.json.',
    )
    .action(dashboard);
}

async function dashboard(folders: readonly string[], flags: DashboardFlags): Promise<void> {
  if (folders.length > 0) return await dashboardOf(folders, flags);
  const { port, ledger } = flags;
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

/** Several checkouts behind one address. */
async function dashboardOf(folders: readonly string[], { port, ledger }: DashboardFlags): Promise<void> {
  const { settingsFrom } = await import('../../app/settings.ts');
  const { startDashboards } = await import('../../server/server.ts');
  if (ledger !== undefined)
    throw new UserError(
      'dashboard-usage',
      '--ledger is for one project',
      'Each project folder has its own ledger in .orch/ledger.db.',
    );
  const token = randomBytes(24).toString('base64url');
  const { editor } = settingsFrom();
  const projects = projectsIn(folders);
  await using server = await startDashboards(projects, { port, token, clock: systemClock, editor });
  process.stdout.write(`${server.url}\n`);
  process.stderr.write(escaped`shows ${projects.map(({ name }) => name).join(', ')}; Ctrl-C ends it\n`);
  await untilStopped();
}

function projectsIn(folders: readonly string[]): DashboardProject[] {
  const whole = folders.map((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError('no-folder', escaped`there is no folder ${folder}`);
    return realpathSync(folder);
  });
  const taken = new Set<string>();
  return [...new Set(whole)].map((folder) => {
    refuseLinkedState(folder, process.env);
    const plain =
      path
        .basename(folder)
        .replaceAll(/[^\w.-]+/g, '-')
        .replace(/^\.+/, '') || 'project';
    let name = plain;
    for (let number = 2; taken.has(name); number++) name = `${plain}-${number}`;
    taken.add(name);
    return {
      name,
      ledger: path.join(folder, '.orch', 'ledger.db'),
      promote: async (ticket) => await promoteIn(folder, ticket),
    };
  });
}

/** In a separate process: a project's settings and files belong to its folder. */
async function promoteIn(folder: string, ticket: string): Promise<Promoted> {
  const program = path.join(packageRoot, 'bin', 'orch.js');
  const args = [program, 'market', 'promote', ticket, '--json'];
  const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 16 << 20 }, (_, out, talk) =>
      resolve({ stdout: out, stderr: talk }),
    );
  });
  const lines = stdout.trim();
  const [lemma] = lines === '' ? [] : (JSON.parse(lines) as Promoted[]);
  if (lemma) return lemma;
  throw new UserError('not-promoted', `${ticket} was not promoted: ${stderr.trim()}`);
}
