import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { systemClock } from '../core/clock.ts';
import { parsePort, parseSeconds, untilStopped } from './options.ts';

interface McpOptions {
  readonly http?: true;
  readonly port: number;
  readonly project: string;
  readonly clientCpu: number;
  readonly token?: string;
}

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description('Serve the gate, the search and the ledger to agents, by the Model Context Protocol')
    .option('--project <folder>', 'the project that it is about', '.')
    .option('--client-cpu <seconds>', 'CPU-seconds that one client may spend', parseSeconds, 3600)
    .option('--http', 'streamable HTTP on this machine, instead of stdin and stdout')
    .option('--port <number>', 'with --http: where; 0 takes any port that is free', parsePort, 8137)
    .option('--token <text>', 'with --http: the token that clients must send (default: a new one, printed)')
    .addHelpText(
      'after',
      '\n`orch init --agents` writes the files that tell Claude Code about it. docs/INTEGRATIONS.md lists the tools.',
    )
    .action(serveMcp);
}

async function serveMcp(options: McpOptions): Promise<void> {
  const { open } = await import('../library/orch.ts');
  const { deskFor } = await import('../server/mcp/mcp.ts');
  await using orch = await open({ project: options.project });
  const desk = deskFor(orch, options.project, systemClock);
  if (!options.http) {
    const { serveStdio } = await import('../server/mcp/stdio.ts');
    await serveStdio(desk, options.clientCpu, process.stdin, process.stdout);
    return;
  }
  const { startMcpHttp } = await import('../server/mcp/http.ts');
  const token = options.token ?? randomBytes(24).toString('base64url');
  const { port, clientCpu } = options;
  await using server = await startMcpHttp({ desk, port, token, clientCpu });
  process.stdout.write(`${JSON.stringify({ url: server.url, token })}\n`);
  process.stderr.write('clients send "Authorization: Bearer TOKEN"; Ctrl-C ends it\n');
  await untilStopped();
}
