import type { ArmOffer, EventBodies, EventType, Note, RunFinished, RunStarted } from '../../shared/events.ts';
import type { Clock } from '../clock.ts';
import { difficultyOf, firstDifficulty, priorityOf } from '../difficulty.ts';
import type { EventBus } from '../events.ts';
import type { Strategy } from '../strategy.ts';
import type { Throttle } from '../throttle.ts';
import { allFailed, hasWork, nextGoal, nextStep, nextWakeUp } from './decide.ts';
import { ControlDesk } from './control-desk.ts';
import type { Domain, GoalFacts, Memory, Permit } from './domain.ts';
import { LemmaTrade } from './lemma-trade.ts';
import { Meter, type Reading } from './meter.ts';
import { Race, signatureOf, type Proof } from './race.ts';
import { Schedule } from './schedule.ts';

export interface EngineParts<Goal, Work, Candidate> {
  readonly domain: Domain<Goal, Work, Candidate>;
  /** Those that are ready. */
  readonly strategies: readonly Strategy<Work, Candidate>[];
  readonly memory: Memory;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly throttle: Throttle;
  /** Is told what requests have reported, for systems that say nothing of child processes. */
  readonly readMachine: (reportedSeconds: number) => Reading;
  readonly start: RunStarted;
  /** Wait for further goals instead of ending when all are closed. */
  readonly staysOpen?: boolean;
}

/** The machine is read so often; a sample of it is an event every so many readings. */
const readingMs = 250;
const readingsASample = 4;
/** So many failed openings of a goal in a row are no accident. */
const maxOpenings = 3;

/**
 * Works on goals until all are closed, time is up, or somebody stops it.
 *
 *     idle ──run──▶ working ──all closed──▶ done
 *                      ├─ timeout ─▶ attempts are cancelled ─▶ ended
 *                      ├─ drain ──▶ attempts in flight finish, nothing new starts ─▶ ended
 *                      └─ stop ───▶ attempts are cancelled ─▶ ended
 *
 * Everything that happens is an event, and the schedule is a fold over events: the engine decides nothing by itself.
 */
export class Engine<Goal, Work, Candidate> {
  readonly #parts: EngineParts<Goal, Work, Candidate>;
  readonly #schedule = new Schedule();
  readonly #goals = new Map<string, Goal>();
  readonly #visits = new Map<string, Promise<void>>();
  readonly #withdrawn = new Map<string, AbortController>();
  readonly #abort = new AbortController();
  readonly #meter: Meter;
  readonly #race: Race<Goal, Work, Candidate>;
  readonly #trade: LemmaTrade<Goal, Work>;
  readonly #desk: ControlDesk;
  #change = Promise.withResolvers<void>();
  #reason: RunFinished['reason'] = 'done';
  #failure: Error | undefined;
  #isEnding = false;
  #leanSeconds = 0;
  #readings = 0;
  #lastSample = { cpuSeconds: 0, wallSeconds: 0 };

