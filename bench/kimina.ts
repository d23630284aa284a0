import os from 'node:os';
import path from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { systemClock } from '../src/core/clock.ts';
import { environmentOf } from '../src/lean/project/environment.ts';
import { checkSnippet } from '../src/lean/dialects/kimina.ts';
import { open, type Orch } from '../src/app/orch.ts';
import { startServe } from '../src/server/serve/serve.ts';

/**
 * Snippets with shared headers, many clients at once: `node bench/kimina.ts [snippets] [clients]`. Ratios, measured side by side:
 * to a fresh Lean for every snippet (a sample of them), and to one worker that checks them one after the other.
 */
const [count = 500, clients = 16] = process.argv.slice(2).map(Number);
const freshSample = 10;

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

async function sequence(): Promise<number> {
  await using orch = await openWith(1);
  await inSequence(orch, snippets.slice(0, 1)); // started
  return (await secondsOf(async () => await inSequence(orch, snippets))) / count;
}

async function manyClients(): Promise<number> {
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
  await ask(snippets.slice(0, workers)); // started
  const shares = Array.from({ length: clients }, (_, client) =>
    snippets.filter((_s, index) => index % clients === client),
  );
  return (await secondsOf(async () => void (await Promise.all(shares.map(ask))))) / count;
}

const [one, queue, many] = [await fresh(), await sequence(), await manyClients()];
rmSync(folder, { recursive: true });
console.log(
  JSON.stringify({
    snippets: count,
    clients,
    seconds_each: { fresh: one, sequence: queue, clients: many },
    ratio_to_fresh: one / many,
    ratio_to_sequence: queue / many,
  }),
);
