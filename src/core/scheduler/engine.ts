// Over 300 lines because it contains the whole run loop, with one method per transition.
import { costOf } from '../../shared/cost.ts';
import {
  type EventBodies,
  type EventType,
  type GoalClosed,
  type Note,
  type RunFinished,
  type RunStarted,
  eventOf,
} from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import { firstDifficulty, pinnedPriority, priorityFor } from '../difficulty.ts';
import type { EventBus } from '../events.ts';
import type { Strategy } from '../strategy.ts';
import type { Throttle } from '../throttle.ts';
import type { Given } from './goal-state.ts';
import { ControlRequests } from './control-requests.ts';
import { allFailed, hasWork, nextGoal } from './decide.ts';
import type { Domain, Memory, Permit } from './domain.ts';
import { LemmaTrade } from './lemma-trade.ts';
import { Meter, type Reading } from './meter.ts';
import { LemmaPlans } from './lemma-plans.ts';
import { Race, type Proof } from './race.ts';
import { Sampling } from './sampling.ts';
import { Schedule } from './schedule.ts';
import { isPinned, visit, type Host } from './visit.ts';

export interface EngineParts<Goal, Work, Artifact, Trace, Evidence> {
  readonly domain: Domain<Goal, Work, Artifact, Trace, Evidence>;
  /** Strategies whose `ready()` check passed. */
  readonly strategies: readonly Strategy<Work, Artifact, Trace>[];
  readonly memory: Memory;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly throttle: Throttle;
  /** Receives the CPU seconds that requests report, for systems that cannot measure child processes. */
  readonly readMachine: (reportedSeconds: number) => Reading;
  readonly start: RunStarted;
  /** Wait for further goals instead of ending when all are closed. */
  readonly staysOpen?: boolean;
  /** Goals and nodes that a user has put on the critical path. */
  readonly pins?: ReadonlySet<string>;
}

/** Poll CPU usage this often; emit a sample event every few polls. */
const readingMs = 250;
const readingsASample = 4;
/** A goal that a worker holds. */
interface Visit {
  readonly ended: Promise<void>;
  readonly abort: AbortController;
  /** Why it was withdrawn; it is closed when its attempts have ended. */
  withdrawal: string | undefined;
}

/** Adds the next goals or, when the run is over, all remaining ones, which count as open. True if there were any. */
export type More = (isOver: boolean) => Promise<boolean>;

/**
 * Works on goals until all are closed, the timeout expires, or a user stops it.
 *
 *     idle ──run──▶ working ──all closed──▶ done
 *                      ├─ timeout ─▶ attempts are cancelled ─▶ ended
 *                      ├─ drain ──▶ attempts in flight finish, nothing new starts ─▶ ended
 *                      └─ stop ───▶ attempts are cancelled ─▶ ended
 *
 * Everything that happens is an event, and the schedule is a fold over events; `decide.ts` makes the decisions.
 */
export class Engine<Goal, Work, Artifact, Trace, Evidence> {
  readonly #parts: EngineParts<Goal, Work, Artifact, Trace, Evidence>;
  readonly #schedule = new Schedule();
  readonly #goals = new Map<string, Goal>();
  readonly #visits = new Map<string, Visit>();
  readonly #abort = new AbortController();
  readonly #meter: Meter;
  readonly #host: Host<Goal, Work, Artifact, Trace, Evidence>;
  readonly #requests: ControlRequests;
  readonly #plans: LemmaPlans<Goal, Artifact>;
  #change = Promise.withResolvers<void>();
  #reason: RunFinished['reason'] = 'done';
  #failure: Error | undefined;
  #isEnding = false;
  #reportedSeconds = 0;
  #readings = 0;
  readonly #sampling = new Sampling();
  #listening: Promise<void> | undefined;
  #lastSample = { cpuSeconds: 0, wallSeconds: 0 };

