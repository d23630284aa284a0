import { failed, success, type Result } from '../../core/result.ts';
import type { LeanEnvironment } from '../project/environment.ts';
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

/** A text that was run after another one, or after the imports. It outlives its worker: a new one runs it again. */
export interface Ran {
  readonly environment: LeanEnvironment;
  readonly on: Ran | undefined;
  readonly text: string;
  readonly wants: Wants;
  /** Its session in a worker. */
  live?: { readonly pid: number | undefined; readonly session: number };
}

/** A point in a proof: a state produced by a text or a tactic. */
export interface Point {
  readonly from: Origin | Step;
  readonly goals: readonly string[];
  readonly status: string;
  live?: { readonly pid: number | undefined; readonly state: number };
}

/** A state of a text: `sorry`s come first, then root goals, then tactics. */
interface Origin {
  readonly ran: Ran;
  readonly index: number;
}

/** The state after a tactic, or at one of the `sorry`s in it. */
interface Step {
  readonly point: Point;
  readonly tactic: string;
  readonly sorry?: number | undefined;
}

export interface Stepped {
  readonly point: Point;
  readonly sorries: readonly { readonly said: ReplState; readonly point: Point | undefined }[];
  readonly reply: OperationResult<'repl-step'>;
}

/** Provides a worker for the next request, for one environment at a time. */
export type Borrow = (environment: LeanEnvironment) => Promise<Lease>;

/** Number of sessions and states kept in the worker. Older ones are dropped and rebuilt on demand. */
const maxStates = 500;
const maxSessions = 100;
const openGoals = 'Incomplete: open goals remain';

/**
 * Texts and points in the current worker. Everything can be rebuilt from texts and tactics: losing a worker, or replacing one that grew too large, only costs time.
 */
export class ReplStates {
  readonly #borrow: Borrow;
  readonly #states = new Set<Point>();
  readonly #sessions = new Set<Ran>();
  /** States that are loaded in the worker but not in use. */
  #idleStates: { readonly pid: number | undefined; readonly state: number }[] = [];
  #idleSessions: { readonly pid: number | undefined; readonly session: number }[] = [];

  constructor(borrow: Borrow) {
    this.#borrow = borrow;
  }

  /** Run a text. Returns a point per state, in order; none for a state that could not be built. */
  async run(
    ran: Ran,
    limits: RequestLimits,
    infotree?: string,
  ): Promise<
    Result<{ readonly said: ReplLoaded; readonly points: readonly (Point | undefined)[] }, Failure>
  > {
    const said = await this.#load(ran, limits, infotree);
    if (!said.ok) return failed(said);
    const points = statesOf(said).map(({ state, goals }, index) =>
      this.#point({ ran, index }, goals, openGoals, ran.live?.pid, state),
    );
    return success({ said, points });
  }

  async step(point: Point, tactic: string, limits: RequestLimits): Promise<Result<Stepped, Failure>> {
    const lease = await this.#borrow(stepsTo(point).ran.environment);
    await this.#dropIdle(lease);
    const reply = await inOneWorker(lease, async () => {
      const state = await this.#stateOf(lease, point, limits);
      return state.ok
        ? await lease.request('repl-step', { state: state.value, tactic }, limits)
        : state.error;
    });
    if (!reply.ok) return failed(reply);
    const { goals, state } = reply;
    const isUnchecked = reply.status === 'Completed' && canSkipKernel(point, tactic);
    const status = isUnchecked ? unchecked : reply.status;
    const sorries = reply.sorries.map((said, sorry) => ({
      said,
      point: this.#point({ point, tactic, sorry }, said.goals, openGoals, lease.pid, said.state),
    }));
    const from = { point, tactic };
    const after: Point = { from, goals, status, live: { pid: lease.pid, state } };
    return success({ point: this.#keep(after), sorries, reply });
  }

  /** Drops a point that will not be used again. */
  forget(given: { readonly ran?: Ran | undefined; readonly point?: Point | undefined }): void {
    if (given.point) this.#release(given.point);
    if (given.ran) this.#unload(given.ran);
  }

  async #load(ran: Ran, limits: RequestLimits, infotree?: string): Promise<Body<'repl'>> {
    const lease = await this.#borrow(ran.environment);
    await this.#dropIdle(lease);
    const reply = await inOneWorker(lease, async () => {
      const session = ran.on ? await this.#sessionOf(lease, ran.on, limits) : success(lease.fileSession);
      if (!session.ok) return session.error;
      const body = {
        session: session.value,
        text: ran.text,
        header: ran.on === undefined,
        all_tactics: ran.wants.allTactics,
        root_goals: ran.wants.rootGoals,
        ...(infotree !== undefined && { infotree }),
      };
      return await lease.request('repl', body, limits);
    });
    if (!reply.ok) return reply;
    this.#unload(ran);
    ran.live = { pid: lease.pid, session: reply.session };
    this.#sessions.add(ran);
    const [oldest] = this.#sessions;
    if (this.#sessions.size > maxSessions && oldest) this.#unload(oldest);
    return reply;
  }

  async #sessionOf(lease: Lease, ran: Ran, limits: RequestLimits): Promise<Result<number, Failure>> {
    if (ran.live && ran.live.pid === lease.pid && lease.pid !== undefined) {
      this.#sessions.delete(ran);
      this.#sessions.add(ran);
      return success(ran.live.session);
    }
    const again = await this.#load(ran, limits);
    if (!again.ok) return failed(again);
    this.#discard(lease, statesOf(again));
    return success(again.session);
  }

  async #stateOf(lease: Lease, point: Point, limits: RequestLimits): Promise<Result<number, Failure>> {
    if (point.live && point.live.pid === lease.pid && lease.pid !== undefined)
      return success(point.live.state);
    const state = await this.#again(lease, point, limits);
    if (state.ok) this.#keep(Object.assign(point, { live: { pid: lease.pid, state: state.value } }));
    return state;
  }

