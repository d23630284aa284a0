import { processUsage } from '../io/process-usage.ts';
import { environmentFingerprint, goalHash } from './fingerprint.ts';
import type { LeanGoal } from './goals/goal.ts';
import type { Lease } from './pool.ts';
import { failure, type Constant, type Cost, type Failure, type Goal, type Message } from './protocol.ts';
import type { Toolchain } from './toolchain/toolchain.ts';
import type { Account } from './workbench/account.ts';
import { featuresOf } from './workbench/features.ts';
import { fill, type Hole } from './workbench/holes.ts';
import { proofOf, renderScript, type ScriptStep } from './workbench/script.ts';
import { keyOf, Tried, type Answer } from './workbench/tried.ts';

/** A point inside the proof of one hole. It outlives the worker that made it: a fresh one is led there again. */
export interface WorkState {
  readonly hole: number;
  readonly goals: readonly Goal[];
  readonly closed: boolean;
  /** What Lean said on the way here, `exact?`'s suggestions among it. */
  readonly messages: readonly Message[];
  /** The tactics from the hole's start to here. */
  readonly tactics: readonly string[];
}
export type StepAnswer = Answer<WorkState>;

export interface WorkbenchOptions {
  readonly toolchain: Toolchain;
  /** Awaited before each request: the CPU throttle. */
  readonly permit?: () => Promise<void>;
  readonly signal?: AbortSignal;
  /** The most that loading and elaborating may take by the clock: a net for what heartbeats do not count. */
  readonly deadlineMs?: number;
}

export type Opened =
  | { readonly ok: true; readonly workbench: Workbench; readonly cpuSeconds: number }
  | { readonly ok: false; readonly failure: Failure; readonly cpuSeconds: number };

export interface RunOptions {
  readonly heartbeats?: number;
  /** Stop at the first answer that closes the hole (default), or already at one that closes the goal in front. */
  readonly until?: 'closed' | 'fewer-goals' | 'end';
}

/** Tactics of libraries that may be there; which of them are is asked when a workbench opens. */
export const optionalTactics: readonly string[] = [
  'aesop',
  'ring',
  'ring_nf',
  'linarith',
  'nlinarith',
  'norm_num',
  'positivity',
  'field_simp',
  'tauto',
  'gcongr',
  'push_neg',
  'bv_decide',
];

/** States kept in the worker; older ones are dropped there and made again when they are wanted. */
const maxStates = 200;
const defaultDeadlineMs = 60_000;
const maxLeftOpen = 5;
/** By the clock, a request may take so many times what its account has left: a loaded machine must not fail a goal. */
const clockFactor = 3;

/**
 * One goal, elaborated once in one leased worker, for all arms that work on it. Requests are served one after the other, so
 * arms that race take turns at each batch.
 *
 *     open ──run──▶ open            the worker died: open again in a fresh one, states are replayed when wanted
 *       └─ every hole closed ──▶ complete: `proof()` has the candidate's text
 */
export class Workbench {
  readonly goal: LeanGoal;
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly features: Readonly<Record<string, number>>;
  /** The constants that the statement mentions. */
  readonly symbols: readonly string[];
  /** What the preamble declares. */
  readonly own: readonly Constant[];
  /** Those of the tactics that not every Lean has which this one has. */
  readonly tactics: ReadonlySet<string>;
  readonly #lease: Lease;
  readonly #options: WorkbenchOptions;
  readonly #tried = new Tried<Node>();
  readonly #holes: readonly Hole[];
  readonly #closed = new Map<number, Node>();
  readonly #live = new Set<Node>();
  #leftOpen: readonly Goal[] = [];
  #roots: readonly Node[];
  #pid: number | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  /** Load the preamble, elaborate the statement, find the holes. */
  static async open(lease: Lease, goal: LeanGoal, options: WorkbenchOptions): Promise<Opened> {
    const meter = new Meter(lease);
    await options.permit?.();
    const elaborated = await elaborate(lease, goal, options, true);
    if ('ok' in elaborated) return { ok: false, failure: elaborated, cpuSeconds: meter.read().cpuSeconds };
    const workbench = new Workbench(lease, goal, options, elaborated);
    return { ok: true, workbench, cpuSeconds: meter.read().cpuSeconds };
  }

  private constructor(lease: Lease, goal: LeanGoal, options: WorkbenchOptions, elaborated: Elaborated) {
    this.goal = goal;
    this.#lease = lease;
    this.#options = options;
    this.#pid = lease.pid;
    this.#holes = elaborated.holes;
    this.#roots = elaborated.roots;
    this.own = elaborated.own;
    this.symbols = elaborated.symbols;
    this.tactics = new Set(elaborated.tactics);
    this.goalHash = goalHash(elaborated.canonical);
    this.fingerprint = environmentFingerprint(options.toolchain, goal.preamble);
    this.features = featuresOf({
      ...elaborated,
      statement: goal.statement,
      goals: elaborated.roots.flatMap(({ goals }) => goals),
    });
  }

