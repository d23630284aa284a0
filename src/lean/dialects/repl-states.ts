import { failed, success, type Result } from '../../core/result.ts';
import { SpilledTree } from '../../store/sqlite/spilled-tree.ts';
import { environmentKey, type LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import {
  failure,
  type Body,
  type Failure,
  type OperationResult,
  type ReplLoaded,
  type ReplState,
} from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';

/** The data that a command requests besides the `sorry`s of its text. */
interface Wants {
  readonly allTactics: boolean;
  readonly rootGoals: boolean;
}

/** What only the answer to a command contains. */
interface Also {
  readonly infotree?: string | undefined;
  readonly declTypes?: boolean;
}

/** A text that runs after another one, or after the imports of its environment. */
export interface Text {
  readonly environment: LeanEnvironment;
  readonly on?: number | undefined;
  readonly text: string;
  readonly wants: Wants;
}

/** The environment of a text or state, and whether something before it mentions `debug.skipKernelTC`. */
interface Around {
  readonly environment: number;
  readonly skipsKernel: boolean;
}

interface StoredText extends Around {
  readonly on?: number | undefined;
  readonly text: string;
  readonly wants: Wants;
}

interface StoredPoint extends Around {
  readonly from: Origin | Step;
  readonly goals: readonly string[];
  readonly status: string;
}

/** A state of a text: `sorry`s come first, then root goals, then tactics. Its range is known for those that the text wrote. */
export interface Origin {
  readonly ran: number;
  readonly index: number;
  readonly range: Pick<ReplState, 'start' | 'end'>;
}

/** The state after a tactic, or at one of the `sorry`s in it. */
interface Step {
  readonly point: number;
  readonly tactic: string;
  readonly sorry?: number | undefined;
}

/** A point in a proof: a state produced by a text or a tactic. */
export interface Point {
  readonly id: number;
  readonly goals: readonly string[];
  readonly status: string;
}

export interface Loaded {
  readonly id: number;
  readonly said: ReplLoaded;
  /** A point per state, in order; none for a state that could not be built. */
  readonly points: readonly (Point | undefined)[];
}

export interface Stepped {
  readonly point: Point;
  readonly sorries: readonly { readonly said: ReplState; readonly point: Point | undefined }[];
  readonly reply: OperationResult<'repl-step'>;
}

/** Provides a worker for the next request, for one environment at a time. */
export type Borrow = (environment: LeanEnvironment) => Promise<Lease>;

/** A session or state in a worker. */
interface Live {
  readonly pid: number | undefined;
  readonly number: number;
}

/** Number of sessions and states kept in the worker. Older ones are dropped and rebuilt on demand. */
const maxStates = 500;
const maxSessions = 100;
const openGoals = 'Incomplete: open goals remain';
const unchecked = 'Not verified: the text or a tactic mentions debug.skipKernelTC';

/**
 * The texts and points of a conversation, by number. Their content lies outside this process's memory, which therefore does not grow.
 * Everything can be rebuilt from texts and tactics: losing a worker, or replacing one that grew too large, only costs time.
 */
export class ReplStates {
  readonly #borrow: Borrow;
  readonly #tree = new SpilledTree();
  readonly #environments: LeanEnvironment[] = [];
  readonly #environmentIds = new Map<string, number>();
  /** In the current worker; the least recently used come first. */
  readonly #sessions = new Map<number, Live>();
  readonly #states = new Map<number, Live>();
  /** What is loaded in the worker but not in use. */
  #idleStates: Live[] = [];
  #idleSessions: Live[] = [];

  constructor(borrow: Borrow) {
    this.#borrow = borrow;
  }

  /** Number of texts and states that can still be used or rebuilt. */
  get size(): number {
    return this.#tree.size;
  }

  close(): void {
    this.#tree.close();
  }

  async run(given: Text, limits: RequestLimits, also: Also = {}): Promise<Result<Loaded, Failure>> {
    const { on, text, wants } = given;
    const lease = await this.#leaseFor(given.environment);
    const said = await inOneWorker(lease, async () => {
      const session =
        on === undefined ? success(lease.fileSession) : await this.#sessionOf(lease, on, limits);
      return session.ok ? await load(lease, session.value, given, limits, also) : session.error;
    });
    if (!said.ok) return failed(said);
    const around = {
      environment: this.#environmentId(given.environment),
      skipsKernel: mentionsSkip(text) || (on !== undefined && this.text(on).skipsKernel),
    };
    const stored: StoredText = { ...around, on, text, wants };
    const id = this.#tree.add(JSON.stringify(stored), on);
    this.#keepSession(id, { pid: lease.pid, number: said.session });
    const points = statesOf(said).map(({ start, end, state, goals }, index) =>
      this.#open({ ran: id, index, range: { start, end } }, around, goals, lease.pid, state),
    );
    return success({ id, said, points });
  }

  async step(before: number, tactic: string, limits: RequestLimits): Promise<Result<Stepped, Failure>> {
    const { environment, skipsKernel } = this.#point(before);
    const lease = await this.#leaseFor(this.#environment(environment));
    const reply = await inOneWorker(lease, async () => {
      const state = await this.#stateOf(lease, before, limits);
      return state.ok
        ? await lease.request('repl-step', { state: state.value, tactic }, limits)
        : state.error;
    });
    if (!reply.ok) return failed(reply);
    const { goals, state } = reply;
    const around = { environment, skipsKernel: skipsKernel || mentionsSkip(tactic) };
    // with this option, tactics add lemmas that the kernel has not checked, and a proof may use them
    const status = reply.status === 'Completed' && around.skipsKernel ? unchecked : reply.status;
    const sorries = reply.sorries.map((said, sorry) => ({
      said,
      point: this.#open({ point: before, tactic, sorry }, around, said.goals, lease.pid, said.state),
    }));
    const point = this.#add(
      { point: before, tactic },
      around,
      { goals, status },
      { pid: lease.pid, number: state },
    );
    return success({ point, sorries, reply });
  }

  /** A point again, as a new one. */
  again(id: number): Point {
    const { from, goals, status, ...around } = this.#point(id);
    return this.#add(from, around, { goals, status }, undefined);
  }

  /** Texts and points are only read by the numbers that they were given. */
  text(id: number): StoredText {
    return JSON.parse(this.#tree.read(id)) as StoredText;
  }

  environmentOf(text: number): LeanEnvironment {
    return this.#environment(this.text(text).environment);
  }

  /** The texts from the imports up to this one. */
  chainOf(id: number): string[] {
    const texts: StoredText[] = [];
    for (let at: number | undefined = id; at !== undefined; at = texts.at(-1)?.on) texts.push(this.text(at));
    return texts.reverse().map(({ text }) => text);
  }

  /** The steps from a state of a text to a point. */
  stepsTo(id: number): Origin & { readonly steps: readonly Omit<Step, 'point'>[] } {
    const steps: Omit<Step, 'point'>[] = [];
    for (let at = id; ;) {
      const { from } = this.#point(at);
      if ('ran' in from) return { ...from, steps: steps.reverse() };
      steps.push({ tactic: from.tactic, ...(from.sorry !== undefined && { sorry: from.sorry }) });
      at = from.point;
    }
  }

  /** Drops a text or point that will not be used again by its number. Those that build on it can still be rebuilt. */
  release(id: number): void {
    this.#unload(id);
    this.#drop(id);
    this.#tree.release(id);
  }

  async #leaseFor(environment: LeanEnvironment): Promise<Lease> {
    const lease = await this.#borrow(environment);
    await this.#dropIdle(lease);
    return lease;
  }

  /** The session of a text. The texts before it that the worker no longer has are run again. */
  async #sessionOf(lease: Lease, id: number, limits: RequestLimits): Promise<Result<number, Failure>> {
    const missing: { readonly id: number; readonly text: StoredText }[] = [];
    let session = lease.fileSession;
    for (let at: number | undefined = id; at !== undefined; at = missing.at(-1)?.text.on) {
      const live = this.#liveIn(lease, this.#sessions, at);
      if (live !== undefined) {
        session = live;
        break;
      }
      missing.push({ id: at, text: this.text(at) });
    }
    for (const { id: at, text } of missing.reverse()) {
      const reply = await load(lease, session, text, limits);
      if (!reply.ok) return failed(reply);
      this.#discard(lease, statesOf(reply));
      this.#keepSession(at, { pid: lease.pid, number: reply.session });
      session = reply.session;
    }
    return success(session);
  }

  /** The state of a point. The steps before it that the worker no longer has are run again. */
  async #stateOf(lease: Lease, id: number, limits: RequestLimits): Promise<Result<number, Failure>> {
    const missing: { readonly id: number; readonly step: Step }[] = [];
    let state: Result<number, Failure> | undefined;
    for (let at = id; state === undefined;) {
      const live = this.#liveIn(lease, this.#states, at);
      const { from } = this.#point(at);
      if (live !== undefined) state = success(live);
      else if ('ran' in from) state = await this.#firstState(lease, at, from, limits);
      else {
        missing.push({ id: at, step: from });
        at = from.point;
      }
    }
    for (const { id: at, step } of missing.reverse()) {
      if (!state.ok) return state;
      const reply = await lease.request('repl-step', { state: state.value, tactic: step.tactic }, limits);
      if (!reply.ok) return failed(reply);
      state = this.#pick(lease, at, [...reply.sorries, reply], step.sorry ?? reply.sorries.length);
    }
    return state;
  }

  async #firstState(
    lease: Lease,
    id: number,
    { ran, index }: Origin,
    limits: RequestLimits,
  ): Promise<Result<number, Failure>> {
    const text = this.text(ran);
    const before =
      text.on === undefined ? success(lease.fileSession) : await this.#sessionOf(lease, text.on, limits);
    if (!before.ok) return before;
    const reply = await load(lease, before.value, text, limits);
    if (!reply.ok) return failed(reply);
    this.#keepSession(ran, { pid: lease.pid, number: reply.session });
    return this.#pick(lease, id, statesOf(reply), index);
  }

  /** Keeps one of some states, and drops the others. */
  #pick(
    lease: Lease,
    id: number,
    states: readonly Pick<ReplState, 'state'>[],
    index: number,
  ): Result<number, Failure> {
    const state = states[index]?.state;
    this.#discard(lease, states.toSpliced(index, 1));
    if (state === undefined)
      return failed(failure('unknown-state', 'run again, the text does not have this proof state'));
    this.#keepState(id, { pid: lease.pid, number: state });
    return success(state);
  }

  #liveIn({ pid }: Lease, all: Map<number, Live>, id: number): number | undefined {
    const live = all.get(id);
    if (!live || live.pid === undefined || live.pid !== pid) return undefined;
    all.delete(id);
    all.set(id, live);
    return live.number;
  }

  #open(
    from: StoredPoint['from'],
    around: Around,
    goals: readonly string[],
    pid: number | undefined,
    state: number | undefined,
  ): Point | undefined {
    if (state === undefined) return undefined;
    return this.#add(from, around, { goals, status: openGoals }, { pid, number: state });
  }

  #add(
    from: StoredPoint['from'],
    around: Around,
    { goals, status }: Omit<Point, 'id'>,
    live: Live | undefined,
  ): Point {
    const stored: StoredPoint = { ...around, from, goals, status };
    const id = this.#tree.add(JSON.stringify(stored), 'ran' in from ? from.ran : from.point);
    if (live) this.#keepState(id, live);
    return { id, goals, status };
  }

  #keepState(id: number, live: Live): void {
    this.#drop(id);
    this.#states.set(id, live);
    const [oldest] = this.#states.keys();
    if (this.#states.size > maxStates && oldest !== undefined) this.#drop(oldest);
  }

  #keepSession(id: number, live: Live): void {
    this.#unload(id);
    this.#sessions.set(id, live);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#unload(oldest);
  }

  #drop(id: number): void {
    const live = this.#states.get(id);
    if (live) this.#idleStates.push(live);
    this.#states.delete(id);
  }

  #unload(id: number): void {
    const live = this.#sessions.get(id);
    if (live) this.#idleSessions.push(live);
    this.#sessions.delete(id);
  }

  #discard({ pid }: Lease, states: readonly Pick<ReplState, 'state'>[]): void {
    for (const { state } of states) if (state !== undefined) this.#idleStates.push({ pid, number: state });
  }

  async #dropIdle(lease: Lease): Promise<void> {
    const ofWorker = (all: readonly Live[]): number[] =>
      all.flatMap(({ pid, number }) => (pid === lease.pid ? number : []));
    const [states, sessions] = [ofWorker(this.#idleStates), ofWorker(this.#idleSessions)];
    this.#idleStates = [];
    this.#idleSessions = [];
    if (states.length > 0) await lease.request('drop', { states });
    if (sessions.length > 0) await lease.request('unload', { sessions });
  }

  #environmentId(environment: LeanEnvironment): number {
    const key = environmentKey(environment);
    const known = this.#environmentIds.get(key);
    if (known !== undefined) return known;
    this.#environmentIds.set(key, this.#environments.push(environment) - 1);
    return this.#environments.length - 1;
  }

  #environment(id: number): LeanEnvironment {
    const environment = this.#environments[id];
    if (!environment) throw new Error(`there is no environment ${id}`);
    return environment;
  }

  #point(id: number): StoredPoint {
    return JSON.parse(this.#tree.read(id)) as StoredPoint;
  }
}

async function load(
  lease: Lease,
  session: number,
  { on, text, wants }: Pick<Text, 'on' | 'text' | 'wants'>,
  limits: RequestLimits,
  { infotree, declTypes = false }: Also = {},
): Promise<Body<'repl'>> {
  const body = {
    session,
    text,
    header: on === undefined,
    all_tactics: wants.allTactics,
    root_goals: wants.rootGoals,
    decl_types: declTypes,
    ...(infotree !== undefined && { infotree }),
  };
  return await lease.request('repl', body, limits);
}

function statesOf({ sorries, roots, tactics }: ReplLoaded): readonly ReplState[] {
  return [...sorries, ...roots, ...tactics];
}

function mentionsSkip(text: string): boolean {
  return text.includes('skipKernelTC');
}

/** State ids are valid in one worker only: if it died and was replaced, everything is repeated once. */
async function inOneWorker<Answer extends Body<'repl' | 'repl-step'>>(
  lease: Lease,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { pid } = lease;
  const answer = await ask();
  const isForeign = !answer.ok && (answer.kind === 'unknown-state' || answer.kind === 'unknown-session');
  return isForeign && lease.pid !== pid ? await ask() : answer;
}