  async #again(lease: Lease, { from }: Point, limits: RequestLimits): Promise<Result<number, Failure>> {
    let states: readonly Pick<ReplState, 'state'>[];
    let index: number;
    if ('point' in from) {
      const before = await this.#stateOf(lease, from.point, limits);
      if (!before.ok) return before;
      const body = { state: before.value, tactic: from.tactic };
      const reply = await lease.request('repl-step', body, limits);
      if (!reply.ok) return failed(reply);
      states = [...reply.sorries, reply];
      index = from.sorry ?? reply.sorries.length;
    } else {
      const loaded = await this.#load(from.ran, limits);
      if (!loaded.ok) return failed(loaded);
      states = statesOf(loaded);
      ({ index } = from);
    }
    const state = states[index]?.state;
    this.#discard(lease, states.toSpliced(index, 1));
    return state === undefined
      ? failed(failure('unknown-state', 'run again, the text does not have this proof state'))
      : success(state);
  }

  #point(
    from: Point['from'],
    goals: readonly string[],
    status: string,
    pid: number | undefined,
    state: number | undefined,
  ): Point | undefined {
    return state === undefined ? undefined : this.#keep({ from, goals, status, live: { pid, state } });
  }

  #keep(point: Point): Point {
    this.#states.delete(point);
    this.#states.add(point);
    const [oldest] = this.#states;
    if (this.#states.size > maxStates && oldest) this.#release(oldest);
    return point;
  }

  #release(point: Point): void {
    this.#states.delete(point);
    if (point.live) this.#idleStates.push(point.live);
    delete point.live;
  }

  #unload(ran: Ran): void {
    this.#sessions.delete(ran);
    if (ran.live) this.#idleSessions.push(ran.live);
    delete ran.live;
  }

  #discard({ pid }: Lease, states: readonly Pick<ReplState, 'state'>[]): void {
    this.#idleStates.push(...states.flatMap(({ state }) => (state === undefined ? [] : [{ pid, state }])));
  }

  async #dropIdle(lease: Lease): Promise<void> {
    const states = this.#idleStates.flatMap(({ pid, state }) => (pid === lease.pid ? state : []));
    const sessions = this.#idleSessions.flatMap(({ pid, session }) => (pid === lease.pid ? session : []));
    this.#idleStates = [];
    this.#idleSessions = [];
    if (states.length > 0) await lease.request('drop', { states });
    if (sessions.length > 0) await lease.request('unload', { sessions });
  }
}

function statesOf({ sorries, roots, tactics }: ReplLoaded): readonly ReplState[] {
  return [...sorries, ...roots, ...tactics];
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

/** The steps from a state of a text to a point. */
export function stepsTo(point: Point): Origin & { readonly steps: readonly Omit<Step, 'point'>[] } {
  const steps: Omit<Step, 'point'>[] = [];
  for (let at = point; ;) {
    const { from } = at;
    if ('ran' in from) return { ...from, steps: steps.reverse() };
    steps.push({ tactic: from.tactic, sorry: from.sorry });
    at = from.point;
  }
}

const unchecked = 'Not verified: the text or a tactic mentions debug.skipKernelTC';

/** With this option, tactics add lemmas that the kernel has not checked, and a proof may use them. */
function canSkipKernel(point: Point, tactic: string): boolean {
  const { ran, steps } = stepsTo(point);
  const texts = [tactic, ...steps.map((step) => step.tactic), ...chainOf(ran).map(({ text }) => text)];
  return texts.some((text) => text.includes('skipKernelTC'));
}

/** The texts from the imports up to this one. */
export function chainOf(ran: Ran): readonly Ran[] {
  const chain: Ran[] = [];
  for (let at: Ran | undefined = ran; at; at = at.on) chain.push(at);
  return chain.reverse();
}
