import { systemClock } from '../../../src/core/clock.ts';
import { firstWeights } from '../../../src/core/difficulty.ts';
import { EventBus } from '../../../src/core/events.ts';
import type { Domain, LemmaSide, Memory, Opened, Rows } from '../../../src/core/scheduler/domain.ts';
import { Engine, type EngineParts } from '../../../src/core/scheduler/engine.ts';
import type { Outcome, Strategy } from '../../../src/core/strategy.ts';
import { Throttle } from '../../../src/core/throttle.ts';
import type { Judgement } from '../../../src/core/verdict.ts';
import { readMachine } from '../../../src/io/machine.ts';
import type { AttemptColumns, RunConfig, RunEvent, Slot } from '../../../src/shared/events.ts';

/**
 * A small real domain for tests of the engine: find a proper factor. The checker divides. A lemma is an already known factor of
 * the number.
 */
export interface Factoring {
  readonly n: number;
  readonly hint?: number;
}

/** The goal itself, and how often it was opened. */
interface Work {
  readonly goal: Factoring;
}

export const spent = {
  cpuSeconds: 0.01,
  peakBytes: 0,
  tactics: [],
  nextGoals: [],
  premises: [],
  cacheHits: 0,
};

const columns = { context: [''], environment: null };
const noColumns: AttemptColumns = { tactics: [], next_goals: [], premises: [] };

const factorRows: Rows<Factoring, number, unknown, string> = {
  goal: ({ n }) => ({
    goal: `factor ${n}`,
    statement: `${n} is composite`,
    preamble: '',
    topic: null,
    label: n > 1000 ? 'hard' : 'easy',
    source: null,
    allow_axioms: [],
    task: { n },
  }),
  candidate: (factor) => ({ proof: String(factor), premises: [] }),
  recall: { strategy: 'cache', arm: 'cache/proved', artifact: Number },
  noTrace: {},
  traceOf: (factor) => ({ tactics: [String(factor)] }),
  attempt: (trace) => ({ ...noColumns, tactics: (trace as Partial<AttemptColumns>).tactics ?? [] }),
  evidence: (judge) => ({
    axioms: [],
    assumes: [],
    toolchain: 'arithmetic',
    judge,
    fingerprint: 'arithmetic',
  }),
  closed: () => ({ axioms: [], assumes: [] }),
};

export class FactorDomain implements Domain<Factoring, Work, number, unknown, string> {
  readonly rows: Rows<Factoring, number, unknown, string> = factorRows;
  readonly opened: number[] = [];
  readonly judged: number[] = [];
  open_ = 0;
  mostOpen = 0;

  async open(goal: Factoring): Promise<Opened<Work>> {
    if (!Number.isInteger(goal.n))
      return { kind: 'unreadable', message: 'not a whole number', cpuSeconds: 0.001 };
    this.opened.push(goal.n);
    this.mostOpen = Math.max(this.mostOpen, ++this.open_);
    const facts = {
      goalHash: String(goal.n),
      fingerprint: 'arithmetic',
      features: { nodes: goal.n },
      context: goal.n % 2 === 0 ? 'even' : 'odd',
      variant: goal.hint === undefined ? '' : `hint ${goal.hint}`,
    };
    return { kind: 'open', work: { goal }, facts, cpuSeconds: 0.001 };
  }

  async close(): Promise<void> {
    this.open_--;
  }

  async judge({ goal: { n } }: Work, candidate: number): Promise<Judgement<string>> {
    this.judged.push(candidate);
    const isRight = candidate > 1 && candidate < n && n % candidate === 0;
    return {
      verdict: isRight ? 'accepted' : 'rejected',
      kind: isRight ? 'proved' : 'statement-changed',
      message: isRight ? 'it divides' : 'it does not divide',
      assurance: isRight ? 'replayed' : null,
      evidence: 'factors',
      cpuSeconds: 0.005,
    };
  }

  /** A small factor is nicer than a large one. */
  async polish({ goal: { n } }: Work, candidate: number): Promise<{ candidate: number; cpuSeconds: number }> {
    return { candidate: Math.min(candidate, n / candidate), cpuSeconds: 0.002 };
  }

