import type { Command } from 'commander';
import { systemClock } from '../../core/clock.ts';
import { UserError, messageOf } from '../../core/errors.ts';
import { parsePort, parseSeconds } from '../options/options.ts';
import { untilStopped } from '../../io/signals.ts';

interface ServeFlags {
  readonly port?: number;
  readonly project: string;
  readonly maxWait?: number;
  readonly copilot?: true;
}

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description("Serve Kimina Lean Server's protocol on this machine (loopback only)")
    .option('--port <number>', 'port; 0 picks a free one (default: 8000)', parsePort)
    .option('--project <folder>', 'project whose modules snippets may import', '.')
    .option(
      '--max-wait <seconds>',
      'refuse snippets that wait longer for a worker (default: 60)',
      parseSeconds,
    )
    .option('--copilot', "also serve Lean Copilot's external-model routes /generate and /encode")
    .addHelpText(
      'after',
      '\nLEAN_SERVER_PORT, LEAN_SERVER_MAX_REPLS, LEAN_SERVER_MAX_WAIT and LEAN_SERVER_API_KEY are honoured. docs/INTEGRATIONS.md says what differs.',
    )
    .action(serve);
}

async function serve({ port, project, maxWait, copilot }: ServeFlags): Promise<void> {
  const { open } = await import('../../app/orch.ts');
  const { workersOf } = await import('../../config/schema.ts');
  const { startServe } = await import('../../server/serve/serve.ts');
  const theirs = theirSettings(process.env);
  await using orch = await open({
    project,
    settings: theirs.maxRepls === undefined ? {} : { num_procs: theirs.maxRepls },
  });
  await using server = await startServe({
    orch,
    clock: systemClock,
    port: port ?? theirs.port ?? 8000,
    workers: workersOf(orch.settings),
    maxWaitSeconds: maxWait ?? theirs.maxWait ?? 60,
    token: theirs.key,
    copilot: copilot === true,
  });
  process.stdout.write(`${server.url}\n`);
  process.stderr.write('Ctrl-C ends it\n');
  await untilStopped();
}

/** Environment variables of Kimina's own server. */
function theirSettings(variables: NodeJS.ProcessEnv): {
  port: number | undefined;
  maxRepls: number | undefined;
  maxWait: number | undefined;
  key: string | undefined;
} {
  const number = (name: string, parse: (text: string) => number): number | undefined => {
    const text = variables[name];
    if (text === undefined || text === '') return undefined;
    try {
      return parse(text);
    } catch (error) {
      throw new UserError('bad-variable', `${name}=${text}: ${messageOf(error)}`);
    }
  };
  return {
    port: number('LEAN_SERVER_PORT', parsePort),
    maxRepls: number('LEAN_SERVER_MAX_REPLS', parseSeconds),
    maxWait: number('LEAN_SERVER_MAX_WAIT', parseSeconds),
    key: variables['LEAN_SERVER_API_KEY'] || undefined,
  };
}