  /** The start of each hole that is still open. */
  get open(): readonly WorkState[] {
    return this.#roots.filter(({ hole }) => !this.#closed.has(hole));
  }

  /**
   * Run tactics from a state, each on its own. What was tried before is not run again. The answers stand in the order of
   * the tactics; there are fewer when one of them ended the matter or the account is stopped.
   */
  async run(
    from: WorkState,
    tactics: readonly string[],
    account: Account,
    { heartbeats = account.limits.heartbeats, until = 'closed' }: RunOptions = {},
  ): Promise<StepAnswer[]> {
    const node = from as Node;
    const answers: StepAnswer[] = [];
    const isEnough = ({ state }: { state: WorkState }): boolean =>
      until !== 'end' &&
      (state.closed || (until === 'fewer-goals' && state.goals.length < from.goals.length));
    for (let next = 0; next < tactics.length && account.stopped === undefined;) {
      const known = this.#tried.find(node.key, tactics[next] ?? '', heartbeats);
      if (known) account.hit();
      const batch = known
        ? [known]
        : await this.#batch(node, tactics.slice(next), account, heartbeats, until);
      if (batch.length === 0) break;
      answers.push(...batch);
      next += batch.length;
      if (batch.some((answer) => answer.kind === 'state' && isEnough(answer))) break;
    }
    return answers;
  }

  /** The smallest goals that some tactic left as the only open one. */
  get leftOpen(): readonly Goal[] {
    return this.#leftOpen;
  }

  /** Note that a state proves its hole. */
  close(state: WorkState): void {
    if (state.closed && !this.#closed.has(state.hole)) this.#closed.set(state.hole, state as Node);
  }

  /** The proof that the closed holes make, when none is open. */
  proof(): string | undefined {
    if (this.open.length > 0) return undefined;
    return this.assemble(this.#roots.map(({ hole }) => renderScript(this.#closed.get(hole)?.steps() ?? [])));
  }

  /** The scripts that closed the holes, in their order. */
  scripts(): { readonly hole: number; readonly steps: readonly string[] }[] {
    return this.#roots.flatMap(({ hole }) => {
      const node = this.#closed.get(hole);
      return node ? [{ hole, steps: node.tactics }] : [];
    });
  }

  /** A proof out of one script for each hole. */
  assemble(scripts: readonly string[]): string {
    const { holes } = this.goal;
    if (holes.kind === 'statement') return proofOf(scripts[0] ?? '');
    const prefix = `${this.goal.statement} := `;
    return fill(prefix + holes.template, this.#holes, scripts).slice(prefix.length);
  }

  /** Speak to the worker directly, while no arm does. */
  async borrow<Value>(talk: (lease: Lease) => Promise<Value>): Promise<Value> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      return await talk(this.#lease);
    } finally {
      resolve();
    }
  }

