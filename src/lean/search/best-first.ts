import { workOf } from '../base/protocol.ts';
import type { StepAnswer, WorkState } from '../workbench/workbench.ts';
import type { Bench } from './bench.ts';
import { Frontier } from './frontier.ts';
import type { Generator, Proposals } from './generators.ts';
import { Hand } from './hand.ts';
import { proposed } from './proposed.ts';
import { barren, placeCost, stepCost } from './score.ts';
import { nothingKnown, Trail, type Known } from './trail.ts';
import { scriptOf, Tree, type TreeNode } from './tree.ts';

interface SearchLimits {
  /** Maximum number of expanded nodes. */
  readonly nodes: number;
  /** Maximum number of steps from the start; at this depth only closing tactics are tried. */
  readonly depth: number;
}

export interface SearchPlan {
  readonly generator: Generator;
  readonly limits: SearchLimits;
}

/** The work of a search. */
export interface SearchEffort {
  /** Tactics that Lean has run. */
  steps: number;
  /** Distinct goals reached. */
  states: number;
}

/** Steps that lose nothing, the remaining stages of proposals for a goal, and what is known about it. */
interface NodePlan {
  readonly safe: readonly string[];
  readonly stages: Proposals[];
  readonly known: Known;
}

/** The results of one tactic in a whole search. */
interface TacticRecord {
  tries: number;
  hits: number;
  workSeconds: number;
}

/** The frontier is saved after this many expansions, which is the most that a killed process loses. */
const looksBetweenSaves = 40;
const tidyHeartbeats = 400;
const maxProposals = 10;

/**
 * Best-first search over the AND/OR tree of one hole: the goal that looks cheapest is taken next and gets one more stage of
 * proposals, in one request to Lean; goals that a step splits off are solved separately. The result is the
 * closed state at the end of the combined script. A search continues where the last search of the same hole
 * stopped.
 *
 *     resume the frontier ──▶ every hand: take the cheapest ──▶ run its next stage ──▶ grow the tree ──┐
 *                                   ▲                                                                 │
 *                                   └── root still open, budget left ◀────────────────────────────────┘
 *     solved: join the script · stopped: save the frontier · nothing left: forget it
 */
export class BestFirst {
  readonly effort: SearchEffort = { steps: 0, states: 0 };
  readonly #bench: Bench;
  readonly #plan: SearchPlan;
  readonly #start: WorkState;
  readonly #lead: Hand;
  /** Memory of earlier searches, to which this one adds its results. */
  readonly #trail: Trail | undefined;
  readonly #tree: Tree;
  readonly #frontier: Frontier;
  readonly #plans = new Map<TreeNode, NodePlan>();
  readonly #records = new Map<string, TacticRecord>();
  #looks = 0;
  #inFlight = 0;
  #changed = Promise.withResolvers<void>();

  constructor(bench: Bench, plan: SearchPlan, start: WorkState) {
    const { workbench, account, memory } = bench;
    this.#bench = bench;
    this.#plan = plan;
    this.#start = start;
    this.#lead = new Hand(workbench, account);
    this.#trail = memory && new Trail(memory, workbench, start);
    this.#tree = new Tree(start);
    this.#frontier = new Frontier(this.#tree);
  }

