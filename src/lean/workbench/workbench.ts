// Over 300 lines because all methods share private state (worker, states, failed tactics).
import { success, type Result } from '../../core/result.ts';
import { environmentFingerprint, goalHash } from '../toolchain/fingerprint.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { parseNames } from '../base/names.ts';
import type { Lease } from '../workers/lease.ts';
import {
  heartbeatsPerSecond,
  type Cost,
  failure,
  type Constant,
  type Description,
  type Failure,
  type Equations,
  type Moves,
  type Reply,
  type Requests,
  type StatementData,
} from '../base/protocol.ts';
import type { WorkAccount } from './account.ts';
import {
  defaultDeadlineMs,
  elaborate,
  type Elaborated,
  type OpenAbove,
  type WorkbenchOptions,
  type WorkMemory,
} from './elaborate.ts';
import { featuresOf } from './features.ts';
import { fill, type Hole } from './holes.ts';
import { LeaseMeter } from './lease-meter.ts';
import { LeftOpen } from './left-open.ts';
import { Node, type WorkState } from './node.ts';
import { batchSize, type StepOptions } from './step-options.ts';
import { Turns } from './turns.ts';
import { proofOf, renderScript } from './script.ts';
import { Tried, type Answer } from './tried.ts';

export type { WorkState } from './node.ts';
export type { StepOptions } from './step-options.ts';
export type { WorkbenchOptions, WorkMemory } from './elaborate.ts';
export type StepAnswer = Answer<WorkState>;

/** Facts that the relational prover may use besides the goal itself. */
export interface RelationalRules {
  readonly lemmas: readonly string[];
  readonly definitions: readonly string[];
  /** Tactics for cases that no rule closes. */
  readonly closers: readonly string[];
  readonly closerHeartbeats: number;
  /** Whether inductive predicates are involved. */
  readonly isRelational: boolean;
}

/** Facts that proposed steps may use. */
export interface MoveFacts {
  readonly lemmas: readonly string[];
  readonly definitions: readonly string[];
  readonly eliminators?: readonly string[];
}

export type OpenedWorkbench = Result<Workbench, Failure> & { readonly cost: Cost };

/** Reading a goal takes some milliseconds; this is for large ones. */
const readingHeartbeats = 3000;
/** Up to 64 instances of a statement. */
const refuteHeartbeats = 26_000;

/** States kept in the worker; older ones are dropped and recreated on demand. */
const maxStates = 200;
/**
 * Safety limits for work that heartbeats do not count, such as large numbers in the kernel. The CPU limit allows for
 * cold machine code and slow machines, the wall-clock limit for busy machines.
 */
function netFor(workSeconds: number): { cpuSeconds: number; deadlineMs: number } {
  return { cpuSeconds: 5 + 8 * workSeconds, deadlineMs: Math.ceil(1000 * (60 + 200 * workSeconds)) };
}

/** All states of a workbench are its own nodes. */
const nodeOf = (state: WorkState): Node => state as Node;

/**
 * One goal, elaborated once in one leased worker, for all arms that work on it. Requests are served one after the other, so
 * arms that race take turns at each batch.
 *
 *     open ──run──▶ open            the worker died: open again in a new one, replay states on demand
 *       └─ every hole closed ──▶ complete: `proof()` has the candidate's text
 */
