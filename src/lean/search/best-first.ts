import type { WorkState } from '../workbench.ts';
import type { Bench } from './bench.ts';
import type { Generator, Stage } from './generators.ts';
import { namingMove } from './moves.ts';
import { proposed } from './proposed.ts';
import { stageCost } from './score.ts';
import { scriptOf, Tree, type TreeNode } from './tree.ts';

export interface SearchLimits {
  /** Nodes that may be looked into. */
  readonly nodes: number;
  /** Steps from the start; below it only what finishes a goal is tried. */
  readonly depth: number;
}

/**
 * Best-first search over the AND/OR tree of one hole: the goal that looks cheapest is taken next and gets one more stage of
 * proposals, in one request to Lean; goals that a step splits off are solved apart. The answer is the closed state at the
 * end of the joined script.
 */
export async function bestFirst(
  bench: Bench,
  start: WorkState,
  generator: Generator,
  limits: SearchLimits,
): Promise<WorkState | undefined> {
  const tree = new Tree(start);
  const queue: TreeNode[] = [tree.root];
  const stages = new Map<TreeNode, readonly Stage[]>();
  while (tree.root.status === 'open' && bench.account.stopped === undefined) {
    const node = takeBest(queue);
    if (!node) break;
    if (!tree.isWanted(node)) continue;
    const at = await placeOf(bench, node);
    if (!at) continue;
    const known = stages.get(node) ?? generator(node.goals, bench.facts, isLast(node, limits));
    stages.set(node, known);
    const found = await runStage(bench, tree, node, at, known);
    if (tree.size < limits.nodes) queue.push(...found);
    const isDone = node.stage >= known.length || node.edges.some(({ tactic }) => isForced(tactic));
    if (!isDone) queue.push(node);
    else {
      node.stage = -1;
      tree.exhaust(node);
    }
  }
  return tree.root.status === 'solved' ? await join(bench, start, scriptOf(tree.root)) : undefined;
}

function isLast({ depth }: TreeNode, limits: SearchLimits): boolean {
  return depth >= limits.depth;
}

/** The node that is cheapest, counting how much was proposed for it already. */
function takeBest(queue: TreeNode[]): TreeNode | undefined {
  let best = 0;
  for (const [index, node] of queue.entries())
    if (priority(node) < priority(queue[best] ?? node)) best = index;
  return queue.splice(best, 1)[0];
}

function priority({ cost, stage }: TreeNode): number {
  return cost + stageCost * stage;
}

/** A state whose goals in front are the node's, under names that tactics can speak of. */
async function placeOf({ workbench, account }: Bench, node: TreeNode): Promise<WorkState | undefined> {
  if (node.before === 0) return node.from;
  const [answer] = await workbench.run(node.from, [`rotate_left ${node.before}`], account, { until: 'end' });
  return answer?.kind === 'state' ? answer.state : undefined;
}

async function runStage(
  { workbench, account }: Bench,
  tree: Tree,
  node: TreeNode,
  at: WorkState,
  stages: readonly Stage[],
): Promise<TreeNode[]> {
  const naming = node.stage === 0 && node.goals[0] ? namingMove(node.goals[0]) : undefined;
  const stage: Stage | undefined =
    naming === undefined ? stages[node.stage] : { heartbeats: 400, tactics: [naming] };
  node.stage++;
  if (!stage) return [];
  const { heartbeats } = stage;
  const tactics = stage.asks === true ? await answersOf({ workbench, account }, at, stage) : stage.tactics;
  const answers = await workbench.run(at, tactics, account, { heartbeats, until: 'fewer-goals' });
  const found: TreeNode[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind === 'state') found.push(...tree.grow(node, tactics[index] ?? '', answer.state));
    if (node.status === 'solved') break;
  }
  return found;
}

/** What Lean proposes when it is asked. */
async function answersOf(
  { workbench, account }: Pick<Bench, 'workbench' | 'account'>,
  at: WorkState,
  { tactics, heartbeats }: Stage,
): Promise<string[]> {
  const answers = await workbench.run(at, tactics, account, { heartbeats, until: 'end' });
  const all = answers.flatMap((answer) =>
    answer.kind === 'state' ? proposed({ workbench }, answer.state) : [],
  );
  return all.slice(0, maxProposals);
}

const maxProposals = 10;

/** After a step that only gives names nothing else is worth trying. */
function isForced(tactic: string): boolean {
  return tactic.startsWith('rename_i ');
}

/** Lean led through the whole script, goal by goal. */
async function join(
  { workbench, account }: Bench,
  start: WorkState,
  script: readonly string[],
): Promise<WorkState | undefined> {
  let state = start;
  for (const tactic of script) {
    const [answer] = await workbench.run(state, [tactic], account, { until: 'end', evenSpent: true });
    if (answer?.kind !== 'state') return undefined;
    state = answer.state;
  }
  return state;
}
