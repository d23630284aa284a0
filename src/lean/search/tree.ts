import type { Goal } from '../base/protocol.ts';
import type { WorkState } from '../workbench/workbench.ts';
import { siblingShare, sizeCost } from './score.ts';

/**
 * The AND/OR tree of one hole. A node is a goal (or goals that share a metavariable and are solved one after the other); it
 * is solved when one of its edges is. An edge is a tactic; it is solved when all goals that it leaves are.
 *
 *     open ──an edge without open goals──▶ solved ──▶ its parents' edges, upwards
 *       └──nothing left to propose, every edge dead──▶ exhausted ──▶ the edge above it is dead
 */
export interface TreeNode {
  readonly key: string;
  readonly goals: readonly Goal[];
  /** The state that contains it, and the number of goals before it there. */
  readonly from: WorkState;
  readonly before: number;
  /** The number of goals of that state that are not its own. */
  readonly others: number;
  readonly depth: number;
  readonly cost: number;
  readonly parents: Edge[];
  readonly edges: Edge[];
  /** The number of its stages that have run. */
  stage: number;
  status: 'open' | 'solved' | 'exhausted';
  solution: Edge | undefined;
}

interface Edge {
  readonly parent: TreeNode;
  readonly tactic: string;
  readonly children: readonly TreeNode[];
}

interface Grown {
  readonly children: readonly TreeNode[];
  /** Those of them that are new. */
  readonly fresh: readonly TreeNode[];
}

/** The state of one search: its nodes by their goals, and the root. */
export class Tree {
  readonly root: TreeNode;
  readonly #nodes = new Map<string, TreeNode>();

  constructor(start: WorkState) {
    this.root = this.#node(
      start,
      start.goals.slice(0, 1),
      { before: 0, others: start.goals.length - 1, depth: 0 },
      0,
    );
  }

  get size(): number {
    return this.#nodes.size;
  }

  /**
   * Adds a tactic's step from a node to a state; its goals become separate nodes if possible. A step back to an ancestor is
   * useless. `cost`: of the step; undefined if it only simplified the goal.
   */
  grow(parent: TreeNode, tactic: string, to: WorkState, cost?: number): Grown {
    const left = to.goals.slice(0, Math.max(0, to.goals.length - parent.others));
    const path = parent.cost - sizeCost(parent.goals) + (cost ?? 0);
    const depth = parent.depth + (cost === undefined ? 0 : 1);
    const groups = left.some(isEntangled) ? [left] : left.map((goal) => [goal]);
    const all = sizeCost(left);
    const children = groups.map((goals, index) => {
      const whole = path + siblingShare * (all - sizeCost(goals));
      return this.#node(to, goals, { before: index, others: to.goals.length - goals.length, depth }, whole);
    });
    if (children.some((child) => isAbove(child, parent))) return { children, fresh: [] };
    const edge = { parent, tactic, children };
    parent.edges.push(edge);
    for (const child of children) child.parents.push(edge);
    if (children.every(({ status }) => status === 'solved')) solve(edge);
    const fresh = children.filter(({ status, parents }) => status === 'open' && parents.length === 1);
    return { children, fresh };
  }

  /** Nothing is left to propose. */
  exhaust(node: TreeNode): void {
    if (node.status !== 'open' || node.edges.some((edge) => !isDead(edge))) return;
    node.status = 'exhausted';
    for (const { parent } of node.parents) if (parent.stage < 0) this.exhaust(parent);
  }

  /** Whether solving it would help: some path to the root is alive. */
  isWanted(node: TreeNode, seen = new Set<TreeNode>()): boolean {
    if (node.status !== 'open' || seen.has(node)) return false;
    seen.add(node);
    return (
      node === this.root || node.parents.some((edge) => !isDead(edge) && this.isWanted(edge.parent, seen))
    );
  }

  #node(
    from: WorkState,
    goals: readonly Goal[],
    { before, others, depth }: Pick<TreeNode, 'before' | 'others' | 'depth'>,
    path: number,
  ): TreeNode {
    const key = keyOf(goals);
    const known = this.#nodes.get(key);
    if (known) return known;
    const node: TreeNode = {
      key,
      goals,
      from,
      before,
      others,
      depth,
      cost: path + sizeCost(goals),
      parents: [],
      edges: [],
      stage: 0,
      status: 'open',
      solution: undefined,
    };
    this.#nodes.set(key, node);
    return node;
  }
}

/** Whether a node is, or has as descendant, another one. */
function isAbove(node: TreeNode, other: TreeNode, seen = new Set<TreeNode>()): boolean {
  if (node === other) return true;
  if (seen.has(other)) return false;
  seen.add(other);
  return other.parents.some(({ parent }) => isAbove(node, parent, seen));
}

/** The tactics that solve a solved node, in the order in which Lean runs them. */
export function scriptOf({ solution }: TreeNode): string[] {
  return solution ? [solution.tactic, ...solution.children.flatMap(scriptOf)] : [];
}

function solve(edge: Edge): void {
  const { parent } = edge;
  if (parent.status === 'solved') return;
  parent.status = 'solved';
  parent.solution = edge;
  for (const above of parent.parents)
    if (above.children.every(({ status }) => status === 'solved')) solve(above);
}

function isDead({ children }: Edge): boolean {
  return children.some(({ status }) => status === 'exhausted');
}

/** Goals that share metavariables cannot be solved separately. */
function isEntangled({ target_unknown, hypotheses }: Goal): boolean {
  return target_unknown === true || hypotheses.some(({ unknown }) => unknown === true);
}

function keyOf(goals: readonly Goal[]): string {
  return JSON.stringify(
    goals.map(({ hypotheses, target }) => [
      hypotheses.map(({ name, type, value }) => [name, type, value]),
      target,
    ]),
  );
}