  /** Give the worker's memory back. The lease stays with whoever took it. */
  async end(): Promise<void> {
    await this.#turn;
    if (this.#lease.pid !== this.#pid || this.#pid === undefined) return;
    const states = [...this.#live, ...this.#roots].flatMap(({ server }) => server ?? []);
    await this.#lease.request('drop', { states }, { deadlineMs: defaultDeadlineMs });
    this.#live.clear();
    for (const root of this.#roots) root.place(undefined, undefined);
    this.#pid = undefined;
  }

  /** The start of a hole, closed or not. */
  root(hole: number): WorkState {
    const root = this.#roots[hole];
    if (!root) throw new Error(`there is no hole ${hole}`);
    return root;
  }

  async #batch(
    node: Node,
    tactics: readonly string[],
    account: Account,
    heartbeats: number,
    until: RunOptions['until'],
  ): Promise<StepAnswer[]> {
    const untried = tactics.findIndex((tactic) => this.#tried.find(node.key, tactic, heartbeats));
    const size = Math.min(batchSize(heartbeats, until), untried < 0 ? tactics.length : untried);
    const batch = tactics.slice(0, size);
    return await this.#inTurn(account, [], async () => {
      if (!(await this.#restore(node, account))) return [];
      const deadlineMs = Math.ceil(2000 + account.secondsLeft * clockFactor * 1000);
      const reply = await this.#lease.request(
        'steps',
        { state: node.server ?? -1, tactics: batch, stop_when_closed: until !== 'end', heartbeats },
        { deadlineMs, signal: account.signal },
      );
      account.charge(reply.cost);
      if (this.#lease.pid !== this.#pid) return [];
      if (!reply.ok) {
        // one answer for the first of them, so that a tactic that kills Lean is passed by
        return reply.kind === 'cancelled' ? [] : [{ kind: 'failed', failure: reply }];
      }
      const wasCut = account.signal.aborted || reply.cost.wallSeconds * 1000 >= deadlineMs;
      return reply.results.map((result, index): StepAnswer => {
        const tactic = batch[index] ?? '';
        const answer: Answer<Node> = result.ok
          ? { kind: 'state', state: this.#keep(new Node(node.hole, node, tactic, result, result.state)) }
          : { kind: 'failed', failure: result };
        const isCut = wasCut && index === reply.results.length - 1 && !result.ok;
        if (!isCut) this.#tried.remember(node.key, tactic, heartbeats, answer);
        return answer;
      });
    });
  }

  /** Serve one caller after the other; a caller that is stopped meanwhile gives its turn up. */
  async #inTurn<Value>(
    account: Account,
    none: Value,
    talk: (session: number) => Promise<Value>,
  ): Promise<Value> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    await before;
    try {
      await this.#options.permit?.();
      if (account.stopped !== undefined) return none;
      const session = await this.#session(account);
      return session === undefined ? none : await talk(session);
    } finally {
      resolve();
    }
  }

  /** The session of the preamble in the worker of now; after a death everything starts again in a fresh one. */
  async #session(account: Account): Promise<number | undefined> {
    const limits = { deadlineMs: this.#options.deadlineMs ?? defaultDeadlineMs };
    const session = await this.#lease.session(this.goal.preamble, limits);
    if (typeof session === 'number' && this.#lease.pid === this.#pid) return session;
    const meter = new Meter(this.#lease);
    this.#live.clear();
    this.#pid = this.#lease.pid;
    const again = await elaborate(this.#lease, this.goal, this.#options, false);
    account.charge(meter.read());
    if ('ok' in again) {
      account.break(again.message);
      this.#pid = undefined;
      return undefined;
    }
    for (const [index, root] of again.roots.entries()) this.#roots[index]?.moveTo(root);
    this.#pid = this.#lease.pid;
    return again.session;
  }

  /** Lead the worker of now to a state; false when it does not get there any more. */
  async #restore(node: Node, account: Account): Promise<boolean> {
    if (node.isIn(this.#pid)) return true;
    if (!node.parent) return node.isIn(this.#pid);
    if (!(await this.#restore(node.parent, account))) return false;
    const body = { state: node.parent.server ?? -1, tactic: node.tactic };
    const reply = await this.#lease.request('step', body, { deadlineMs: defaultDeadlineMs });
    account.charge(reply.cost);
    if (!reply.ok || this.#lease.pid !== this.#pid) return false;
    node.place(reply.state, this.#pid);
    this.#live.add(node);
    return true;
  }

  #keep(node: Node): Node {
    const [only, ...others] = node.goals;
    if (only && others.length === 0)
      this.#leftOpen = [...this.#leftOpen, only]
        .sort((first, second) => sizeOf(first) - sizeOf(second))
        .slice(0, maxLeftOpen);
    node.place(node.server, this.#pid);
    this.#live.add(node);
    if (this.#live.size > maxStates) void this.#dropOldest();
    return node;
  }

  /** Half of them at once: one request instead of a hundred. */
  async #dropOldest(): Promise<void> {
    const old = [...this.#live].slice(0, maxStates / 2);
    const states = old.flatMap(({ server }) => server ?? []);
    for (const node of old) {
      this.#live.delete(node);
      node.place(undefined, undefined);
    }
    const before = this.#turn;
    const pid = this.#pid;
    this.#turn = before.then(async () => {
      if (this.#lease.pid === pid) await this.#lease.request('drop', { states });
    });
    await this.#turn;
  }
}

function sizeOf({ hypotheses, target }: Goal): number {
  return hypotheses.reduce((sum, { type }) => sum + type.length, target.length);
}

/** Short batches let the arms of a race take turns, and keep a cancellation from waiting. */
function batchSize(heartbeats: number, until: RunOptions['until']): number {
  // on this build 1,000 heartbeats take about 0.35 s
  const size = heartbeats <= 500 ? 8 : heartbeats <= 1500 ? 3 : 1;
  return until === 'fewer-goals' ? Math.min(size, 2) : size;
}

class Node implements WorkState {
  readonly hole: number;
  readonly parent: Node | undefined;
  readonly tactic: string;
  readonly goals: readonly Goal[];
  readonly closed: boolean;
  readonly messages: readonly Message[];
  readonly key: string;
  server: number | undefined;
  #pid: number | undefined;

  constructor(
    hole: number,
    parent: Node | undefined,
    tactic: string,
    { goals, closed, messages }: Pick<WorkState, 'goals' | 'closed' | 'messages'>,
    server: number | undefined,
    pid?: number,
  ) {
    this.hole = hole;
    this.parent = parent;
    this.tactic = tactic;
    this.goals = goals;
    this.closed = closed;
    this.messages = messages;
    this.key = keyOf(hole, goals);
    this.server = server;
    this.#pid = pid;
  }

  get tactics(): readonly string[] {
    return this.parent ? [...this.parent.tactics, this.tactic] : [];
  }

  steps(): ScriptStep[] {
    if (!this.parent) return [];
    const step = { tactic: this.tactic, before: this.parent.goals.length, after: this.goals.length };
    return [...this.parent.steps(), step];
  }

  isIn(pid: number | undefined): boolean {
    return this.server !== undefined && pid !== undefined && this.#pid === pid;
  }

  place(server: number | undefined, pid: number | undefined): void {
    this.server = server;
    this.#pid = pid;
  }

  moveTo(other: Node): void {
    this.place(other.server, other.#pid);
  }
}

interface Elaborated {
  readonly session: number;
  readonly canonical: string;
  readonly symbols: readonly string[];
  readonly own: readonly Constant[];
  readonly tactics: readonly string[];
  readonly holes: readonly Hole[];
  readonly roots: readonly Node[];
}

async function elaborate(
  lease: Lease,
  goal: LeanGoal,
  { signal, deadlineMs = defaultDeadlineMs }: WorkbenchOptions,
  wantsSurroundings: boolean,
): Promise<Elaborated | Failure> {
  const limits = { deadlineMs, ...(signal && { signal }) };
  const session = await lease.session(goal.preamble, limits);
  if (typeof session !== 'number') return asFailure(session);
  const { statement } = goal;
  const stated = await lease.request('statement', { session, statement }, limits);
  if (!stated.ok) return stated;
  const around = wantsSurroundings ? await surroundings(lease, session, limits) : { own: [], tactics: [] };
  if ('ok' in around) return around;
  const begun = await begin(lease, goal, session, limits);
  if ('ok' in begun) return begun;
  return { session, canonical: stated.canonical, symbols: stated.symbols, ...around, ...begun };
}

type Limits = { readonly deadlineMs: number; readonly signal?: AbortSignal };

/** What stands around the statement: the constants of its preamble, and tactics that not every Lean has. */
async function surroundings(
  lease: Lease,
  session: number,
  limits: Limits,
): Promise<{ own: Constant[]; tactics: string[] } | Failure> {
  const constants = await lease.request('constants', { session, own: true, limit: 2000 }, limits);
  if (!constants.ok) return constants;
  const known = await lease.request('tactics', { session, names: optionalTactics }, limits);
  return known.ok ? { own: constants.constants, tactics: known.tactics } : known;
}

async function begin(
  lease: Lease,
  { statement, holes }: LeanGoal,
  session: number,
  limits: Limits,
): Promise<{ roots: Node[]; holes: Hole[] } | Failure> {
  if (holes.kind === 'statement') {
    const start = await lease.request('start', { session, statement }, limits);
    return start.ok
      ? { roots: [new Node(0, undefined, '', start, start.state, lease.pid)], holes: [] }
      : start;
  }
  const text = `${statement} := ${holes.template}`;
  const loaded = await lease.request('load', { session, text, sorries: true }, limits);
  if (!loaded.ok) return loaded;
  const roots: Node[] = [];
  const found: Hole[] = [];
  for (const { start, end, state, goals, message } of loaded.sorries) {
    if (state === undefined) return failure('statement', message ?? 'a sorry has no goal');
    const place = { start, end };
    const asTerm = fill(text, [{ ...place, isTerm: true }], ['sorry']);
    const reply = await lease.request('load', { session, text: asTerm }, limits);
    if (reply.ok) await lease.request('unload', { sessions: [reply.session] });
    found.push({ ...place, isTerm: reply.ok });
    roots.push(
      new Node(roots.length, undefined, '', { goals, closed: false, messages: [] }, state, lease.pid),
    );
  }
  return roots.length > 0 ? { roots, holes: found } : failure('statement', 'there is no sorry in the proof');
}

function asFailure(reply: { ok: true } | Failure): Failure {
  if (reply.ok) throw new Error('a session that was loaded has a number');
  return reply;
}

/** What a worker spends between two readings, seen from outside: loading a preamble answers no cost. */
class Meter {
  readonly #lease: Lease;
  readonly #pid: number | undefined;
  readonly #before: number;

  constructor(lease: Lease) {
    this.#lease = lease;
    this.#pid = lease.pid;
    this.#before = usage(lease.pid);
  }

  read(): Cost {
    const now = usage(this.#lease.pid);
    const cpuSeconds = this.#lease.pid === this.#pid ? now - this.#before : now;
    return { cpuSeconds, wallSeconds: 0, peakBytes: this.#lease.residentBytes };
  }
}

function usage(pid: number | undefined): number {
  return pid === undefined ? 0 : (processUsage(pid)?.cpuSeconds ?? 0);
}
