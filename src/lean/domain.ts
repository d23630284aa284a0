import type { Judgement } from '../core/verdict.ts';
import { judgementOf } from './gate/judgement.ts';
import type { Verdict } from './gate/verdict.ts';
import { leanRows } from './rows.ts';
import type {
  Domain,
  Opened,
  LemmaSide,
  MissingLemma,
  Permit,
  Polished,
  Refutation,
} from '../core/scheduler/domain.ts';
import type { Features } from '../core/difficulty.ts';
import type { AttemptRun, Effort } from '../core/strategy.ts';
import type { WorkerSample } from '../shared/events.ts';
import { sha256 } from '../core/sha256.ts';
import type { Gate } from './gate/gate.ts';
import { verdictOf } from './gate/verdicts.ts';
import type { LeanGoal, Proved } from './goals/goal.ts';
import { lemmaRequest, ticketGoal, withLemma } from './market/lemma.ts';
import { missingLemma } from './market/missing.ts';
import { negationLemma, RefutedLemmas } from './search/refuted-lemmas.ts';
import type { Lease } from './workers/lease.ts';
import type { LeanPool } from './workers/pool.ts';
import type { Candidate, ScriptTrace } from './workbench/candidate.ts';
import { withoutIdleLemmas } from './improve/polish/idle-lemmas.ts';
import { minimise } from './improve/polish/minimise.ts';
import { goalFacts } from './workbench/goal-facts.ts';
import { FinishedLemmas } from './premises/finished.ts';
import { conditionalKind } from '../shared/assurance.ts';
import { noCost, type Cost, type Failure, type StatementData } from './base/protocol.ts';
import { FoundProofs } from './writing/found-proofs.ts';
import { refutation } from './search/refutation.ts';
import { WorkAccount } from './workbench/account.ts';
import { LeaseMeter } from './workbench/lease-meter.ts';
import { Workbench, type WorkMemory } from './workbench/workbench.ts';
/** Limits of judging; beyond them the verdict is unknown. The wall-clock limit is only for hanging requests. */
const judgeLimits = { cpuSeconds: 60, deadlineMs: 1_200_000 };
/** Files of a project can take 20 CPU-seconds before the first theorem at their end. */
const openMs = { plain: 600_000, project: 1_200_000 };
/** Goals whose tried tactics are remembered between visits; a few MB each at most. */
const maxMemories = 64;

interface LeanDomainOptions {
  readonly trades?: boolean;
  /** Whether goals are proved from open theorems above them. */
  readonly assumes?: boolean;
  readonly refuted?: RefutedLemmas;
  /** Hashes of the statements that earlier runs found to be false. */
  readonly refutedBefore?: ReadonlySet<string>;
  /** Proofs of the run that this one continues. */
  readonly proved?: readonly Proved[];
}

/** Lean proofs, as the engine sees them. */
export class LeanDomain implements Domain<LeanGoal, Workbench, Candidate, ScriptTrace, Verdict> {
  readonly rows = leanRows;
  readonly #pool: LeanPool;
  readonly #gate: Gate;
  readonly #leases = new Map<Workbench, Lease>();
  readonly #holders = new Map<number, string>();
  readonly #memories = new Map<string, WorkMemory>();
  readonly lemmas: LemmaSide<LeanGoal, Workbench>;
  readonly #proofs: FoundProofs;
  /** Per goal, the open theorems that it has been proved from: its search continues without them. */
  readonly #forgone = new Map<string, Set<string>>();
  readonly #isBarred: (goalHash: string) => boolean;

  /** If `trades` is absent, goals neither request lemmas nor share completed ones. */
  constructor(
    pool: LeanPool,
    gate: Gate,
    {
      trades = true,
      assumes = true,
      refuted = new RefutedLemmas(),
      refutedBefore = new Set(),
      proved = [],
    }: LeanDomainOptions = {},
  ) {
    this.#proofs = new FoundProofs(proved);
    this.#isBarred = (hash) => !assumes || refutedBefore.has(hash) || refuted.ofHash(hash) !== undefined;
    this.#pool = pool;
    this.#gate = gate;
    const shelf = new FinishedLemmas();
    this.lemmas = trades
      ? {
          ...lemmaSide,
          shelf,
          missing: async (goal, workbench, run, isLast) =>
            await missingLemma(goal, workbench, run, isLast, refuted),
          refuted: (lemma) => {
            refuted.add(lemma);
            const negation = negationLemma(lemma);
            if (negation) shelf.add(negation.goal, negation.proof);
          },
        }
      : { ...lemmaSide, missing: nothingMissing };
  }

