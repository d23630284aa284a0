import { randomBytes } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { refuseLinkedState } from '../../config/trust.ts';
import { systemClock } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Desk } from '../../server/mcp/tool.ts';
import { parsePort, parseSeconds } from '../options/options.ts';
import { untilStopped } from '../../io/signals.ts';

interface McpOptions {
  readonly http?: true;
  readonly port: number;
  readonly project: readonly string[];
  readonly clientCpu: number;
  readonly token?: string;
  readonly selftest?: true;
}

export function registerMcp(program: Command): void {
  program
    .command('mcp')
    .description('Serve Lean, search and the checker to agents over the Model Context Protocol')
    .option('--project <folders...>', 'project folders', ['.'])
    .option('--client-cpu <seconds>', 'CPU-seconds per client', parseSeconds, 3600)
    .option('--http', 'use streamable HTTP on loopback instead of stdio')
    .option('--port <number>', 'with --http: port; 0 picks a free one', parsePort, 8137)
    .option('--token <text>', 'with --http: token for clients (default: a new one is printed)')
    .option(
      '--selftest',
      'let a scripted agent prove a goal of a small project through MCP, and print each call',
    )
    .addHelpText(
      'after',
      '\n`orch init --agents` writes the files that register it with Claude Code. docs/INTEGRATIONS.md lists the tools.',
    )
    .action(async (options: McpOptions) => await (options.selftest ? testMcp() : serveMcp(options)));
}

async function testMcp(): Promise<void> {
  const { open } = await import('../../app/orch.ts');
  const { scriptedAgent } = await import('../../server/mcp/self-test.ts');
  const exchanges = await scriptedAgent(
    async (project) => await open({ project, settings: { ledger: path.join(project, 'ledger.db') } }),
    systemClock,
  );
  for (const { tool, arguments: args } of exchanges)
    process.stdout.write(`✓ ${tool}  ${JSON.stringify(args)}\n`);
  process.stdout.write(`${exchanges.length} calls; the goal is proved, written and accepted\n`);
}

async function serveMcp(options: McpOptions): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const desks = await desksOf(options.project, opened);
  if (!options.http) {
    const { serveStdio } = await import('../../server/mcp/stdio.ts');
    await serveStdio(desks, options.clientCpu, process.stdin, process.stdout);
    return;
  }
  const { startMcpHttp } = await import('../../server/mcp/http.ts');
  const token = options.token ?? randomBytes(24).toString('base64url');
  const { port, clientCpu } = options;
  await using server = await startMcpHttp({ desks, port, token, clientCpu });
  process.stdout.write(`${JSON.stringify({ url: server.url, token })}\n`);
  process.stderr.write('clients send "Authorization: Bearer TOKEN"; Ctrl-C ends it\n');
  await untilStopped();
}

/** The projects of a server. If there are several, each has a ledger in its own folder. */
async function desksOf(folders: readonly string[], opened: AsyncDisposableStack): Promise<Desk[]> {
  const { open } = await import('../../app/orch.ts');
  const { deskFor } = await import('../../server/mcp/mcp.ts');
  const whole = folders.map((folder) => {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UserError('no-folder', `--project ${folder}: there is no such folder`);
    return realpathSync(folder);
  });
  const desks: Desk[] = [];
  for (const folder of new Set(whole)) {
    if (whole.length > 1) refuseLinkedState(folder, process.env);
    const own = whole.length > 1 ? { ledger: path.join(folder, '.orch', 'ledger.db') } : {};
    const orch = opened.use(await open({ project: folder, settings: own }));
    const name = path.basename(folder);
    const isTaken = desks.some((desk) => desk.name === name);
    desks.push(deskFor(orch, folder, systemClock, isTaken ? folder : name));
  }
  return desks;
}
