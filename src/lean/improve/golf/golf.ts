import { success, type Result } from '../../../core/result.ts';
import type { GoalFacts } from '../../../core/scheduler/domain.ts';
import type { SearchMemory } from '../../../store/ledger/search-memory.ts';
import type { Verdict } from '../../gate/verdict.ts';
import { premisesIn } from '../../workbench/candidate.ts';
import type { Gate } from '../../gate/gate.ts';
import { goalFacts } from '../../workbench/goal-facts.ts';
import type { LeanGoal } from '../../goals/goal.ts';
import { minimise } from '../polish/minimise.ts';
import type { LeanPool } from '../../workers/pool.ts';
import { factsOf, type Facts } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import type { Bench } from '../../search/bench.ts';
import { BestFirst } from '../../search/best-first.ts';
import { closers, unique } from '../../search/closers.ts';
import { generatorOf } from '../../search/generators.ts';
import { proposed } from '../../search/proposed.ts';
import { Trail } from '../../search/trail.ts';
import { WorkAccount } from '../../workbench/account.ts';
import { Workbench, type StepAnswer, type WorkState } from '../../workbench/workbench.ts';
import { isShorter, lengthOf, type Length } from './score.ts';

/** A competing proof. */
export interface Contestant extends Length {
  readonly proof: string;
  /** Its source. */
  readonly by: 'as it was' | 'closers' | 'the library' | 'search' | 'a model';
}

export interface Game {
  readonly before: Contestant;
  /** The shortest accepted proof; the original if nothing is shorter. */
  readonly winner: Contestant;
  /** All scripts that closed the goal, shortest first. */
  readonly contestants: readonly Contestant[];
  readonly cpuSeconds: number;
  readonly facts: GoalFacts;
  /** The gate's verdict on the winner, if it is new. */
  readonly verdict?: Verdict;
}

export interface GolfCourse {
  readonly pool: LeanPool;
  readonly gate: Gate;
  /** Losing scripts are kept here, because scripts that close a state are worth knowing. */
  readonly memory?: SearchMemory | undefined;
  readonly propose?: Proposer | undefined;
}

/** Shorter scripts that someone else proposes for a proof. */
export type Proposer = (
  workbench: Workbench,
  facts: Facts,
  before: Contestant,
  signal: AbortSignal,
) => Promise<readonly string[]>;

export interface GolfLimits {
  readonly cpuSeconds: number;
  readonly signal?: AbortSignal;
}

const heartbeats = 20_000;
const judgeMs = 60_000;
const plan = { generator: generatorOf(), limits: { nodes: 400, depth: 6 } };

/**
 * Looks for the shortest proof of a proved goal: single tactics, library lemmas, a short search. The best accepted one wins. Fails if Lean cannot read the goal.
 */
export async function golf(
  { pool, gate, memory, propose }: GolfCourse,
  goal: LeanGoal,
  proof: string,
  { cpuSeconds, signal = new AbortController().signal }: GolfLimits,
): Promise<Result<Game>> {
  const played = await pool.use(
    async (lease): Promise<Result<Omit<Game, 'winner'>>> => {
      const { toolchain } = pool;
      const opened = await Workbench.open(lease, goal, { toolchain, closure: lease.closure, signal });
      if (!opened.ok) return opened;
      const workbench = opened.value;
      const limits = { cpu_seconds: cpuSeconds, heartbeats };
      const account = new WorkAccount({ limits, signal, permit: noWaiting });
      const facts = await withUsable({ workbench, account }, factsOf(workbench));
      const round = new Round({ workbench, account, facts, memory });
      const before: Contestant = { proof, by: 'as it was', ...lengthOf(proof, await round.timeOf(proof)) };
      const found = await round.play();
      if (propose) found.push(...(await round.proposed(propose, before)));
      await workbench.end();
      const contestants = found.toSorted((one, two) => (isShorter(one, two) ? -1 : 1));
      const known = goalFacts(workbench, workbench.features);
      const spent = opened.cost.cpuSeconds + account.cpuSeconds;
      return success({ before, contestants, cpuSeconds: spent, facts: known });
    },
    { preamble: goal.preamble, environment: goal.environment },
  );
  if (!played.ok) return played;
  const { before, contestants } = played.value;
  const { preamble, statement, allowAxioms, environment } = goal;
  for (const one of contestants.filter((shorter) => isShorter(shorter, before))) {
    const claim = { preamble, statement, proof: one.proof, allowAxioms, environment };
    const verdict = await gate.check(claim, { deadlineMs: judgeMs, signal });
    if (verdict.verdict === 'accepted') return success({ ...played.value, winner: one, verdict });
  }
  return success({ ...played.value, winner: before });
}