  async open(goal: LeanGoal, permit: Permit, signal: AbortSignal): Promise<Opened<Workbench>> {
    const { preamble } = goal;
    let lease: Lease | undefined;
    let meter: LeaseMeter | undefined;
    try {
      lease = await this.#pool.lease({ preamble, environment: goal.environment, signal });
      meter = new LeaseMeter(lease);
      const opened = await Workbench.open(lease, goal, {
        toolchain: this.#pool.toolchain,
        closure: lease.closure,
        permit: async () => await permit('light'),
        signal,
        // a lemma of a ticket and a row have no file in which the open theorems may be proved
        isBarred: (hash) =>
          goal.place === undefined || this.#isBarred(hash) || this.#forgone.get(goal.id)?.has(hash) === true,
        deadlineMs: (goal.environment?.project ?? null) === null ? openMs.plain : openMs.project,
        ...this.#recallWork(goal),
      });
      if (!opened.ok) {
        lease.release();
        return { ...refused(opened.error), ...effortOf(opened.cost) };
      }
      const workbench = opened.value;
      this.#leases.set(workbench, lease);
      if (lease.pid !== undefined) this.#holders.set(lease.pid, goal.id);
      const resists_simp = await countResisting(workbench, async () => await permit('light'), signal);
      const facts = goalFacts(workbench, { ...workbench.features, resists_simp, ...featuresOf(goal) });
      return { kind: 'open', work: workbench, facts, ...effortOf(meter.read()) };
    } catch (error) {
      lease?.release();
      if (signal.aborted) return { kind: 'cancelled', ...effortOf(meter?.read() ?? noCost) };
      throw error;
    }
  }

  async close(workbench: Workbench): Promise<void> {
    const lease = this.#leases.get(workbench);
    this.#leases.delete(workbench);
    for (const [pid, id] of this.#holders) if (id === workbench.goal.id) this.#holders.delete(pid);
    await workbench.end();
    this.#keepWork(workbench);
    lease?.release();
  }

  #recallWork(goal: LeanGoal): { memory?: WorkMemory } {
    const key = textKey(goal);
    const memory = this.#memories.get(key);
    this.#memories.delete(key);
    return memory ? { memory } : {};
  }

  /** Tactics that failed in one round are not run again in the next. */
  #keepWork(workbench: Workbench): void {
    if (workbench.open.length === 0) return;
    this.#memories.set(textKey(workbench.goal), workbench.memory);
    const [oldest] = this.#memories.keys();
    if (this.#memories.size > maxMemories && oldest !== undefined) this.#memories.delete(oldest);
  }

  /**
   * Elaborates the candidate in the worker that has the goal, unless that has been done; another process judges
   * it.
   */
  async judge(
    workbench: Workbench,
    { proof, exported, given = [] }: Candidate,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Judgement<Verdict>> {
    const { preamble, statement, allowAxioms, environment } = workbench.goal;
    const claim = { preamble, statement, proof, allowAxioms, environment };
    const limits = { ...judgeLimits, signal };
    await permit('light');
    const judge = async (stated: StatementData, assume: readonly string[]): Promise<Verdict> =>
      exported === undefined
        ? await workbench.borrow(
            async (lease) => await this.#gate.checkIn(lease, { ...claim, assume }, stated, limits),
          )
        : await this.#gate.judgeData({ ...claim, assume }, stated, exported, limits);
    const first = given.length > 0 ? undefined : await judge(workbench.statement, []);
    const verdict =
      first === undefined || (first.kind === 'sorry' && exported === undefined)
        ? await this.#judgeGiven(workbench, judge)
        : first;
    const isOnTheBench = workbench.proof() === proof || given.length > 0;
    if (verdict.verdict === 'rejected' && isOnTheBench) workbench.refute();
    const { assumable } = workbench;
    if (verdict.kind === conditionalKind) {
      const forgone = this.#forgone.get(workbench.goal.id) ?? new Set();
      for (const name of verdict.assumes) forgone.add(assumable.get(name) ?? '');
      this.#forgone.set(workbench.goal.id, forgone);
    }
    return judgementOf(verdict, assumable);
  }

  /** With the open theorems that the goal may assume. Which of them the proof rests on is the judge's to say. */
  async #judgeGiven(
    workbench: Workbench,
    judge: (statement: StatementData, assume: readonly string[]) => Promise<Verdict>,
  ): Promise<Verdict> {
    const { given, assumable } = workbench;
    const verdict = given && (await judge(given.statement, [...given.theorems.keys()]));
    const isRight = verdict?.kind !== conditionalKind || verdict.assumes.every((name) => assumable.has(name));
    return verdict && isRight ? verdict : await judge(workbench.statement, []);
  }