  async run(): Promise<WorkState | undefined> {
    const { account, helpers = [] } = this.#bench;
    const before = (await this.#trail?.frontier()) ?? [];
    await this.#frontier.resume(before, this.#start, this.#lead, account);
    await Promise.all([this.#lead, ...helpers].map(async (hand) => await this.#work(hand)));
    this.effort.states = this.#tree.size;
    await this.#save();
    if (this.#tree.root.status !== 'solved') return undefined;
    // the steps are known to work, so the budget no longer matters
    return await this.#lead.follow(this.#start, scriptOf(this.#tree.root), { until: 'end', evenSpent: true });
  }

  get #isOver(): boolean {
    return this.#tree.root.status !== 'open' || this.#isStopped;
  }

  get #isStopped(): boolean {
    return this.#bench.account.stopped !== undefined;
  }

  async #work(hand: Hand): Promise<void> {
    while (!this.#isOver && (await hand.isAtWork())) {
      const node = this.#frontier.take();
      if (node) await this.#look(hand, node);
      else if (this.#inFlight === 0) return;
      // another hand is still working, and its results are shared
      else await this.#changed.promise;
    }
  }

  /** Runs the next stage of a node. */
  async #look(hand: Hand, node: TreeNode): Promise<void> {
    this.#inFlight++;
    try {
      const at = await placeOf(hand, node);
      // a search that is stopped here continues here
      if (!at && this.#isStopped) this.#frontier.add([node]);
      if (!at) return;
      const isNew = !this.#plans.has(node);
      const { safe, stages, known } = await this.#planOf(hand, node, at);
      const isReplaced = isNew && (await this.#tidy(hand, node, at, safe));
      if (!isReplaced) this.#add(await this.#runStage(hand, node, at, stages, known));
      if (!isReplaced && node.stage < stages.length) this.#frontier.add([node]);
      else {
        node.stage = -1;
        this.#tree.exhaust(node);
      }
      if (++this.#looks % looksBetweenSaves === 0) await this.#save();
    } finally {
      this.#inFlight--;
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    }
  }

  #add(found: readonly TreeNode[]): void {
    if (this.#tree.size < this.#plan.limits.nodes) this.#frontier.add(found);
  }

  /** First simplifies the goal: the first step that loses nothing replaces it. */
  async #tidy(hand: Hand, node: TreeNode, at: WorkState, safe: readonly string[]): Promise<boolean> {
    for (const tactic of safe) {
      const [answer] = await hand.run(at, [tactic], { heartbeats: tidyHeartbeats, until: 'end' });
      if (answer?.kind !== 'state' || answer.state.goals.length > at.goals.length) continue;
      const { children, fresh } = this.#tree.grow(node, tactic, answer.state);
      if (children.includes(node)) continue;
      const goals = children.map((child) => child.goals);
      await this.#trail?.note(node.goals, tactic, tidyHeartbeats, answer, goals);
      this.#frontier.add(fresh);
      return true;
    }
    return false;
  }

  async #planOf(hand: Hand, node: TreeNode, at: WorkState): Promise<NodePlan> {
    const made = this.#plans.get(node);
    if (made) return made;
    const { generator, limits } = this.#plan;
    const { facts } = this.#bench;
    const { goals } = node;
    const known = (await this.#trail?.known(goals)) ?? nothingKnown;
    const before = known.closing.length > 0 ? [{ heartbeats: 20_000, tactics: known.closing }] : [];
    const moves = await hand.moves(at, facts);
    const isLast = node.depth >= limits.depth;
    // any other step could assign what goals share in one way of several
    const safe = [...moves.naming, ...(goals.length === 1 ? moves.safe : [])];
    const plan = { safe, stages: [...before, ...generator({ goals, moves, facts, isLast })], known };
    this.#plans.set(node, plan);
    return plan;
  }

  async #runStage(
    hand: Hand,
    node: TreeNode,
    at: WorkState,
    stages: Proposals[],
    known: Known,
  ): Promise<TreeNode[]> {
    const stage = stages[node.stage++];
    if (!stage) return [];
    const { heartbeats } = stage;
    const isLate = node.stage === stages.length;
    const fresh = stage.tactics.filter((tactic) => !known.isHopeless(tactic, heartbeats));
    const late = isLate ? [] : fresh.filter((tactic) => this.#isBarren(tactic));
    if (late.length > 0) stages.push({ heartbeats, tactics: late });
    const some = { ...stage, tactics: fresh.filter((tactic) => !late.includes(tactic)) };
    const tactics = await this.#tacticsOf(hand, at, some);
    const answers = await hand.run(at, tactics, { heartbeats, until: 'fewer-goals' });
    this.effort.steps += answers.length;
    this.#record(tactics, answers);
    const found: TreeNode[] = [];
    for (const [index, answer] of answers.entries()) {
      const tactic = tactics[index] ?? '';
      const cost = stepCost(tactic) + placeCost * (stage.places?.get(tactic) ?? 0);
      const left = answer.kind === 'state' ? this.#tree.grow(node, tactic, answer.state, cost) : undefined;
      found.push(...(left?.fresh ?? []));
      const goals = left?.children.map((child) => child.goals) ?? [];
      await this.#trail?.note(node.goals, tactic, heartbeats, answer, goals);
      if (node.status === 'solved') break;
    }
    if (this.#isStopped && answers.length < tactics.length && node.status === 'open') node.stage--;
    return found;
  }

  /** Some must be computed first. */
  async #tacticsOf(hand: Hand, at: WorkState, stage: Proposals): Promise<readonly string[]> {
    if (stage.asks === true) return await answersOf(hand, at, stage);
    return (await stage.finds?.()) ?? stage.tactics;
  }

  #record(tactics: readonly string[], answers: readonly StepAnswer[]): void {
    for (const [index, answer] of answers.entries()) {
      const tactic = tactics[index] ?? '';
      const record = this.#records.get(tactic) ?? { tries: 0, hits: 0, workSeconds: 0 };
      record.tries++;
      record.hits += Number(answer.kind === 'state');
      const { heartbeats = 0 } = answer.kind === 'state' ? answer : answer.failure;
      record.workSeconds += workOf(heartbeats);
      this.#records.set(tactic, record);
    }
  }

  /** Whether a tactic was expensive in this search and never made progress; cheaper ones go first. */
  #isBarren(tactic: string): boolean {
    const record = this.#records.get(tactic);
    return (
      record?.hits === 0 &&
      record.tries >= barren.tries &&
      record.workSeconds >= barren.workSeconds * record.tries
    );
  }

  async #save(): Promise<void> {
    const trail = this.#trail;
    if (!trail) return;
    const isOpen = this.#tree.root.status === 'open';
    await trail.save(isOpen ? this.#frontier.nodes((goals) => trail.stateOf(goals)) : []);
  }
}

/** A state whose first goals are the node's, with names that tactics can use. */
async function placeOf(hand: Hand, node: TreeNode): Promise<WorkState | undefined> {
  const from = await hand.reach(node.from);
  if (!from || node.before === 0) return from;
  return await hand.follow(from, [`rotate_left ${node.before}`]);
}

/** The suggestions of Lean's search tactics. */
async function answersOf(hand: Hand, at: WorkState, { tactics, heartbeats }: Proposals): Promise<string[]> {
  const answers = await hand.run(at, tactics, { heartbeats, until: 'end' });
  const all = answers.flatMap((answer) => (answer.kind === 'state' ? proposed(hand, answer.state) : []));
  return all.slice(0, maxProposals);
}
