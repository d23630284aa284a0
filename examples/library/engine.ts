// The scheduler without Lean: a domain of its own, with goals "find a proper factor of n".
import {
  Engine,
  EventBus,
  openLedger,
  replayDecisions,
  systemClock,
  Throttle,
  type Arm,
  type AttemptRun,
  type Clock,
  type Domain,
  type EngineParts,
  type Ledger,
  type LedgerOptions,
  type Memory,
  type Outcome,
  type RunEvent,
  type Strategy,
} from 'orch';

type Factors = Domain<number, number, number, unknown, string>;
const columns = { tactics: [], next_goals: [], premises: [] };
const domain: Factors = {
  rows: {
    goal: (n) => ({
      goal: `factor ${n}`,
      statement: `${n} is composite`,
      preamble: '',
      topic: null,
      label: null,
      source: null,
      allow_axioms: [],
      task: { n },
    }),
    candidate: (factor) => ({ proof: String(factor), premises: [] }),
    recall: { strategy: 'cache', arm: 'cache/proved', artifact: Number },
    noTrace: {},
    traceOf: () => ({}),
    attempt: () => columns,
    evidence: (judge) => ({ axioms: [], assumes: [], toolchain: 'arithmetic', judge, fingerprint: '1' }),
    closed: () => ({ axioms: [], assumes: [] }),
  },
  async open(n) {
    const facts = {
      goalHash: String(n),
      fingerprint: '1',
      features: { nodes: n },
      context: 'all',
      variant: '',
    };
    return { kind: 'open', work: n, facts, cpuSeconds: 0 };
  },
  async close() {},
  async judge(n, factor) {
    const isRight = factor > 1 && factor < n && n % factor === 0;
    return {
      verdict: isRight ? 'accepted' : 'rejected',
      kind: isRight ? 'proved' : 'wrong',
      message: isRight ? 'it divides' : 'it does not divide',
      assurance: isRight ? 'replayed' : null,
      evidence: 'division',
      cpuSeconds: 0,
    };
  },
  workers: () => [],
};

const spent = { cpuSeconds: 0, peakBytes: 0, tactics: [], nextGoals: [], premises: [], cacheHits: 0 };
const strategy: Strategy<number, number> = {
  name: 'divide',
  slot: 'light',
  tier: 0,
  budget: { cpu_seconds: 1, heartbeats: 1000 },
  ready: async () => ({ ready: true }),
  arms: (): Arm[] => [2, 3, 5, 7].map((prime) => ({ name: `divide/${prime}`, signature: `by ${prime}` })),
  async attempt(n: number, { name }: Arm, { signal }: AttemptRun): Promise<Outcome<number>> {
    const prime = Number(name.slice('divide/'.length));
    if (signal.aborted) return { kind: 'cancelled', message: 'cancelled', ...spent };
    return n % prime === 0 && n > prime
      ? { kind: 'solved', candidate: prime, ...spent }
      : { kind: 'failed', message: `${prime} is no proper factor`, ...spent };
  },
};

const memory: Memory = {
  tried: async () => [],
  provedBefore: async () => [],
  failures: async () => 0,
  similarTicket: async () => undefined,
  claim: async () => true,
  newlySettled: async () => [],
  newRequests: async () => [],
};

const clock: Clock = systemClock;
const events: RunEvent[] = [];
const bus = new EventBus('example', clock, { append: async (batch) => events.push(...batch) });
const parts: EngineParts<number, number, number, unknown, string> = {
  domain,
  strategies: [strategy],
  memory,
  bus,
  clock,
  throttle: new Throttle(1, 1),
  readMachine: () => ({ own: 0, host: 0, all: 0, residentBytes: 0 }),
  start: {
    command: 'run',
    resumes: null,
    seed: 1,
    toolchain: 'arithmetic',
    version: '1',
    sources: [],
    strategies: [],
    learned: { arms: [], weights: {} },
    config: {
      profile: 0,
      timeout: null,
      goal_cpu: 10,
      cpu_target: 1,
      cores: 1,
      workers: 1,
      max_light: 1,
      max_heavy: 1,
      escalate_threshold: 0.6,
    },
  },
};
const engine = new Engine(parts);
for (const n of [35, 77, 13]) engine.add(n);
await engine.run();
for (const event of events)
  if (event.type === 'goal-closed') console.log(event.goal, event.solved, event.proof);
console.log(replayDecisions(events).differences.length);

const options: LedgerOptions = { clock };
const ledger: Ledger = await openLedger(':memory:', options);
await ledger.journal.append(events);
await ledger.close();

// prints:
// factor 35 true 5
// factor 77 true 7
// factor 13 false null
// 0
