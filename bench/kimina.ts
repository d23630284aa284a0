import os from 'node:os';
import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { systemClock } from '../src/core/clock.ts';
import { childrenOf, processTreeUsage } from '../src/io/process-usage.ts';
import { environmentOf } from '../src/lean/project/environment.ts';
import { checkSnippet } from '../src/lean/dialects/kimina.ts';
import { open, type Orch } from '../src/app/orch.ts';
import { startServe } from '../src/server/serve/serve.ts';

/**
 * Snippets with shared headers, many clients at once: `node bench/kimina.ts [snippets] [clients]`. Ratios, measured side by side:
 * to a fresh Lean for every snippet (a sample of them), and to one worker that checks them one after the other. CPU milliseconds
 * per snippet do not depend on what else the machine does: `possible` is the ratio at which no process waits for another, on this
 * machine's cores.
 */
const [count = 500, clients = 16] = process.argv.slice(2).map(Number);
const freshSample = 10;
/** Snippets before the measurement, after which every process has compiled its code. */
const warm = 100;

const headers = ['', 'open Nat\n', 'set_option autoImplicit false\n', 'namespace Demo\n'];
const snippets = Array.from({ length: count }, (_, index) => {
  const header = headers[index % headers.length] ?? '';
  return {
    id: String(index),
    code: `${header}theorem t${index} (a b c : Nat) (h : a < b) : a + ${index} < b + c + ${index} := by omega`,
  };
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-'));
const openWith = async (workers: number): Promise<Orch> =>
  await open({ settings: { num_procs: workers, ledger: path.join(folder, 'ledger.db') } });

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = systemClock.now();
  await work();
  return (systemClock.now() - startedAt) / 1000;
}

interface Account {
  /** Wall-clock seconds per snippet. */
  readonly seconds: number;
  /** CPU milliseconds per snippet: workers, judges, and this process, which holds the server and its clients. */
  readonly cpu: { readonly elaborate: number; readonly judge: number; readonly server: number };
}

type Role = keyof Account['cpu'];

interface Used {
  readonly role: Role;
  readonly seconds: number;
}

/** CPU seconds so far, by process. */
async function usedBy(orch: Orch): Promise<Map<number, Used>> {
  const { pool } = await orch.leanFor(environmentOf(''));
  const workers = new Set(pool.status().map(({ pid }) => pid));
  const { user, system } = process.cpuUsage();
  const all = new Map<number, Used>([[process.pid, { role: 'server', seconds: (user + system) / 1e6 }]]);
  for (const pid of childrenOf(process.pid))
    all.set(pid, {
      role: workers.has(pid) ? 'elaborate' : 'judge',
      seconds: processTreeUsage(pid)?.cpuSeconds ?? 0,
    });
  return all;
}

async function accountOf(orch: Orch, work: () => Promise<void>): Promise<Account> {
  const before = await usedBy(orch);
  const seconds = (await secondsOf(work)) / count;
  const cpu = { elaborate: 0, judge: 0, server: 0 };
  for (const [pid, after] of await usedBy(orch))
    cpu[after.role] += (1000 * (after.seconds - (before.get(pid)?.seconds ?? 0))) / count;
  return { seconds, cpu };
}

/** One process per snippet, as a script that calls `lean` would. */
async function fresh(): Promise<number> {
  const seconds = await secondsOf(async () => {
    for (const snippet of snippets.slice(0, freshSample)) {
      await using orch = await openWith(1);
      await inSequence(orch, [snippet]);
    }
  });
  return seconds / freshSample;
}

async function inSequence(orch: Orch, some: typeof snippets): Promise<void> {
  const environment = environmentOf('');
  const { gate, pool } = await orch.leanFor(environment);
  const limits = { timeout: 60, signal: new AbortController().signal };
  for (const snippet of some) {
    const { error } = await checkSnippet(snippet, { gate, environment, clock: systemClock, pool }, limits);
    if (error !== undefined) throw new Error(error);
  }
}

async function sequence(): Promise<Account> {
  await using orch = await openWith(1);
  await inSequence(orch, snippets.slice(0, warm)); // started
  return await accountOf(orch, async () => await inSequence(orch, snippets));
}

async function manyClients(): Promise<Account> {
  const workers = os.availableParallelism();
  await using orch = await openWith(workers);
  await using server = await startServe({ orch, clock: systemClock, port: 0, workers, maxWaitSeconds: 600 });
  const ask = async (some: typeof snippets): Promise<void> => {
    const answer = await fetch(`${server.url}/api/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ snippets: some, timeout: 60 }),
    });
    const { results } = (await answer.json()) as { results: { error?: string }[] };
    if (results.some(({ error }) => error !== undefined)) throw new Error(JSON.stringify(results[0]));
  };
  await ask(snippets.slice(0, warm)); // started
  const shares = Array.from({ length: clients }, (_, client) =>
    snippets.filter((_s, index) => index % clients === client),
  );
  return await accountOf(orch, async () => void (await Promise.all(shares.map(ask))));
}

const [one, queue, many] = [await fresh(), await sequence(), await manyClients()];
rmSync(folder, { recursive: true });
const cores = os.availableParallelism();
const sum = ({ cpu }: Account): number => cpu.elaborate + cpu.judge + cpu.server;
// one judge serves up to three workers, and one thread the clients
const slowest = Math.max(many.cpu.elaborate / cores, many.cpu.server, sum(many) / cores);
const judges = Math.max(1, Math.floor(cores / 2));
console.log(
  JSON.stringify({
    snippets: count,
    clients,
    seconds_each: { fresh: one, sequence: queue.seconds, clients: many.seconds },
    cpu_milliseconds_each: { sequence: queue.cpu, clients: many.cpu },
    ratio_to_fresh: one / many.seconds,
    ratio_to_sequence: queue.seconds / many.seconds,
    possible: sum(queue) / Math.max(slowest, many.cpu.judge / judges),
  }),
);
