import type { Command } from 'commander';
import { packageRoot } from '../../config/package.ts';
import { UserError } from '../../core/errors.ts';
import { daemonSocket } from '../../io/daemon-socket.ts';
import { untilStopped } from '../../io/signals.ts';
import { parseSeconds } from '../options/options.ts';

interface DaemonFlags {
  readonly idle: number;
}

export function registerDaemon(program: Command): void {
  program
    .command('daemon')
    .description('Keep Lean started, so that orch check answers within a second')
    .option('--idle <seconds>', 'end after this time without a command', parseSeconds, 1800)
    .addHelpText(
      'after',
      '\nWhile it runs, orch check of the same user and the same copy of orch uses it. Every command still gets a separate\nprocess, started in advance. The daemon holds about 1.3 GB of memory. Ctrl-C ends it.',
    )
    .action(daemon);
}

async function daemon({ idle }: DaemonFlags): Promise<void> {
  const { Daemon } = await import('../../server/daemon.ts');
  const address = daemonSocket(packageRoot);
  if (address === undefined)
    throw new UserError(
      'no-socket-folder',
      'no folder is suitable for the socket: only you may have access to it, and its path must be short',
      'Set XDG_RUNTIME_DIR to such a folder.',
    );
  const server = await Daemon.start({
    address,
    idleMs: idle * 1000,
    onReady: () => process.stderr.write('ready\n'),
  });
  process.stderr.write(`listens at ${address}; Ctrl-C ends it\n`);
  void untilStopped().then(() => server.close('stopped'));
  process.stderr.write(`ended: ${await server.ended}\n`);
  process.exit();
}