  constructor(parts: EngineParts<Goal, Work, Candidate>) {
    this.#parts = parts;
    const { bus, throttle, clock, readMachine, start } = parts;
    bus.listen((event) => {
      if (
        event.type === 'attempt-finished' ||
        event.type === 'candidate-judged' ||
        event.type === 'goal-examined'
      )
        this.#leanSeconds += event.cpu_seconds;
    });
    this.#meter = new Meter(
      () => readMachine(this.#leanSeconds),
      () => clock.now(),
      throttle,
      start.config.cores,
    );
    this.#race = new Race(parts, (type, body) => this.#emit(type, body), this.#permit);
    this.#trade = new LemmaTrade({
      ...parts,
      schedule: this.#schedule,
      goals: this.#goals,
      run: bus.run,
      emit: (type, body) => this.#emit(type, body),
      add: (goal, requester) => this.add(goal, requester),
    });
    this.#desk = new ControlDesk({
      memory: parts.memory,
      schedule: this.#schedule,
      run: bus.run,
      isVisited: (goal) => this.#visits.has(goal),
      emit: (type, body) => this.#emit(type, body),
      withdraw: (goal, reason) => this.withdraw(goal, reason),
    });
    this.#emit('run-started', start);
  }

  /** Put a goal into the queue. False if there is one of that name already. */
  add(goal: Goal, requester: string | null = null): boolean {
    const described = this.#parts.domain.describe(goal);
    if (this.#schedule.has(described.goal)) return false;
    this.#goals.set(described.goal, goal);
    const difficulty = firstDifficulty(described.label);
    const priority = priorityFor(difficulty, requester);
    this.#emit('goal-added', { ...described, difficulty, priority, requester });
    this.#wake();
    return true;
  }

  note(level: Note['level'], text: string): void {
    this.#emit('note', { level, text });
  }

  /** The goal is no longer wanted: its file has changed. */
  withdraw(id: string, reason: string): void {
    if (!this.#schedule.has(id) || this.#schedule.goal(id).phase === 'closed') return;
    this.#withdrawn.get(id)?.abort();
    this.#close(id, undefined, reason);
  }

  /** Finish what is in flight and start nothing new. */
  drain(): void {
    this.#end('drained');
  }

  /** Cancel what is in flight. */
  stop(reason: RunFinished['reason'] = 'drained'): void {
    this.#end(reason);
    this.#abort.abort();
  }

  async run(): Promise<RunFinished> {
    const timer = setInterval(() => this.#guard(() => this.#tick()), readingMs);
    try {
      while (!this.#isEnding) {
        const goal = nextGoal(this.#schedule, this.#now());
        if (goal) this.#open(goal.goal);
        else if (this.#isIdle()) break;
        else await this.#waitForChange();
      }
      await Promise.all(this.#visits.values());
    } finally {
      clearInterval(timer);
    }
    return this.#finish();
  }

  #open(id: string): void {
    const at = this.#now();
    const { priority, round } = this.#schedule.goal(id);
    this.#emit('goal-opened', { goal: id, priority, round }, at);
    const visit = this.#visit(id)
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        this.#visits.delete(id);
        this.#wake();
      });
    this.#visits.set(id, visit);
  }

  /** One goal with one worker, until it is closed, parked, or the run ends. */
  async #visit(id: string): Promise<void> {
    const { domain } = this.#parts;
    const withdrawal = new AbortController();
    this.#withdrawn.set(id, withdrawal);
    const signal = AbortSignal.any([this.#abort.signal, withdrawal.signal]);
    const goal = this.#goal(id);
    const opened = await domain.open(goal, this.#permit, signal);
    try {
      // withdrawn, or the run is over, while Lean elaborated it
      if (signal.aborted) return;
      switch (opened.kind) {
        case 'open':
          this.#examined(id, opened.work, opened.facts);
          await this.#work(id, goal, opened.work, opened.facts, signal);
          break;
        case 'unreadable':
          this.#close(id, undefined, opened.message);
          break;
        case 'broken':
          this.#couldNotOpen(id, opened.message);
          break;
        case 'cancelled':
          break;
      }
    } finally {
      if (opened.kind === 'open') await domain.close(opened.work);
      this.#withdrawn.delete(id);
    }
  }

  async #work(id: string, goal: Goal, work: Work, facts: GoalFacts, signal: AbortSignal): Promise<void> {
    let proof = await this.#race.recall(
      id,
      work,
      facts,
      this.#parts.memory.provedBefore(facts.goalHash),
      signal,
    );
    let mayAsk = true;
    while (!proof && !this.#isEnding && !signal.aborted) {
      const at = this.#now();
      const step = nextStep(this.#schedule, id, at, mayAsk);
      switch (step.kind) {
        case 'slate':
          this.#emit('slate-started', step.body, at);
          proof = await this.#race.slate(work, facts, step.body, signal);
          break;
        case 'ask-for-lemma':
          mayAsk = false;
          if (this.#trade.ask(id, goal, work) === 'lent') {
            this.#emit('goal-parked', { goal: id, until: at, reason: 'ticket', ticket: null }, at);
            return;
          }
          break;
        case 'park':
          this.#emit('goal-parked', step.body, at);
          return;
        case 'give-up':
          this.#close(id, undefined, step.reason);
          return;
      }
    }
    if (!proof) return;
    const polished = await this.#race.polish(id, work, facts, proof, signal);
    if (this.#schedule.goal(id).phase === 'closed') return;
    this.#close(id, polished, 'proved');
    this.#trade.deliver(id, polished);
  }

  #examined(id: string, work: Work, facts: GoalFacts): void {
    const { memory, strategies, start, domain } = this.#parts;
    const { goalHash, fingerprint, context, cpuSeconds } = facts;
    const arms = strategies.flatMap((strategy) =>
      strategy.arms(work).map((arm): ArmOffer => {
        const { name: its, slot, budget } = strategy;
        return { arm: arm.name, strategy: its, slot, signature: signatureOf(arm, facts), budget };
      }),
    );
    const features = { ...facts.features, failures: memory.failures(goalHash) };
    const difficulty = difficultyOf(features, domain.describe(this.#goal(id)).label, start.learned.weights);
    const { requester, tried, isRetried, wantedPriority } = this.#schedule.goal(id);
    // a second visit in the same run knows what the first one tried; a person who asks for a retry lifts the loop guard
    const before = isRetried || tried.length > 0 ? tried : memory.tried(goalHash, fingerprint);
    this.#emit('goal-examined', {
      goal: id,
      goal_hash: goalHash,
      fingerprint,
      context,
      features,
      difficulty,
      priority: wantedPriority ?? priorityFor(difficulty, requester),
      arms,
      tried: before,
      cpu_seconds: cpuSeconds,
    });
  }

  #couldNotOpen(id: string, message: string): void {
    const { faults } = this.#schedule.goal(id);
    if (faults + 1 >= maxOpenings) {
      this.#close(id, undefined, `broken: ${message}`);
      return;
    }
    const until = this.#now() + 1000 * 2 ** faults;
    this.#emit('note', { level: 'warning', text: `${id}: ${message}` });
    this.#emit('goal-parked', { goal: id, until, reason: 'broken', ticket: null });
  }

  #close(id: string, proof: Proof | undefined, reason: string): void {
    const { attempts, cpuSeconds } = this.#schedule.goal(id);
    this.#emit('goal-closed', {
      goal: id,
      solved: proof !== undefined,
      refuted: null,
      proof: proof?.text ?? null,
      assurance: proof?.assurance ?? null,
      strategy: proof?.strategy ?? null,
      arm: proof?.arm ?? null,
      attempts,
      cpu_seconds: cpuSeconds,
      axioms: proof?.axioms ?? [],
      assumes: proof?.assumes ?? [],
      reason,
    });
  }

  #tick(): void {
    this.#meter.tick(hasWork(this.#schedule, this.#now()));
    if (++this.#readings % readingsASample === 0) {
      this.#sample();
      const isLemmaThere = this.#trade.collect(this.#now());
      if (this.#desk.obey() || isLemmaThere) this.#wake();
    }
    const { timeout } = this.#parts.start.config;
    if (timeout !== null && this.#meter.totals().wallSeconds >= timeout) this.stop('timeout');
  }

  #sample(): void {
    const { start, throttle, domain } = this.#parts;
    const phases = [...this.#schedule.goals()].map(({ phase }) => phase);
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
      queued: phases.filter((phase) => phase === 'queued').length,
      parked: phases.filter((phase) => phase === 'parked').length,
      workers: domain.workers().map((worker) => ({ ...worker, arm: this.#schedule.armsOn(worker.goal) })),
    });
  }

  /** Nothing is open, and what is parked waits for a lemma that nobody is working on. */
  #isIdle(): boolean {
    if (this.#visits.size > 0 || this.#parts.staysOpen || this.#schedule.isPaused) return false;
    const goals = [...this.#schedule.goals()];
    if (goals.some(({ phase }) => phase === 'queued')) return false;
    const parked = goals.filter(({ phase }) => phase === 'parked');
    if (parked.some(({ ticket }) => !ticket?.isOpen)) return false;
    for (const state of parked)
      this.#close(state.goal, undefined, `${allFailed(state)}; it waits for a helper lemma`);
    return true;
  }

  async #waitForChange(): Promise<void> {
    this.#change = Promise.withResolvers<void>();
    const wakeUp = nextWakeUp(this.#schedule, this.#now());
    const wait = Math.min(60_000, Math.max(1, (wakeUp ?? Number.POSITIVE_INFINITY) - this.#now()));
    const timer = setTimeout(() => this.#wake(), wait);
    await this.#change.promise;
    clearTimeout(timer);
  }

  #wake(): void {
    this.#change.resolve();
  }

  #end(reason: RunFinished['reason']): void {
    if (!this.#isEnding) this.#reason = reason;
    this.#isEnding = true;
    this.#wake();
  }

  #fail(error: unknown): void {
    // a request for a worker that the end of the run has cut short
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

  #finish(): RunFinished {
    this.#meter.tick(false);
    const wanted = [...this.#schedule.goals()].filter(({ requester }) => requester === null);
    const { cpuSeconds, hostCpuSeconds, wallSeconds, utilisation } = this.#meter.totals();
    const finished: RunFinished = {
      reason: this.#reason,
      message: this.#failure?.message ?? null,
      goals_total: wanted.length,
      goals_solved: wanted.filter(({ isSolved }) => isSolved).length,
      cpu_seconds: cpuSeconds,
      lean_cpu_seconds: this.#leanSeconds,
      host_cpu_seconds: hostCpuSeconds,
      wall_seconds: wallSeconds,
      utilisation,
    };
    // a ledger that cannot be written may be why the run failed: then it cannot take this either
    this.#guard(() => this.#emit('run-finished', finished));
    if (this.#failure) throw this.#failure;
    return finished;
  }

  #goal(id: string): Goal {
    const goal = this.#goals.get(id);
    if (goal === undefined) throw new Error(`no goal ${id}`);
    return goal;
  }

  readonly #permit: Permit = async (slot) => await this.#parts.throttle.permit(slot, this.#abort.signal);

  #now(): number {
    return this.#parts.clock.date().getTime();
  }

  #emit<Type extends EventType>(type: Type, body: EventBodies[Type], at = this.#now()): void {
    this.#parts.bus.emit(type, body, at);
    this.#schedule.apply({ type, run: this.#parts.bus.run, at, ...body } as never);
  }
}

/** A lemma that a goal waits for matters more than its own difficulty says. */
function priorityFor(difficulty: number, requester: string | null): number {
  return priorityOf(difficulty, { impact: requester === null ? 0 : 0.5 });
}
