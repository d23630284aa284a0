import { failed, success, type Result } from '../../core/result.ts';
import type { LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import { failure, type Body, type Failure, type Goal, type Message, type Sorry } from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';

/** A text that was run on another one, or on the imports. It outlives the worker that ran it: a fresh one runs it again. */
export interface Ran {
  readonly environment: LeanEnvironment;
  readonly on: Ran | undefined;
  readonly text: string;
  /** Where it is now. */
  live?: { readonly pid: number | undefined; readonly session: number };
  /** What it said when it first ran. */
  errors: number;
  sorries: number;
}

/** A `sorry` of a text: which one, and where it stands. */
export interface Origin extends Pick<Sorry, 'start' | 'end'> {
  readonly ran: Ran;
  readonly index: number;
}

/** A point in a proof: a `sorry` of a text, or a tactic after another point. */
export interface Point {
  readonly from: Origin | { readonly point: Point; readonly tactic: string };
  readonly goals: readonly Goal[];
  live?: { readonly pid: number | undefined; readonly state: number };
}

export interface Loaded {
  readonly messages: readonly Message[];
  readonly sorries: readonly Sorry[];
}

export interface Stepped {
  readonly point: Point;
  readonly closed: boolean;
  readonly messages: readonly Message[];
}

/** A worker of one environment at a time, for the next request. */
export type Borrow = (environment: LeanEnvironment) => Promise<Lease>;

/** States that stay in the worker; older ones are dropped there and made again when they are wanted. */
const maxLive = 500;

/**
 * Texts and points in the worker of now. Everything can be made again from texts and tactics: a worker that died, was too large
 * or was needed for other imports costs time, and nothing is lost.
 */
export class ReplStates {
  readonly #borrow: Borrow;
  readonly #live = new Set<Point>();
  /** States of the worker that nobody has a use for. */
  #idle: { readonly pid: number | undefined; readonly state: number }[] = [];

  constructor(borrow: Borrow) {
    this.#borrow = borrow;
  }

  /** Run a text for the first time. */
  async run(ran: Ran, limits: RequestLimits): Promise<Result<Loaded, Failure>> {
    const loaded = await this.#load(ran, ran.text, limits);
    if (!loaded.ok) return failed(loaded);
    ran.errors = loaded.errors;
    ran.sorries = loaded.sorries.length;
    return success(loaded);
  }

  /** The points of the `sorry`s that a text has just reported. */
  pointsOf(ran: Ran, sorries: readonly Sorry[]): (Point | undefined)[] {
    return sorries.map(({ state, goals, start, end }, index) => {
      if (state === undefined || !ran.live) return undefined;
      return this.#keep({ from: { ran, index, start, end }, goals, live: { pid: ran.live.pid, state } });
    });
  }

  async step(point: Point, tactic: string, limits: RequestLimits): Promise<Result<Stepped, Failure>> {
    const lease = await this.#borrow(originOf(point).ran.environment);
    await this.#dropIdle(lease);
    const reply = await inOneWorker(lease, async () => {
      const state = await this.#stateOf(lease, point, limits);
      return state.ok ? await lease.request('step', { state: state.value, tactic }, limits) : state.error;
    });
    if (!reply.ok) return failed(reply);
    const { goals, closed, messages } = reply;
    const live = { pid: lease.pid, state: reply.state };
    return success({ point: this.#keep({ from: { point, tactic }, goals, live }), closed, messages });
  }

  /** Run a text where another one was run, only to see what Lean says of it. */
  async tryInstead(
    ran: Ran,
    text: string,
    limits: RequestLimits,
  ): Promise<Result<{ errors: number; sorries: number }, Failure>> {
    const loaded = await this.#load({ ...ran, text }, text, limits);
    if (!loaded.ok) return failed(loaded);
    const lease = await this.#borrow(ran.environment);
    const states = loaded.sorries.flatMap(({ state }) => state ?? []);
    await lease.request('drop', { states }, limits);
    await lease.request('unload', { sessions: [loaded.session] }, limits);
    return success({ errors: loaded.errors, sorries: loaded.sorries.length });
  }

  /** Nobody will ask for it again. */
  async forget(ran: Ran): Promise<void> {
    const lease = await this.#borrow(ran.environment);
    if (ran.live && ran.live.pid === lease.pid)
      await lease.request('unload', { sessions: [ran.live.session] });
    delete ran.live;
  }

  /** The worker's reply. */
  async #load(ran: Ran, text: string, limits: RequestLimits): Promise<Body<'load'>> {
    const lease = await this.#borrow(ran.environment);
    const reply = await inOneWorker(lease, async () => {
      const session = ran.on ? await this.#sessionOf(lease, ran.on, limits) : success(lease.rootSession);
      const body = { text, sorries: true, keep_going: true };
      return session.ok
        ? await lease.request('load', { session: session.value, ...body }, limits)
        : session.error;
    });
    if (reply.ok) ran.live = { pid: lease.pid, session: reply.session };
    return reply;
  }

  async #sessionOf(lease: Lease, ran: Ran, limits: RequestLimits): Promise<Result<number, Failure>> {
    if (ran.live && ran.live.pid === lease.pid && lease.pid !== undefined) return success(ran.live.session);
    const again = await this.#load(ran, ran.text, limits);
    return again.ok ? success(again.session) : failed(again);
  }

  async #stateOf(lease: Lease, point: Point, limits: RequestLimits): Promise<Result<number, Failure>> {
    if (point.live && point.live.pid === lease.pid && lease.pid !== undefined)
      return success(point.live.state);
    const state = await this.#again(lease, point, limits);
    if (state.ok) this.#keep(Object.assign(point, { live: { pid: lease.pid, state: state.value } }));
    return state;
  }

  async #again(lease: Lease, { from }: Point, limits: RequestLimits): Promise<Result<number, Failure>> {
    if ('point' in from) {
      const before = await this.#stateOf(lease, from.point, limits);
      if (!before.ok) return before;
      const reply = await lease.request('step', { state: before.value, tactic: from.tactic }, limits);
      return reply.ok ? success(reply.state) : failed(reply);
    }
    const loaded = await this.#load(from.ran, from.ran.text, limits);
    if (!loaded.ok) return failed(loaded);
    const state = loaded.sorries[from.index]?.state;
    return state === undefined
      ? failed(failure('unknown-state', 'the text has no such sorry any more'))
      : success(state);
  }

  #keep(point: Point): Point {
    this.#live.delete(point);
    this.#live.add(point);
    const [oldest] = this.#live;
    if (this.#live.size > maxLive && oldest) {
      this.#live.delete(oldest);
      if (oldest.live) this.#idle.push(oldest.live);
      delete oldest.live;
    }
    return point;
  }

  async #dropIdle(lease: Lease): Promise<void> {
    const states = this.#idle.flatMap(({ pid, state }) => (pid === lease.pid ? state : []));
    this.#idle = [];
    if (states.length > 0) await lease.request('drop', { states });
  }
}

/** Numbers mean something in one worker only: where it was found dead and replaced meanwhile, everything is asked again, once. */
async function inOneWorker<Answer extends Body<'load' | 'step'>>(
  lease: Lease,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const { pid } = lease;
  const answer = await ask();
  const isForeign = !answer.ok && (answer.kind === 'unknown-state' || answer.kind === 'unknown-session');
  return isForeign && lease.pid !== pid ? await ask() : answer;
}

/** The `sorry` that a point began at, and the tactics from there. */
export function originOf(point: Point): Origin & { readonly tactics: readonly string[] } {
  const tactics: string[] = [];
  for (let at = point; ;) {
    const { from } = at;
    if ('ran' in from) return { ...from, tactics: tactics.reverse() };
    tactics.push(from.tactic);
    at = from.point;
  }
}

/** The texts from the imports to here. */
export function chainOf(ran: Ran): readonly Ran[] {
  return ran.on ? [...chainOf(ran.on), ran] : [ran];
}