  readonly lemmas: LemmaSide<Factoring, Work> = {
    missing: async ({ n, hint }) => ({
      request: hint === undefined ? { statement: String(n), name: `factor_of_${n}`, columns } : undefined,
      cpuSeconds: 0.001,
    }),
    request: (_, statement) => ({ statement, name: `factor_of_${statement}`, columns }),
    goalOf: ({ goal }) => ({ n: Number(goal) * 2 }),
    lend: (goal, { proof }) => ({ ...goal, hint: Number(proof) }),
  };

  workers(): [] {
    return [];
  }
}

export type FactorStrategy = Strategy<Work, number>;

/** One arm for each way: it gets the number and answers an outcome. */
export function strategyOf(
  name: string,
  ways: Record<string, (goal: Factoring, signal: AbortSignal) => Promise<Outcome<number>>>,
  slot: 'light' | 'heavy' = 'light',
): FactorStrategy {
  return {
    name,
    slot,
    tier: 0,
    budget: { cpu_seconds: 8, heartbeats: 1000 },
    ready: async () => ({ ready: true }),
    arms: () => Object.keys(ways).map((way) => ({ name: `${name}/${way}`, signature: `${way} 1` })),
    attempt: async ({ goal }, arm, { signal }) => {
      const way = ways[arm.name.slice(name.length + 1)];
      if (!way) throw new Error(`no way ${arm.name}`);
      return await way(goal, signal);
    },
  };
}

/** Tries every divisor up to a bound. */
export const division =
  (bound: number) =>
  async ({ n }: Factoring): Promise<Outcome<number>> => {
    for (let divisor = 2; divisor <= bound && divisor < n; divisor++)
      if (n % divisor === 0) return { kind: 'solved', candidate: divisor, ...spent };
    return { kind: 'failed', message: `no divisor up to ${bound}`, ...spent };
  };

/** Ends only when someone cancels it. */
export async function patience(_goal: Factoring, signal: AbortSignal): Promise<Outcome<number>> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  return { kind: 'cancelled', message: 'cancelled', ...spent };
}

export const forgetful: Memory = {
  tried: async () => [],
  provedBefore: async () => [],
  failures: async () => 0,
  similarTicket: async () => undefined,
  claim: async () => true,
  newlySettled: async () => [],
  newRequests: async () => [],
};

const config: RunConfig = {
  profile: 0,
  timeout: null,
  goal_cpu: 100,
  cpu_target: 1,
  cores: 2,
  workers: 2,
  max_light: 8,
  max_heavy: 2,
  escalate_threshold: 0.6,
};

/** An engine over this domain that keeps its events. */
export function engineOf(
  strategies: FactorStrategy[],
  overrides: Partial<Omit<EngineParts<Factoring, Work, number, unknown, string>, 'start'>> & {
    config?: Partial<RunConfig>;
    resumes?: string;
  } = {},
): { engine: Engine<Factoring, Work, number, unknown, string>; events: RunEvent[]; domain: FactorDomain } {
  const events: RunEvent[] = [];
  const domain = new FactorDomain();
  const engine = new Engine({
    domain,
    strategies,
    memory: forgetful,
    bus: new EventBus('run', systemClock, { append: async (batch) => events.push(...batch) }),
    clock: systemClock,
    throttle: new Throttle(1, 2),
    readMachine,
    ...overrides,
    start: {
      command: 'run',
      resumes: overrides.resumes ?? null,
      seed: 1,
      toolchain: 'arithmetic',
      version: '0',
      sources: [],
      config: { ...config, ...overrides.config },
      strategies: [],
      learned: { arms: [], weights: firstWeights },
    },
  });
  return { engine, events, domain };
}

export function ofType<Type extends RunEvent['type']>(
  events: readonly RunEvent[],
  type: Type,
): Extract<RunEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<RunEvent, { type: Type }> => event.type === type);
}

/** How many attempts in slots of a kind ran side by side. */
export function mostAtOnce(events: readonly RunEvent[], slot: Slot): number {
  const running = new Set<string>();
  let most = 0;
  for (const event of events) {
    if (event.type === 'attempt-started' && event.slot === slot) running.add(event.attempt);
    if (event.type === 'attempt-finished') running.delete(event.attempt);
    most = Math.max(most, running.size);
  }
  return most;
}