export class Workbench {
  readonly goal: LeanGoal;
  readonly goalHash: string;
  readonly fingerprint: string;
  /** The statement as data, which the judge compares a candidate with. */
  readonly statement: StatementData;
  /** The canonical form of the whole goal, and the fingerprint of its project's modules. */
  readonly canonical: string;
  readonly closure: string;
  /** The statement as data, with the open theorems that a proof may assume. */
  readonly given: OpenAbove | undefined;
  readonly features: Readonly<Record<string, number>>;
  /** The constants that the statement mentions. */
  readonly symbols: readonly string[];
  /** The declarations of the preamble. */
  readonly own: readonly Constant[];
  /** The optional tactics that this Lean has. */
  readonly tactics: ReadonlySet<string>;
  /** The goal of each hole, as data. */
  readonly descriptions: readonly Description[];
  readonly #lease: Lease;
  readonly #options: WorkbenchOptions;
  readonly #tried: Tried<Node>;
  readonly #turns = new Turns();
  readonly #holes: readonly Hole[];
  readonly #closed = new Map<number, Node>();
  readonly #live = new Set<Node>();
  readonly #leftOpen = new LeftOpen<Node>();
  readonly #moves = new Map<string, Moves>();
  #closer: WorkAccount | undefined;
  #exported:
    | { readonly proof: string; readonly constants: unknown; readonly given: readonly string[] }
    | undefined;
  readonly #roots: readonly Node[];
  #sessions: readonly number[];
  #pid: number | undefined;

  /** Loads the preamble, elaborates the statement and finds the holes. */
  static async open(lease: Lease, goal: LeanGoal, options: WorkbenchOptions): Promise<OpenedWorkbench> {
    const meter = new LeaseMeter(lease);
    await options.permit?.();
    const elaborated = await elaborate(lease, goal, options, true);
    const cost = meter.read();
    if (!elaborated.ok) return { ...elaborated, cost };
    return { ...success(new Workbench(lease, goal, options, elaborated.value)), cost };
  }

  private constructor(lease: Lease, goal: LeanGoal, options: WorkbenchOptions, elaborated: Elaborated) {
    this.goal = goal;
    this.#lease = lease;
    this.#options = options;
    this.#pid = lease.pid;
    this.#holes = elaborated.holes;
    const { memory } = options;
    const isKnown =
      memory !== undefined && elaborated.roots.every(({ key }, hole) => memory.roots[hole]?.key === key);
    this.#tried = isKnown ? memory.tried : new Tried();
    this.#roots = isKnown ? memory.roots : elaborated.roots;
    if (isKnown) this.#place(elaborated.roots);
    this.#sessions = elaborated.sessions;
    this.statement = elaborated.statement;
    this.given = elaborated.given;
    this.own = elaborated.own;
    this.symbols = elaborated.symbols;
    this.tactics = new Set(elaborated.tactics);
    this.descriptions = elaborated.descriptions;
    this.canonical = elaborated.canonical;
    this.closure = options.closure ?? '';
    this.goalHash = goalHash(elaborated.canonical);
    this.fingerprint = environmentFingerprint(options.toolchain, goal.preamble, options.closure);
    this.features = featuresOf({
      ...elaborated,
      statement: goal.statement,
      goals: elaborated.roots.flatMap(({ goals }) => goals),
    });
  }

  /** The start state of each open hole. */
  get open(): readonly WorkState[] {
    return this.#roots.filter(({ hole }) => !this.#closed.has(hole));
  }

  /** The open theorems before the goal that a proof may assume now, with the hash of their statements. */
  get assumable(): ReadonlyMap<string, string> {
    const { isBarred } = this.#options;
    return new Map([...(this.given?.theorems ?? [])].filter(([, hash]) => isBarred?.(hash) === false));
  }

  /** What may be used: a lemma that rests on open theorems only if all of these may be assumed. */
  isUsable({ unfinished, rests_on }: Constant): boolean {
    if (unfinished !== true) return true;
    const { assumable } = this;
    return rests_on?.every((name) => assumable.has(name)) ?? false;
  }