  constructor(parts: EngineParts<Goal, Work, Artifact, Trace, Evidence>) {
    this.#parts = parts;
    const { bus, throttle, clock, readMachine, start } = parts;
    this.#meter = new Meter(
      () => readMachine(this.#reportedSeconds),
      () => clock.now(),
      throttle,
      start.config.cores,
    );
    const emit: Host<Goal, Work, Artifact, Trace, Evidence>['emit'] = (type, body, at) =>
      this.#emit(type, body, at);
    const shared = { schedule: this.#schedule, run: bus.run, emit };
    this.#plans = new LemmaPlans({
      ...parts,
      ...shared,
      add: (goal, requester) => this.add(goal, requester),
      withdraw: (goal, reason) => this.withdraw(goal, reason),
    });
    this.#host = {
      ...parts,
      ...shared,
      weights: start.learned.weights,
      race: new Race(parts, emit, this.#permit, (goal) => this.#schedule.goal(goal).requester !== null),
      trade: new LemmaTrade({
        ...parts,
        ...shared,
        goals: this.#goals,
        add: (goal, requester) => this.add(goal, requester),
        plans: this.#plans,
      }),
      plans: this.#plans,
      permit: this.#permit,
      settled: new Set(),
      isEnding: () => this.#isEnding,
      nextChange: async () => await this.#change.promise,
      now: () => this.#now(),
      close: (id, proof, reason, refuted) => this.#close(id, proof, reason, refuted),
    };
    this.#requests = new ControlRequests({
      ...shared,
      memory: parts.memory,
      isLeaving: (goal) => this.#visits.get(goal)?.withdrawal !== undefined,
      withdraw: (goal, reason) => this.withdraw(goal, reason),
    });
    bus.onFailure((error) => this.#fail(error));
    bus.hold(); // write the start of a run together with its first goals
    this.#emit('run-started', start);
  }

  /** Queue a goal. False if its name is taken. */
  add(goal: Goal, requester: string | null = null): boolean {
    const described = this.#parts.domain.rows.goal(goal);
    if (this.#schedule.has(described.goal)) return false;
    this.#goals.set(described.goal, goal);
    const difficulty = firstDifficulty(described.estimate ?? described.label);
    const priority = isPinned(described, this.#parts.pins)
      ? pinnedPriority
      : priorityFor(difficulty, requester, described.node);
    this.#emit('goal-added', { ...described, difficulty, priority, requester });
    this.#wake();
    return true;
  }

  note(level: Note['level'], text: string): void {
    this.#emit('note', { level, text });
  }

  /** Withdraw a goal: its file has changed, or a user asked for it. Attempts in flight are cancelled first. */
  withdraw(id: string, reason: string): void {
    if (!this.#schedule.has(id) || this.#schedule.goal(id).phase === 'closed') return;
    const held = this.#visits.get(id);
    if (held) {
      held.withdrawal ??= reason;
      held.abort.abort();
      this.#wake();
    } else this.#close(id, undefined, reason);
  }

  /** Finishes running attempts and starts nothing new. */
  drain(): void {
    this.#end('drained');
  }

  /** Cancels running attempts. */
  stop(reason: RunFinished['reason'] = 'drained'): void {
    this.#end(reason);
    this.#abort.abort();
  }

  /** `more` is called when all goals are closed, and once more if the run ends early. */
  async run(more: More = async () => false): Promise<RunFinished> {
    await this.#flush();
    const timer = setInterval(() => this.#guard(() => this.#tick()), readingMs);
    try {
      while (!this.#isEnding) {
        const goal = nextGoal(this.#schedule, this.#now());
        // a goal that was just parked may still hold its worker: it continues once released
        if (goal && !this.#visits.has(goal.goal)) this.#open(goal.goal);
        else if (this.#isIdle()) {
          if (!(await this.#ask(more, false))) break;
        } else if (!this.#hasNext()) await this.#waitForChange();
      }
      await Promise.all([...this.#visits.values()].map(async ({ ended }) => await ended));
      if (this.#isEnding) await this.#ask(more, true);
    } finally {
      clearInterval(timer);
      await this.#listening;
    }
    return await this.#finish();
  }

  async #ask(more: More, isOver: boolean): Promise<boolean> {
    // listeners hear of everything first
    await this.#flush();
    try {
      return await more(isOver);
    } catch (error) {
      this.#fail(error);
      return false;
    }
  }

  #open(id: string): void {
    const at = this.#now();
    const { priority, round } = this.#schedule.goal(id);
    this.#emit('goal-opened', { goal: id, priority, round }, at);
    const abort = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, abort.signal]);
    const ended = visit(this.#host, id, this.#goal(id), signal)
      .catch((error: unknown) => {
        if (error !== abort.signal.reason) this.#fail(error);
      })
      .then(() => this.#guard(() => this.#left(id)));
    this.#visits.set(id, { ended, abort, withdrawal: undefined });
  }

  #left(id: string): void {
    const withdrawal = this.#visits.get(id)?.withdrawal;
    this.#visits.delete(id);
    if (withdrawal !== undefined && this.#schedule.goal(id).phase !== 'closed')
      this.#close(id, undefined, withdrawal);
    this.#wake();
  }

  #close(
    id: string,
    proof: Proof<Artifact, Evidence> | undefined,
    reason: string,
    refuted: string | null = null,
  ): void {
    const { attempts, cpuSeconds } = this.#schedule.goal(id);
    const given = proof === undefined && refuted === null ? this.#givenOf(id) : undefined;
    if (proof) this.#parts.domain.proved?.(this.#goal(id), proof.text);
    this.#emit('goal-closed', {
      goal: id,
      solved: proof !== undefined,
      refuted,
      proof: proof?.text ?? null,
      assurance: proof?.assurance ?? null,
      strategy: proof?.strategy ?? null,
      arm: proof?.arm ?? null,
      attempts,
      cpu_seconds: cpuSeconds,
      ...this.#parts.domain.rows.closed(proof?.evidence ?? null),
      ...(given && { given }),
      reason: given ? `proved, given ${given.assumes.join(', ')}; ${reason}` : reason,
    });
    this.#plans.drop(id, proof !== undefined);
  }

  /** The latest proof of an unsolved goal from others, none of which is known to be false. */
  #givenOf(id: string): GoalClosed['given'] {
    const isRight = ({ goals }: Given): boolean =>
      goals.every((one) => this.#schedule.fateOf(one, id) !== 'refuted');
    const given = this.#schedule.goal(id).givens.findLast(isRight);
    return given && { proof: given.proof, assumes: given.goals.map(({ name }) => name) };
  }

  #tick(): void {
    this.#meter.tick(hasWork(this.#schedule, this.#now()));
    if (++this.#readings % readingsASample === 0) {
      const isBusy = this.#visits.size > 0 || this.#schedule.count('queued') > 0;
      if (this.#sampling.isDue(isBusy, this.#now())) this.#sample();
      this.#listening ??= this.#listen().finally(() => (this.#listening = undefined));
    }
    const { timeout } = this.#parts.start.config;
    if (timeout !== null && this.#meter.totals().wallSeconds >= timeout) this.stop('timeout');
  }

  /** Handles requests from users and other processes. */
  async #listen(): Promise<void> {
    try {
      const isLemmaThere = await this.#host.trade.collect(this.#now());
      if ((await this.#requests.obey()) || isLemmaThere) this.#wake();
    } catch (error) {
      this.#fail(error);
    }
  }

  #sample(): void {
    const { start, throttle, domain } = this.#parts;
    const totals = this.#meter.totals();
    const seconds = totals.wallSeconds - this.#lastSample.wallSeconds;
    const cpu = totals.cpuSeconds - this.#lastSample.cpuSeconds;
    this.#lastSample = totals;
    this.#emit('sample', {
      utilisation: seconds > 0 ? cpu / (seconds * start.config.cores) : 0,
      cpu_target: throttle.share,
      others: throttle.others,
      cpu_seconds: totals.cpuSeconds,
      resident_bytes: this.#meter.residentBytes,
      queued: this.#schedule.count('queued'),
      parked: this.#schedule.count('parked'),
      workers: domain.workers().map((worker) => ({ ...worker, arm: this.#schedule.armsOn(worker.goal) })),
    });
  }

  /** Whether nothing is open and all parked goals wait for lemmas that no process works on. */
  #isIdle(): boolean {
    const { isPaused, someComeBack } = this.#schedule;
    if (this.#visits.size > 0 || this.#parts.staysOpen || isPaused) return false;
    if (this.#schedule.count('queued') > 0 || someComeBack) return false;
    const parked = [...this.#schedule.goals()].filter(({ phase }) => phase === 'parked');
    // a goal that follows from others continues when these are closed
    const first = parked.filter(({ isGiven }) => !isGiven);
    for (const state of first.length > 0 ? first : parked)
      this.#close(state.goal, undefined, `${allFailed(state)}; it waits for a helper lemma`);
    return first.length === 0 || first.length === parked.length;
  }

  /** Whether closing a goal has just woken another one. */
  #hasNext(): boolean {
    const next = nextGoal(this.#schedule, this.#now());
    return next !== undefined && !this.#visits.has(next.goal);
  }

  async #waitForChange(): Promise<void> {
    const wakeUp = this.#schedule.nextWakeUp ?? Number.POSITIVE_INFINITY;
    const timer = setTimeout(() => this.#wake(), Math.min(60_000, Math.max(1, wakeUp - this.#now())));
    await this.#change.promise;
    clearTimeout(timer);
  }

  /** Wake up the waiting loops. */
  #wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers<void>();
  }

  #end(reason: RunFinished['reason']): void {
    if (!this.#isEnding) this.#reason = reason;
    this.#isEnding = true;
    this.#wake();
  }

  #fail(error: unknown): void {
    // a request for a worker, cut short by the end of the run
    if (this.#abort.signal.aborted && error === this.#abort.signal.reason) return;
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    this.stop('failed');
  }

  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #finish(): Promise<RunFinished> {
    await this.#flush();
    this.#meter.tick(false);
    const { total, solved } = this.#schedule.wanted;
    const { cpuSeconds, hostCpuSeconds, wallSeconds, utilisation } = this.#meter.totals();
    const finished: RunFinished = {
      reason: this.#reason,
      message: this.#failure?.message ?? null,
      goals_total: total,
      goals_solved: solved,
      cpu_seconds: cpuSeconds,
      lean_cpu_seconds: this.#reportedSeconds,
      host_cpu_seconds: hostCpuSeconds,
      wall_seconds: wallSeconds,
      utilisation,
    };
    // if the run failed because the ledger cannot be written, this fails too
    this.#guard(() => this.#emit('run-finished', finished));
    await this.#flush();
    if (this.#failure) throw this.#failure;
    return finished;
  }

  async #flush(): Promise<void> {
    await this.#parts.bus.flush().catch((error: unknown) => this.#fail(error));
  }

  #goal(id: string): Goal {
    const goal = this.#goals.get(id);
    if (goal === undefined) throw new Error(`no goal ${id}`);
    return goal;
  }

  readonly #permit: Permit = async (slot, signal = this.#abort.signal) =>
    await this.#parts.throttle.permit(slot, signal);

  #now(): number {
    return this.#parts.clock.date().getTime();
  }

  #emit<Type extends EventType>(type: Type, body: EventBodies[Type], at = this.#now()): void {
    this.#parts.bus.emit(type, body, at);
    const event = eventOf({ type, run: this.#parts.bus.run, at }, body);
    this.#schedule.apply(event);
    this.#reportedSeconds += costOf(event)?.cpu_seconds ?? 0;
    if (type === 'attempt-finished') this.#wake();
  }
}
