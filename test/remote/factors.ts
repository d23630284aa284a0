import { failed, success } from '../../src/core/result.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';
import { firstWeights } from '../../src/core/difficulty.ts';
import { EventBus } from '../../src/core/events.ts';
import type { Domain, Memory, Opened, Refutation, Rows } from '../../src/core/scheduler/domain.ts';
import { Engine } from '../../src/core/scheduler/engine.ts';
import type { Outcome, Strategy } from '../../src/core/strategy.ts';
import { Throttle } from '../../src/core/throttle.ts';
import type { Judgement } from '../../src/core/verdict.ts';
import { readMachine } from '../../src/io/machine.ts';
import { Dispatch } from '../../src/remote/dispatch.ts';
import { asClaim } from '../../src/remote/claim.ts';
import { RemoteDomain } from '../../src/remote/domain.ts';
import type { RemoteCandidate } from '../../src/remote/received.ts';
import { remoteStrategy } from '../../src/remote/strategy.ts';
import { RemoteWorker } from '../../src/remote/worker.ts';
import type { Judges } from '../../src/remote/judges.ts';
import type { GoalColumns, RunEvent, RunStarted } from '../../src/shared/events.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { longestHoldSeconds, type GoalQueue, type Ground } from '../../src/store/queue/queue.ts';
import type { WorkerQueue } from '../../src/store/queue/worker-queue.ts';

/**
 * A cheap domain for tests of everything around it: a goal is a number, a proof is a proper factor, a refutation is that it is
 * prime. A composite number without a factor below a thousand stays unsolved.
 */
export interface Factor {
  readonly id: string;
  readonly n: number;
  /** How long an attempt takes. */
  readonly ms: number;
}

/** Composites, primes, composites with factors that are too large to find, and text that is not a number. */
export function factorGoals(count: number): Factor[] {
  const largePrimes = [1009, 1013, 1019, 1021];
  return Array.from({ length: count }, (_, index) => {
    const [first = 0, second = 0] = [largePrimes[index % 4], largePrimes[(index >> 2) % 4]];
    const n = index % 10 === 0 ? first * second : index % 25 === 1 ? index + 0.5 : 4 + index;
    return { id: `g${index}`, n, ms: 200 + ((index * 37) % 1600) };
  });
}

export const factorGround: Ground = {
  version: '1',
  toolchain: 'arithmetic',
  imports: [],
  options: {},
  closure: '',
  project: null,
  origin: null,
  revision: null,
};

const bound = 1000;
const noCost = { cpuSeconds: 0, peakBytes: 0, tactics: [], nextGoals: [], premises: [], cacheHits: 0 };

function judgeFactor({ n }: Factor, proof: string): Judgement<string> {
  const factor = Number(proof);
  const isRight = factor > 1 && factor < n && n % factor === 0;
  return {
    verdict: isRight ? 'accepted' : 'rejected',
    kind: isRight ? 'proved' : 'kernel',
    message: isRight ? 'it divides' : `${proof} does not divide ${n}`,
    assurance: isRight ? 'replayed' : null,
    evidence: 'factors',
    cpuSeconds: 0,
  };
}

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return n > 1;
}

function describeFactor(goal: Factor): GoalColumns {
  return {
    goal: goal.id,
    statement: `${goal.n} is composite`,
    preamble: '',
    topic: null,
    label: null,
    source: null,
    allow_axioms: [],
    task: goal,
  };
}

const factorRows: Rows<Factor, RemoteCandidate, unknown, string> = {
  goal: describeFactor,
  candidate: (candidate) => candidate,
  recall: { strategy: 'cache', arm: 'cache/proved', artifact: (proof) => ({ proof, premises: [] }) },
  noTrace: {},
  traceOf: ({ proof }) => ({ tactics: [proof] }),
  attempt: () => ({ tactics: [], next_goals: [], premises: [] }),
  evidence: (judge) => ({
    axioms: [],
    assumes: [],
    toolchain: 'arithmetic',
    judge,
    fingerprint: 'arithmetic',
  }),
  closed: () => ({ axioms: [], assumes: [] }),
};

class FactorDomain implements Domain<Factor, Factor, RemoteCandidate, unknown, string> {
  readonly rows = factorRows;

  async open(goal: Factor): Promise<Opened<Factor>> {
    if (!Number.isInteger(goal.n))
      return { kind: 'unreadable', message: `${goal.n} is not a whole number`, cpuSeconds: 0 };
    const facts = {
      goalHash: String(goal.n),
      fingerprint: 'arithmetic',
      features: { nodes: 1 },
      context: goal.n % 2 === 0 ? 'even' : 'odd',
      variant: '',
    };
    return { kind: 'open', work: goal, facts, cpuSeconds: 0 };
  }

  async close(): Promise<void> {}

  async judge(goal: Factor, { proof }: RemoteCandidate): Promise<Judgement<string>> {
    return judgeFactor(goal, proof);
  }

  async refute({ n }: Factor): Promise<Refutation> {
    return { instance: isPrime(n) ? `${n} is prime` : null, cpuSeconds: 0 };
  }