  /**
   * Runs each tactic from the same state. Results of earlier runs are reused. Answers are in the order of the
   * tactics; there are fewer if one of them met the stop condition or the account stopped.
   */
  async run(
    from: WorkState,
    tactics: readonly string[],
    account: WorkAccount,
    { heartbeats = account.limits.heartbeats, until = 'closed', evenSpent = false }: StepOptions = {},
  ): Promise<StepAnswer[]> {
    const node = nodeOf(from);
    const answers: StepAnswer[] = [];
    const isEnough = ({ state }: { state: WorkState }): boolean =>
      until !== 'end' &&
      (state.closed || (until === 'fewer-goals' && state.goals.length < from.goals.length));
    // after a request without answers, run tactics one at a time to find the one that caused it
    let most = batchSize(heartbeats, until);
    const isStopped = (): boolean => (evenSpent ? account.isCut : account.stopped !== undefined);
    for (let next = 0; next < tactics.length && !isStopped();) {
      const known = this.#tried.find(node.key, tactics[next] ?? '', heartbeats);
      const batch = known
        ? [known]
        : await this.#batch(node, tactics.slice(next, next + most), account, {
            heartbeats,
            until,
            evenSpent,
          });
      if (batch.length === 0 && most === 1) break;
      if (batch.length === 0) most = 1;
      answers.push(...batch);
      next += batch.length;
      if (batch.some((answer) => answer.kind === 'state' && isEnough(answer))) break;
    }
    return answers;
  }

  /**
   * Searches for a proof of the first goal by induction, inversion and backward chaining in Lean, with the account's
   * remaining budget. The result is a script that has yet to be run.
   */
  async relate(from: WorkState, rules: RelationalRules, account: WorkAccount): Promise<string | undefined> {
    const node = nodeOf(from);
    const first = await this.#relate(node, rules, account);
    // the worker may have been killed from outside; one that died of the request dies again
    const hasDied = first?.ok === false && first.kind === 'crash';
    const reply = hasDied ? await this.#relate(node, rules, account) : first;
    return reply?.ok ? reply.script : undefined;
  }

  async #relate(
    node: Node,
    rules: RelationalRules,
    account: WorkAccount,
  ): Promise<Reply<'relate'> | undefined> {
    return await this.#inTurn<Reply<'relate'> | undefined>(account, undefined, async () => {
      if (account.stopped !== undefined || !(await this.#restore(node, account))) return undefined;
      const reply = await this.#lease.request(
        'relate',
        {
          state: node.server ?? -1,
          lemmas: parseNames(rules.lemmas),
          definitions: parseNames(rules.definitions),
          closers: rules.closers,
          closer_heartbeats: rules.closerHeartbeats,
          relational: rules.isRelational,
          heartbeats: Math.ceil(account.secondsLeft * heartbeatsPerSecond),
        },
        { ...netFor(account.secondsLeft), signal: account.signal },
      );
      account.charge(reply.cost);
      return reply;
    });
  }

  /** The steps that a search may take at the first goal; none if Lean cannot say. */
  async moves(from: WorkState, facts: MoveFacts, account: WorkAccount): Promise<Moves> {
    const node = nodeOf(from);
    const known = this.#moves.get(node.key);
    if (known) return known;
    const names = {
      lemmas: parseNames(facts.lemmas),
      definitions: parseNames(facts.definitions),
      principles: parseNames(facts.eliminators ?? []),
    };
    const reply = await this.#about(node, 'moves', names, account);
    if (!reply?.ok) return { naming: [], safe: [], kinds: [] };
    this.#moves.set(node.key, reply);
    return reply;
  }

  /** The first goal as an equation, with laws for it. */
  async equations(from: WorkState, lemmas: readonly string[], account: WorkAccount): Promise<Equations> {
    const reply = await this.#about(nodeOf(from), 'equations', { lemmas: parseNames(lemmas) }, account);
    return reply?.ok ? reply : { given: [], values: [] };
  }

  /** Small values at which the first goal is false. */
  async refuted(
    from: WorkState,
    falsify: string,
    account: WorkAccount,
  ): Promise<Reply<'refute'> | undefined> {
    const heartbeats = Math.min(refuteHeartbeats, Math.ceil(account.secondsLeft * heartbeatsPerSecond));
    return await this.#about(nodeOf(from), 'refute', { falsify }, account, heartbeats);
  }

  /** Lemmas from which the first goal may follow, most general first and the goal itself last. */
  async weaker(from: WorkState, account: WorkAccount): Promise<Reply<'weaken'> | undefined> {
    return await this.#about(nodeOf(from), 'weaken', {}, account);
  }

  /** What Lean reads from a state's first goal. */
  async #about<Op extends 'moves' | 'equations' | 'refute' | 'weaken'>(
    node: Node,
    op: Op,
    body: Omit<Requests[Op], 'state' | 'heartbeats'>,
    account: WorkAccount,
    heartbeats = readingHeartbeats,
  ): Promise<Reply<Op> | undefined> {
    return await this.#inTurn<Reply<Op> | undefined>(account, undefined, async () => {
      if (account.stopped !== undefined || !(await this.#restore(node, account))) return undefined;
      const net = { ...netFor(heartbeats / heartbeatsPerSecond), signal: account.signal };
      const request = { ...body, state: node.server ?? -1, heartbeats } as Requests[Op];
      const reply = await this.#lease.request(op, request, net);
      account.charge(reply.cost);
      return reply;
    });
  }

  /** The states with the smallest goals that a tactic left as the only open one. */
  get leftOpen(): readonly WorkState[] {
    return this.#leftOpen.states;
  }

  /**
   * Lets a state prove its hole if Lean accepts the script as a whole (steps run one at a time and without the
   * kernel). This is only a pre-check; only the gate's verdict counts. A rejected script is not proposed again.
   */
  async close(state: WorkState, account: WorkAccount): Promise<Failure | undefined> {
    const node = nodeOf(state);
    if (!node.closed) return failure('tactic', 'the state has goals left');
    if (this.#closed.has(node.hole)) return undefined;
    const proof = this.assemble(
      this.#roots.map(({ hole }) => this.#script(hole === node.hole ? node : hole)),
    );
    const checked = await this.#check(proof, account);
    // another arm may have closed the same hole during the check
    if (this.#closed.has(node.hole)) return undefined;
    const isFine = checked.ok || (checked.kind === 'sorry' && this.open.length > 1);
    if (isFine) {
      this.#closed.set(node.hole, node);
      this.#closer = account;
      if (checked.ok) {
        const given = checked.assumes.filter((name) => this.given?.theorems.has(name));
        this.#exported = { proof, constants: checked.export, given };
      }
      return undefined;
    }
    if (!account.isCut) this.#forbid(node, checked);
    return checked;
  }

  /** Whether this account closed the last hole. */
  wasClosedBy(account: WorkAccount): boolean {
    return this.#closer === account;
  }

  /** The new constants of a proof as Lean exported them during its check; the judge's input. */
  exportOf(proof: string): unknown {
    return this.#exported?.proof === proof ? this.#exported.constants : undefined;
  }

  /** The open theorems that this proof rests on, according to the same check. */
  givenOf(proof: string): readonly string[] {
    return this.#exported?.proof === proof ? this.#exported.given : [];
  }

  /** Called when the gate rejected the assembled proof: reopens the closed holes and forbids closing them the same way. */
  refute(): void {
    for (const node of this.#closed.values())
      this.#forbid(node, failure('tactic', 'the gate rejected the proof that ended here'));
    this.#closed.clear();
  }

  /** The proof assembled from the closed holes, if none is open. */
  proof(): string | undefined {
    if (this.open.length > 0) return undefined;
    return this.assemble(this.#roots.map(({ hole }) => this.#script(hole)));
  }

  /** The scripts that closed the holes, in hole order. */
  scripts(): { readonly hole: number; readonly steps: readonly string[]; readonly script: string }[] {
    return this.#roots.flatMap(({ hole }) => {
      const node = this.#closed.get(hole);
      return node ? [{ hole, steps: node.tactics, script: this.#script(node) }] : [];
    });
  }

  /** Assembles a proof from one script per hole. */
  assemble(scripts: readonly string[]): string {
    const { holes } = this.goal;
    if (holes.kind === 'statement') return proofOf(scripts[0] ?? '');
    const prefix = `${this.goal.statement} := `;
    return fill(prefix + holes.template, this.#holes, scripts).slice(prefix.length);
  }

  /** Gives direct access to the worker while no arm uses it, before any arm starts. */
  async borrow<Value>(talk: (lease: Lease) => Promise<Value>): Promise<Value> {
    return await this.#turns.take(
      () => 0,
      async () => await talk(this.#lease),
    );
  }

  /** The data that another workbench in the same worker needs. */
  get ground(): Pick<WorkbenchOptions, 'toolchain' | 'closure' | 'isBarred'> {
    const { toolchain, closure, isBarred } = this.#options;
    return { toolchain, ...(closure !== undefined && { closure }), ...(isBarred && { isBarred }) };
  }

  /** The data that a later workbench of the same goal can reuse. */
  get memory(): WorkMemory {
    return { tried: this.#tried, roots: this.#roots };
  }

  /** Frees the worker's memory. The caller keeps its lease. */
  async end(): Promise<void> {
    await this.borrow(async () => {
      const nodes = [...this.#live, ...this.#roots];
      const states = nodes.flatMap(({ server }) => server ?? []);
      this.#live.clear();
      for (const node of nodes) node.place(undefined, undefined);
      if (this.#lease.pid !== this.#pid || this.#pid === undefined) return;
      await this.#lease.request('drop', { states }, { deadlineMs: defaultDeadlineMs });
      if (this.#sessions.length > 0) await this.#lease.request('unload', { sessions: this.#sessions });
      this.#pid = undefined;
    });
  }

  /** The start state of a hole, closed or not. */
  root(hole: number): WorkState {
    const root = this.#roots[hole];
    if (!root) throw new Error(`no hole ${hole}`);
    return root;
  }

  #script(from: Node | number): string {
    const node = typeof from === 'number' ? this.#closed.get(from) : from;
    return node ? renderScript(node.steps()) : 'sorry';
  }

  async #check(proof: string, account: WorkAccount): Promise<Failure | Reply<'check'>> {
    const { statement, allowAxioms } = this.goal;
    const stopped = failure('cancelled', 'stopped before the proof was checked');
    return await this.#inTurn<Failure | Reply<'check'>>(account, stopped, async (session) => {
      const assume = parseNames([...this.assumable.keys()]);
      const body = { session, statement, proof, allow_axioms: parseNames(allowAxioms), assume, export: true };
      const limits = { deadlineMs: this.#options.deadlineMs ?? defaultDeadlineMs, signal: account.signal };
      const reply = await this.#lease.request('check', body, limits);
      account.charge(reply.cost);
      return reply;
    });
  }

  /** Forbids the last step to this state. */
  #forbid(node: Node, refused: Failure): void {
    if (node.parent) this.#tried.forbid(node.parent.key, node.tactic, { kind: 'failed', failure: refused });
  }

  async #batch(
    node: Node,
    tactics: readonly string[],
    account: WorkAccount,
    { heartbeats, until, evenSpent }: Required<StepOptions>,
  ): Promise<StepAnswer[]> {
    const known = tactics.findIndex((tactic) => this.#tried.find(node.key, tactic, heartbeats));
    const batch = tactics.slice(0, known < 0 ? tactics.length : known);
    return await this.#inTurn(account, [], async () => {
      if ((account.stopped !== undefined && !evenSpent) || !(await this.#restore(node, account))) return [];
      // uncounted work must not take longer than the heartbeats of these tactics allow
      const allowed = (batch.length * heartbeats) / heartbeatsPerSecond;
      // a script that is known to work runs to its end
      const seconds = evenSpent ? allowed : Math.min(account.secondsLeft, allowed);
      const net = netFor(seconds);
      const reply = await this.#lease.request(
        'steps',
        { state: node.server ?? -1, tactics: batch, stop_when_closed: until !== 'end', heartbeats },
        { ...net, signal: account.signal },
      );
      account.charge(reply.cost);
      if (this.#lease.pid !== this.#pid) return [];
      if (!reply.ok) {
        return batch.length === 1 && reply.kind !== 'cancelled' ? [{ kind: 'failed', failure: reply }] : [];
      }
      const { wallSeconds, cpuSeconds } = reply.cost;
      const wasCut =
        account.signal.aborted || wallSeconds * 1000 >= net.deadlineMs || cpuSeconds >= net.cpuSeconds;
      return reply.results.map((result, index): StepAnswer => {
        const tactic = batch[index] ?? '';
        const answer: Answer<Node> = result.ok
          ? {
              kind: 'state',
              state: this.#keep(new Node(node.hole, node, tactic, result, { server: result.state })),
              ...(result.ms !== undefined && { ms: result.ms }),
              ...(result.heartbeats !== undefined && { heartbeats: result.heartbeats }),
            }
          : { kind: 'failed', failure: result };
        const isCut = wasCut && index === reply.results.length - 1 && !result.ok;
        if (!isCut) this.#tried.remember(node.key, tactic, heartbeats, answer);
        return answer;
      });
    });
  }

  /** Serves one caller at a time. A caller that is cancelled while it waits gives up its turn. */
  async #inTurn<Value>(
    account: WorkAccount,
    none: Value,
    talk: (session: number) => Promise<Value>,
  ): Promise<Value> {
    return await this.#turns.take(
      () => account.turn,
      async () => {
        await account.permit().catch((reason: unknown) => {
          if (!account.signal.aborted) throw reason;
        });
        if (account.isCut) return none;
        const session = await this.#session(account);
        return session === undefined ? none : await talk(session);
      },
    );
  }

  /** The session of the preamble in the current worker. After a crash, everything is reloaded in a new one. */
  async #session(account: WorkAccount): Promise<number | undefined> {
    const limits = { deadlineMs: this.#options.deadlineMs ?? defaultDeadlineMs };
    const loaded = await this.#lease.session(this.goal.preamble, limits);
    if (loaded.ok && this.#lease.pid === this.#pid) return loaded.session;
    const meter = new LeaseMeter(this.#lease);
    this.#live.clear();
    this.#pid = this.#lease.pid;
    const again = await elaborate(this.#lease, this.goal, this.#options, false);
    account.charge(meter.read());
    if (!again.ok) {
      account.break(again.error.message);
      this.#pid = undefined;
      return undefined;
    }
    const { sessions, roots, session } = again.value;
    this.#sessions = sessions;
    this.#place(roots);
    this.#pid = this.#lease.pid;
    return session;
  }

  /** Records the ids of the holes' start states in the current worker. */
  #place(roots: readonly Node[]): void {
    for (const [hole, root] of roots.entries()) this.#roots[hole]?.moveTo(root);
  }

  /** Recreates a state in the current worker; false if replaying fails. */
  async #restore(node: Node, account: WorkAccount): Promise<boolean> {
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
    this.#leftOpen.note(node);
    node.place(node.server, this.#pid);
    this.#live.add(node);
    if (this.#live.size > maxStates) void this.#dropOldest();
    return node;
  }

  /** Drops half of them at once: one request instead of a hundred. */
  async #dropOldest(): Promise<void> {
    const old = [...this.#live].slice(0, maxStates / 2);
    const states = old.flatMap(({ server }) => server ?? []);
    for (const node of old) {
      this.#live.delete(node);
      node.place(undefined, undefined);
    }
    const pid = this.#pid;
    await this.borrow(async (lease) => {
      if (lease.pid === pid) await lease.request('drop', { states });
    });
  }
}