/** One goal being golfed. */
class Round {
  readonly #bench: Bench;
  readonly #root: WorkState;

  constructor(bench: Bench) {
    this.#bench = bench;
    this.#root = bench.workbench.root(0);
  }

  async play(): Promise<Contestant[]> {
    const closing = await this.#closed(
      'closers',
      unique(closers(this.#bench.facts).flatMap(({ tactics }) => tactics)),
    );
    const library = await this.#closed('the library', await this.#asked());
    // a search can only win against longer proofs than one tactic
    const searched = closing.length + library.length === 0 ? await this.#searched() : [];
    return [...closing, ...library, ...searched];
  }

  async proposed(propose: Proposer, before: Contestant): Promise<Contestant[]> {
    const { workbench, facts, account } = this.#bench;
    return await this.#closed('a model', await propose(workbench, facts, before, account.signal));
  }

  /** CPU-seconds of a whole proof. */
  async timeOf(proof: string): Promise<number> {
    const script = proof.replace(/^by\s+/, '');
    const [answer] = await this.#bench.workbench.run(this.#root, [script], this.#bench.account, {
      heartbeats,
    });
    return timeIn(answer);
  }

  /** Single tactics that close the goal. */
  async #closed(by: Contestant['by'], tactics: readonly string[]): Promise<Contestant[]> {
    const { workbench, account, memory } = this.#bench;
    const answers = await workbench.run(this.#root, tactics, account, { heartbeats: 3500, until: 'end' });
    const trail = memory && new Trail(memory, workbench, this.#root);
    const found: Contestant[] = [];
    for (const [index, answer] of answers.entries()) {
      const tactic = tactics[index] ?? '';
      if (answer.kind !== 'state' || !answer.state.closed) continue;
      await trail?.note(this.#root.goals, tactic, 3500, answer, []);
      const proof = `by ${tactic.replaceAll('\n', '\n  ')}`;
      found.push({ proof, by, ...lengthOf(proof, timeIn(answer)) });
    }
    await trail?.flush();
    return found;
  }

  async #asked(): Promise<string[]> {
    const { workbench, account } = this.#bench;
    const [answer] = await workbench.run(this.#root, ['exact?'], account, { heartbeats: 5000, until: 'end' });
    return answer?.kind === 'state' ? proposed(this.#bench, answer.state) : [];
  }

  async #searched(): Promise<Contestant[]> {
    const { workbench, account } = this.#bench;
    const found = await new BestFirst(this.#bench, plan, this.#root).run();
    if (!found || (await workbench.close(found, account))) return [];
    const text = workbench.proof() ?? '';
    const candidate = { proof: text, premises: premisesIn(text, workbench) };
    const run = { limits: account.limits, signal: account.signal, permit: account.permit };
    const smaller = await minimise(workbench, candidate, { ...run, deadline: Infinity, place: 0, seed: 1 });
    return unique([text, smaller.candidate.proof]).map((proof) => ({
      proof,
      by: 'search',
      ...lengthOf(proof, account.cpuSeconds),
    }));
  }
}

/** Nothing else runs, so every request is allowed. */
async function noWaiting(): Promise<void> {}

function timeIn(answer: StepAnswer | undefined): number {
  return answer?.kind === 'state' ? (answer.ms ?? 0) / 1000 : 0;
}