  proved(goal: LeanGoal, proof: string): void {
    this.#proofs.add(goal, proof);
  }

  async settle(
    { preamble, statement, allowAxioms, environment, place }: LeanGoal,
    proof: string,
    permit: Permit,
    signal: AbortSignal,
  ): Promise<Judgement<Verdict> | undefined> {
    const filled = this.#proofs.filledIn(preamble, place?.file);
    if (filled === undefined) return undefined;
    await permit('light', signal);
    const claim = { preamble, statement, proof, allowAxioms, environment };
    return judgementOf(await this.#gate.checkAfter(filled, claim, { ...judgeLimits, signal }));
  }

  async refute(workbench: Workbench, run: AttemptRun): Promise<Refutation> {
    const { instance, ...rest } = await refutation(workbench, this.#gate, run);
    return { instance: instance ?? null, ...rest };
  }

  async polish(workbench: Workbench, candidate: Candidate, run: AttemptRun): Promise<Polished<Candidate>> {
    const shorter = await minimise(workbench, candidate, run);
    const lean = await withoutIdleLemmas(workbench, shorter.candidate, run);
    return {
      candidate: lean.candidate,
      cpuSeconds: shorter.cpuSeconds + lean.cpuSeconds,
      workSeconds: shorter.workSeconds + lean.workSeconds,
    };
  }

  workers(): Omit<WorkerSample, 'arm'>[] {
    return this.#pool.status().map(({ pid, residentBytes, leased }) => ({
      pid: pid ?? null,
      resident_bytes: residentBytes,
      goal: leased && pid !== undefined ? (this.#holders.get(pid) ?? null) : null,
    }));
  }
}

const lemmaSide: Omit<LemmaSide<LeanGoal, Workbench>, 'missing'> = {
  request: lemmaRequest,
  goalOf: ticketGoal,
  lend: withLemma,
};

async function nothingMissing(): Promise<MissingLemma> {
  return { request: undefined, cpuSeconds: 0 };
}

function effortOf({ cpuSeconds, workSeconds }: Cost): Effort {
  return { cpuSeconds, workSeconds };
}

type Refusal =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'unreadable' | 'broken'; readonly message: string };

function refused({ kind, message }: Failure): Refusal {
  if (kind === 'cancelled') return { kind: 'cancelled' };
  const text = `${kind}: ${message}`;
  return verdictOf(kind) === 'rejected'
    ? { kind: 'unreadable', message: text }
    : { kind: 'broken', message: text };
}

function textKey({ preamble, statement, holes, allowAxioms, environment }: LeanGoal): string {
  return sha256(JSON.stringify([preamble, statement, holes, allowAxioms, environment]));
}

/** A cheap, informative first look at a goal; arms that repeat it get the cached answer. */
const simpLimits = { cpu_seconds: 0.5, heartbeats: 400 };

/** Number of a workbench's goals that `simp` does not close. */
async function countResisting(
  workbench: Workbench,
  permit: () => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const account = new WorkAccount({ limits: simpLimits, signal, permit });
  const roots = workbench.open;
  let closed = 0;
  for (const root of roots) {
    const [answer] = await workbench.run(root, ['simp'], account);
    if (answer?.kind === 'state' && answer.state.closed) closed++;
  }
  return roots.length - closed;
}

/** Difficulty features from the blueprint. */
function featuresOf({ node }: LeanGoal): Features {
  if (!node) return {};
  const { waits, depth, criticality } = node;
  return { blueprint_waits: waits, blueprint_depth: depth, blueprint_criticality: criticality };
}
