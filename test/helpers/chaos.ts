import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Lease } from '../../src/lean/workers/lease.ts';
import type { FailureKind } from '../../src/lean/base/protocol.ts';
import type { Toolchain } from '../../src/lean/toolchain/toolchain.ts';
import type { RequestLimits } from '../../src/lean/toolchain/worker.ts';
import { openPool } from './lean.ts';
import { SeededRandom } from './random.ts';
import { embeddedLean } from './toolchain.ts';

/** How a request must end: `ok`, or one of the failures that fit what was done to it. */
type Ending = 'ok' | FailureKind;

interface Blow {
  readonly name: string;
  /** Out of 1,000 requests. */
  readonly share: number;
  readonly expected: readonly Ending[];
  strike(lease: Lease, random: SeededRandom): Promise<Ending>;
}

const generousMs = 120_000;
const session = 1;

async function check(
  lease: Lease,
  statement: string,
  proof: string,
  limits: RequestLimits = {},
): Promise<Ending> {
  const reply = await lease.request(
    'check',
    { session, statement, proof },
    { deadlineMs: generousMs, ...limits },
  );
  return reply.ok ? 'ok' : reply.kind;
}

async function load(lease: Lease, text: string, limits: RequestLimits = {}): Promise<Ending> {
  const reply = await lease.request('load', { session, text }, { deadlineMs: generousMs, ...limits });
  if (reply.ok) await lease.request('unload', { sessions: [reply.session] });
  return reply.ok ? 'ok' : reply.kind;
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

const spin = 'partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0';
const manyTheorems = Array.from(
  { length: 5000 },
  (_, index) => `theorem t${index} : ${index} = ${index} := rfl`,
).join('\n');
const alphabet = ['α', 'ß', 'λ', '→', '∀', '𝔸', '😀', '漢', 'ﷺ', '\u0301', '\u200D', 'x'];

const blows: readonly Blow[] = [
  {
    name: 'a proof that holds',
    share: 430,
    expected: ['ok'],
    strike: async (lease, random) =>
      await check(
        lease,
        `theorem t (n : Nat) : n + ${random.below(99)} ≥ n`,
        random.pick(['by omega', 'Nat.le_add_right _ _']),
      ),
  },
  {
    name: 'a proof that does not hold',
    share: 200,
    expected: ['elaboration'],
    strike: async (lease, random) => await check(lease, `theorem t : ${random.below(99)} = 100`, 'by decide'),
  },
  {
    name: 'a syntax error',
    share: 100,
    expected: ['parse'],
    strike: async (lease, random) =>
      await check(lease, 'theorem t : True', 'by '.repeat(1 + random.below(5)) + ')'),
  },
  {
    name: 'unicode',
    share: 100,
    expected: ['ok'],
    strike: async (lease, random) => {
      const text = Array.from({ length: random.below(40) }, () => random.pick(alphabet)).join('');
      return await check(
        lease,
        `theorem «t${text}» : ${JSON.stringify(text)} = ${JSON.stringify(text)}`,
        'rfl',
      );
    },
  },
  {
    name: 'steps',
    share: 60,
    expected: ['ok'],
    async strike(lease) {
      const start = await lease.request('start', {
        session,
        statement: 'theorem t (p q : Prop) (h : p ∧ q) : q ∧ p',
      });
      if (!start.ok) return start.kind;
      const steps = await lease.request('steps', {
        state: start.state,
        tactics: ['constructor', 'grind', 'omega'],
      });
      if (!steps.ok) return steps.kind;
      expect(steps.results.map(({ ok }) => ok)).toEqual([true, true, false]);
      const states = steps.results.flatMap((result) => (result.ok ? [result.state] : []));
      const dropped = await lease.request('drop', { states: [start.state, ...states] });
      return dropped.ok ? 'ok' : dropped.kind;
    },
  },
  {
    name: 'a line of 10 MB',
    share: 10,
    expected: ['invalid-request'],
    strike: async (lease) => await check(lease, 'theorem t : True', 'x'.repeat(10_000_000)),
  },
  {
    name: 'brackets too deep to be sent',
    share: 20,
    expected: ['invalid-request'],
    strike: async (lease) =>
      await check(lease, 'theorem t : True', '('.repeat(20_000) + 'trivial' + ')'.repeat(20_000)),
  },
  {
    name: 'deep nesting',
    share: 10,
    expected: ['recursion'],
    strike: async (lease, random) =>
      await check(lease, `theorem t : ${'¬'.repeat(1500 + random.below(500))}True`, 'by simp'),
  },
  {
    name: 'a deadline that Lean can keep',
    share: 15,
    expected: ['timeout'],
    strike: async (lease, random) => await load(lease, manyTheorems, { deadlineMs: 50 + random.below(100) }),
  },
  {
    name: 'a loop that does not listen',
    share: 4,
    expected: ['timeout'],
    strike: async (lease) => await load(lease, spin, { deadlineMs: 1000 }),
  },
  {
    name: 'a cancellation',
    share: 25,
    expected: ['cancelled'],
    async strike(lease, random) {
      const stop = new AbortController();
      const reply = load(lease, manyTheorems, { signal: stop.signal });
      setTimeout(() => stop.abort(), random.below(100));
      return await reply;
    },
  },
  {
    name: 'a kill',
    share: 16,
    expected: ['crash'],
    async strike(lease, random) {
      await lease.request('memory', {}); // there is a worker now
      const reply = load(lease, manyTheorems);
      setTimeout(() => killGroup(lease.pid), random.below(60));
      return await reply;
    },
  },
  {
    name: 'a memory bomb',
    share: 10,
    expected: ['memory'],
    strike: async (lease, random) =>
      await load(
        lease,
        random.pick([
          'def bomb (n : Nat) : Array Nat := Array.replicate n 0\n#eval (bomb 400000000).size',
          'partial def grow (n : Nat) (xs : List (Array Nat)) : Nat := grow (n + 1) (Array.replicate (4000000 + n) 7 :: xs)\n#eval grow 0 []',
        ]),
      ),
  },
];

/** The failures for a seed, in proportion to their shares, in random order. */
function plan(count: number, random: SeededRandom): Blow[] {
  const all = blows.flatMap((blow) =>
    Array.from({ length: Math.max(1, Math.round((blow.share * count) / 1000)) }, () => blow),
  );
  for (let index = all.length - 1; index > 0; index--) {
    const other = random.below(index + 1);
    [all[index], all[other]] = [all[other] as Blow, all[index] as Blow];
  }
  return all;
}

/** A worker behind a relay that adds invalid lines. */
async function noisyLean(seed: number): Promise<Toolchain> {
  const toolchain = await embeddedLean();
  const relay = fileURLToPath(new URL('../fixtures/noisy-relay.ts', import.meta.url));
  let started = 0;
  return {
    ...toolchain,
    async launch() {
      const { command, args, env, cwd } = await toolchain.launch();
      return {
        command: process.execPath,
        args: [relay, String(seed + started++), command, ...args],
        env,
        cwd,
      };
    },
  };
}

export interface ChaosReport {
  readonly sent: number;
  /** Requests that ended as expected. */
  readonly right: number;
  /** Requests that did not: the failure injected, and how they ended. */
  readonly wrong: readonly string[];
  /** Resident memory of workers after a plain request, in the order of time. */
  readonly residentBytes: readonly number[];
}

/** Sends requests through two workers, each answered exactly once with the right kind. */
export async function chaos(count: number, seed: number): Promise<ChaosReport> {
  const random = new SeededRandom(seed);
  const jobs = plan(count, random);
  const sent = jobs.length;
  const wrong: string[] = [];
  const residentBytes: number[] = [];
  let right = 0;
  await using pool = await openPool({ slots: 2, spare: true }, await noisyLean(seed));
  const serve = async (slot: number): Promise<void> => {
    const own = new SeededRandom(seed + slot + 1);
    for (let job = jobs.pop(); job; job = jobs.pop()) {
      const blow = job;
      await pool.use(async (lease) => {
        const ending = await blow.strike(lease, own);
        if (blow.expected.includes(ending)) right++;
        else wrong.push(`${blow.name}: ${ending}, not ${blow.expected.join(' or ')}`);
        if (ending === 'ok') residentBytes.push(lease.residentBytes);
      });
    }
  };
  await Promise.all([serve(0), serve(1)]);
  return { sent, right, wrong, residentBytes };
}

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  return [...values].sort((first, second) => first - second)[values.length >> 1] ?? 0;
}
