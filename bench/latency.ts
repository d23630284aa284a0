import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/config/package.ts';
import { keep } from './keep.ts';

/**
 * Milliseconds per request of REPL, Kimina and MCP beside another version, `--beside DIR`, a checkout with its dependencies. The
 * versions take turns, so that a busy machine is busy for both. `--requests N` (default 40), `--out FILE` saves the figures.
 */
const { values: options } = parseArgs({
  options: {
    beside: { type: 'string' },
    requests: { type: 'string', default: '40' },
    out: { type: 'string' },
  },
});
const count = Number(options.requests);

interface Peer {
  ask(number: number): Promise<string>;
  readonly process: ChildProcess;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-'));

function start(checkout: string, args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [path.join(checkout, 'src', 'cli.ts'), ...args], {
    cwd: folder,
    env: { ...process.env, ORCH_LEAN: 'embedded', ORCH_NUM_PROCS: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** A conversation in lines: one request, the first line of the answer. */
function inLines(process: ChildProcess, request: (number: number) => string): Peer {
  if (!process.stdout) throw new Error('a program without output');
  const lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  const ask = async (number: number): Promise<string> => {
    process.stdin?.write(request(number));
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the program has ended');
      if (value !== '') return value;
    }
  };
  return { process, ask };
}

const theorem = (number: number): string =>
  `theorem t${number} (n : Nat) : n + ${number} = ${number} + n := by omega`;

const starts: Readonly<Record<string, (checkout: string) => Promise<Peer>>> = {
  repl: async (checkout) =>
    inLines(start(checkout, ['repl']), (number) => `${JSON.stringify({ cmd: theorem(number) })}\n\n`),
  mcp: async (checkout) => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    };
    const peer = inLines(start(checkout, ['mcp']), (number) => {
      const call = { name: 'lean_run_code', arguments: { code: theorem(number) } };
      const message =
        number === 0 ? { method: 'initialize', params } : { method: 'tools/call', params: call };
      return `${JSON.stringify({ jsonrpc: '2.0', id: number, ...message })}\n`;
    });
    await peer.ask(0);
    return peer;
  },
  kimina: async (checkout) => {
    const server = start(checkout, ['serve', '--port', '0']);
    const url = await new Promise<string>((resolve) => {
      for (const stream of [server.stdout, server.stderr])
        stream?.on('data', (chunk: Buffer) => {
          const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk.toString()) ?? [];
          if (address !== undefined) resolve(address);
        });
    });
    const ask = async (number: number): Promise<string> => {
      const body = JSON.stringify({ snippets: [{ id: 'a', code: theorem(number) }] });
      const headers = { 'content-type': 'application/json' };
      return await (await fetch(`${url}/check`, { method: 'POST', body, headers })).text();
    };
    return { process: server, ask };
  },
};

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;

const milliseconds: Record<string, { now: number; before: number; ratio: number }> = {};
for (const [name, startPeer] of Object.entries(starts)) {
  const peers = await Promise.all([packageRoot, options.beside ?? packageRoot].map(startPeer));
  const times: number[][] = peers.map(() => []);
  // the first requests start Lean
  for (let number = 1; number <= count + 3; number++)
    for (const [index, peer] of peers.entries()) {
      const startedAt = performance.now();
      const answer = await peer.ask(number);
      if (/error/i.test(answer.replaceAll(/"(?:isError|error)":(?:false|null)/g, '')))
        throw new Error(`${name}: ${answer}`);
      if (number > 3) times[index]?.push(performance.now() - startedAt);
    }
  const [now, before] = [median(times[0] ?? []), median(times[1] ?? [])];
  milliseconds[name] = {
    now: Math.round(now),
    before: Math.round(before),
    ratio: Math.round((100 * now) / before) / 100,
  };
  for (const { process: one } of peers) {
    const ended = once(one, 'close');
    one.kill('SIGTERM');
    await ended;
  }
}
rmSync(folder, { recursive: true });
const figures = { requests: count, milliseconds };
console.log(JSON.stringify(figures));
keep(options.out, figures);
