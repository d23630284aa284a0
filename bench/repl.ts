import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/config/package.ts';
import { systemClock } from '../src/core/clock.ts';
import { childrenOf, processTreeUsage } from '../src/io/process-usage.ts';
import { keep } from './keep.ts';

/**
 * A long conversation with `orch repl`, and what it costs: milliseconds per kind of request, and memory over time.
 * `--commands N` (default 2,000), `--discard` frees what is no longer needed, `--checkout DIR` measures another version,
 * `--out FILE` saves the figures.
 */
const { values: options } = parseArgs({
  options: {
    commands: { type: 'string', default: '2000' },
    checkout: { type: 'string', default: packageRoot },
    discard: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});
const count = Number(options.commands);
const megabyte = 1e6;

interface Answer {
  readonly env?: number;
  readonly message?: string;
  readonly messages?: readonly { readonly severity: string }[];
  readonly sorries?: readonly { readonly proofState: number }[];
  readonly proofStatus?: string;
  readonly discarded?: number;
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-'));
const child = spawn(process.execPath, [path.join(options.checkout, 'src', 'cli.ts'), 'repl'], {
  cwd: folder,
  stdio: ['pipe', 'pipe', 'inherit'],
});
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
const times = new Map<string, number[]>();

async function ask(kind: string, request: object): Promise<Answer> {
  const startedAt = systemClock.now();
  child.stdin.write(`${JSON.stringify(request)}\n\n`);
  const { value, done } = await lines.next();
  if (done) throw new Error('orch repl has ended');
  await lines.next();
  times.set(kind, [...(times.get(kind) ?? []).slice(-999), systemClock.now() - startedAt]);
  return JSON.parse(value) as Answer;
}

function expected(isExpected: boolean, answer: Answer): void {
  if (!isExpected) throw new Error(`an unexpected answer: ${JSON.stringify(answer)}`);
}

/** Requests of all kinds: a definition, a theorem about it, a goal with its proof, an error. Returns how many. */
async function round(number: number): Promise<number> {
  const base = await ask('command', { cmd: `def f${number} (n : Nat) : Nat := n + ${number}` });
  expected(base.env !== undefined && base.messages === undefined, base);
  const theorem = `theorem t${number} (n : Nat) : f${number} n = n + ${number} := by sorry`;
  const goal = await ask('command on an environment', { cmd: theorem, env: base.env });
  const [sorry] = goal.sorries ?? [];
  expected(sorry !== undefined, goal);
  const step = await ask('tactic', { tactic: 'rfl', proofState: sorry?.proofState });
  expected(step.proofStatus === 'Completed', step);
  const wrong = await ask('error', { cmd: `example : f${number} 1 = 0 := by decide`, env: base.env });
  expected(wrong.messages?.[0]?.severity === 'error', wrong);
  if (!options.discard) return 4;
  const envs = [base, goal, wrong].flatMap(({ env }) => env ?? []);
  const freed = await ask('discard', { discard: { envs, proofStates: [sorry?.proofState] } });
  expected(freed.discarded === 4, freed);
  return 5;
}

/** Resident megabytes of a process and all that it started. */
function sizeOf(pid: number): number {
  return (processTreeUsage(pid)?.residentBytes ?? 0) / megabyte;
}

/** Resident megabytes of the conversation itself and of its workers. */
function memory(): { readonly program: number; readonly workers: number } {
  const pid = child.pid ?? 0;
  const workers = childrenOf(pid).reduce((sum, one) => sum + sizeOf(one), 0);
  return { program: Math.round(sizeOf(pid) - workers), workers: Math.round(workers) };
}

const samples: { readonly commands: number; readonly program: number; readonly workers: number }[] = [];
const begunAt = systemClock.now();
let asked = 0;
let sampledAt = 0;
for (let number = 0; asked < count; number++) {
  asked += await round(number);
  if (asked - sampledAt < count / 20) continue;
  sampledAt = asked;
  samples.push({ commands: asked, ...memory() });
  console.error(JSON.stringify(samples.at(-1)));
}
const seconds = (systemClock.now() - begunAt) / 1000;
const ended = once(child, 'close');
child.stdin.end();
await ended;
rmSync(folder, { recursive: true });

const quantile = (sorted: readonly number[], share: number): number =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
const milliseconds = Object.fromEntries(
  [...times].map(([kind, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return [kind, { median: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) }];
  }),
);
const figures = { commands: asked, seconds, exit_code: child.exitCode, milliseconds, megabytes: samples };
console.log(JSON.stringify(figures));
keep(options.out, figures);