  workers(): [] {
    return [];
  }
}

/** Divides by everything below the bound; takes as long as the goal says. */
const division: Strategy<Factor, RemoteCandidate> = {
  name: 'division',
  slot: 'light',
  tier: 0,
  budget: { cpu_seconds: 1, heartbeats: 1 },
  isExhaustive: true,
  ready: async () => ({ ready: true }),
  arms: () => [{ name: 'division/all', signature: '1' }],
  attempt: async ({ n, ms }, _, { signal }): Promise<Outcome<RemoteCandidate>> => {
    await sleep(ms, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return { ...noCost, kind: 'cancelled', message: 'cancelled' };
    for (let divisor = 2; divisor < Math.min(n, bound); divisor++)
      if (n % divisor === 0)
        return { ...noCost, kind: 'solved', candidate: { proof: String(divisor), premises: [] } };
    return { ...noCost, kind: 'exhausted', message: `no factor below ${bound}` };
  },
};

const factorJudges: Judges<Factor, string> = {
  proof: async (goal, proof) => judgeFactor(goal, proof),
  refutation: async ({ n }, instance) => ({
    verdict: isPrime(n) && instance === `${n} is prime` ? 'accepted' : 'rejected',
    why: `${n} is not prime`,
    cpuSeconds: 0,
  }),
  examine: async (goal) => {
    const opened = await new FactorDomain().open(goal);
    if (opened.kind === 'open') return { kind: 'read', facts: opened.facts, cpuSeconds: 0 };
    return { kind: 'unreadable', why: opened.kind === 'unreadable' ? opened.message : '', cpuSeconds: 0 };
  },
};

export interface Surroundings {
  readonly run: string;
  readonly ledger: Pick<Ledger, 'journal'>;
  readonly clock: Clock;
  /** Goals that are open at the same time. */
  readonly slots: number;
  readonly resumes?: string;
}

const forgetful: Memory = {
  tried: async () => [],
  provedBefore: async () => [],
  failures: async () => 0,
  similarTicket: async () => undefined,
  claim: async () => true,
  newlySettled: async () => [],
  newRequests: async () => [],
};

function partsOf({ run, ledger, clock, slots, resumes }: Surroundings, command: string, isClaiming: boolean) {
  const append = async (events: readonly RunEvent[]): Promise<number> =>
    await ledger.journal.append(isClaiming ? events.map(asClaim) : events);
  const start: RunStarted = {
    command,
    resumes: resumes ?? null,
    seed: 1,
    toolchain: 'arithmetic',
    version: '1',
    sources: [],
    config: {
      profile: 0,
      timeout: null,
      goal_cpu: 100,
      cpu_target: 1,
      cores: 2,
      workers: slots,
      max_light: slots,
      max_heavy: 0,
      escalate_threshold: 1,
    },
    strategies: [],
    learned: { arms: [], weights: firstWeights },
  };
  const bus = new EventBus(run, clock, { append });
  return { memory: forgetful, bus, clock, throttle: new Throttle(1, 2), readMachine, start };
}

/** A run whose goals others work on. */
export async function coordinatorOf(around: Surroundings, queue: GoalQueue, scope: string) {
  const dispatch = await Dispatch.open<Factor>({
    queue,
    scope,
    holdSeconds: longestHoldSeconds,
    groundOf: async () => success(factorGround),
  });
  const parts = partsOf(around, 'coordinator', false);
  const domain = new RemoteDomain<Factor, string>({
    dispatch,
    judges: factorJudges,
    rows: factorRows,
    onAlternative: (judged) => parts.bus.emit('candidate-judged', judged),
  });
  const engine = new Engine({ ...parts, domain, strategies: [remoteStrategy<Factor>()] });
  return { engine, dispatch, bus: parts.bus };
}

/** A run that does everything itself. */
export function aloneOf(around: Surroundings): Engine<Factor, Factor, RemoteCandidate, unknown, string> {
  const parts = partsOf(around, 'alone', false);
  return new Engine({ ...parts, domain: new FactorDomain(), strategies: [division] });
}

/** A worker with its own engine. */
export function workerOf(
  around: Surroundings,
  queue: WorkerQueue,
  name: string,
  idleMs: number | null = null,
) {
  const parts = partsOf(around, 'worker', true);
  const domain = new FactorDomain();
  const engine = new Engine({ ...parts, domain, strategies: [division], staysOpen: true });
  const said: string[] = [];
  const worker = new RemoteWorker<Factor>({
    queue,
    engine,
    name,
    slots: around.slots,
    placeFor: async ({ version }) =>
      version === factorGround.version
        ? success((goal: Factor, id: string) => ({ ...goal, id }))
        : failed({
            kind: 'other-version',
            message: `goals of ${version} are not for ${factorGround.version}`,
          }),
    idleMs,
    say: (text) => void said.push(text),
  });
  parts.bus.listen(worker.hear);
  const run = async (): Promise<void> => {
    await Promise.all([engine.run(), worker.run()]);
    await worker.leave();
  };
  return { engine, worker, said, run };
}
