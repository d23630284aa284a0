import type { FrontierNode } from '../../store/ledger/search-memory.ts';
import { goalText } from '../base/goal-text.ts';
import type { Goal } from '../base/protocol.ts';
import type { WorkAccount } from '../workbench/account.ts';
import type { WorkState } from '../workbench/workbench.ts';
import type { Hand } from './hand.ts';
import { lastGoalShare, stageCost, stepCost } from './score.ts';
import type { Tree, TreeNode } from './tree.ts';

/** Number of saved nodes, and the fraction of a budget for restoring them. */
const kept = 64;
const resumeShare = 0.3;

/** The unexpanded nodes of a tree, cheapest first. */
export class Frontier {
  readonly #tree: Tree;
  readonly #queue: TreeNode[];

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#queue = [tree.root];
  }

  add(nodes: readonly TreeNode[]): void {
    this.#queue.push(...nodes);
  }

  /** The cheapest useful node, including the cost of its earlier stages. */
  take(): TreeNode | undefined {
    for (;;) {
      const [first] = this.#queue;
      if (!first) return undefined;
      let best = 0;
      for (const [index, node] of this.#queue.entries())
        if (priority(node) < priority(this.#queue[best] ?? first)) best = index;
      const [node] = this.#queue.splice(best, 1);
      if (node && this.#tree.isWanted(node)) return node;
    }
  }

  /** The form stored in the ledger: scripts that lead to the open states, most promising first. */
  nodes(nameOf: (goals: readonly Goal[]) => string): FrontierNode[] {
    return this.#queue
      .filter((node) => this.#tree.isWanted(node))
      .sort((first, second) => priority(first) - priority(second))
      .slice(0, kept)
      .map((node) => ({
        state: nameOf(node.goals),
        tactics: scriptTo(node),
        goals: node.goals.map(goalText),
        score: -priority(node),
      }));
  }

  /** Grows the tree along the scripts of an earlier search; scripts that no longer work are skipped. */
  async resume(
    nodes: readonly FrontierNode[],
    start: WorkState,
    hand: Hand,
    account: WorkAccount,
  ): Promise<void> {
    const most = account.workSeconds + resumeShare * account.secondsLeft;
    for (const { tactics } of nodes) {
      if (account.workSeconds > most) return;
      const isBelow = start.tactics.every((tactic, index) => tactics[index] === tactic);
      if (isBelow) await this.#grow(tactics.slice(start.tactics.length), start, hand);
    }
  }

  async #grow(script: readonly string[], start: WorkState, hand: Hand): Promise<void> {
    let node: TreeNode | undefined = this.#tree.root;
    let state = start;
    let siblings: readonly TreeNode[] = [];
    for (const tactic of script) {
      const next = await hand.follow(state, [tactic]);
      const turned = /^rotate_left (\d+)$/.exec(tactic)?.[1];
      if (!next || !node) return;
      if (turned === undefined) {
        siblings = this.#step(node, tactic, next);
        [node] = siblings;
      } else node = siblings[Number(turned)];
      // another script has reached this state and continues from it
      if (node && turned === undefined && node.from !== next) return;
      state = next;
    }
  }

  #step(node: TreeNode, tactic: string, to: WorkState): readonly TreeNode[] {
    const known = node.edges.find((edge) => edge.tactic === tactic);
    if (known) return known.children;
    const { children, fresh } = this.#tree.grow(node, tactic, to, stepCost(tactic));
    this.add(fresh);
    return children;
  }
}

function priority({ cost, stage, parents }: TreeNode): number {
  const isLastOne = parents.some(
    ({ children }) =>
      children.length > 1 && children.filter(({ status }) => status !== 'solved').length === 1,
  );
  return cost + stageCost * stage - (isLastOne ? lastGoalShare : 0);
}

function scriptTo({ from, before }: TreeNode): string[] {
  return before === 0 ? [...from.tactics] : [...from.tactics, `rotate_left ${before}`];
}
