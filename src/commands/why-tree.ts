import type { FrontierNode, TacticStep } from '../core/search-memory.ts';

interface Branch {
  readonly below: Map<string, Branch>;
  readonly open: FrontierNode[];
}

/**
 * Where the search of a goal stands: the scripts that lead to open states, drawn as the tree that they make, with what is
 * open at each end and how much was tried there.
 */
export function describeTree(nodes: readonly FrontierNode[], steps: readonly TacticStep[]): string[] {
  if (nodes.length === 0) return ['no search of this goal has stopped with states left to look into'];
  const root: Branch = { below: new Map(), open: [] };
  for (const node of nodes) {
    let branch = root;
    for (const tactic of node.tactics) {
      const next = branch.below.get(tactic) ?? { below: new Map(), open: [] };
      branch.below.set(tactic, next);
      branch = next;
    }
    branch.open.push(node);
  }
  const tried = Map.groupBy(steps, ({ state }) => state);
  const count = nodes.length === 1 ? '1 open state' : `${nodes.length} open states`;
  return [`the search stopped with ${count}, higher scores first in line:`, ...draw(root, '', tried)];
}

function draw(branch: Branch, margin: string, tried: ReadonlyMap<string, readonly TacticStep[]>): string[] {
  const ends = branch.open.map((node) => `${margin}${describeEnd(node, tried.get(node.state) ?? [])}`);
  const below = [...branch.below].flatMap(([tactic, next]) => [
    `${margin}${tactic.replaceAll(/\s*\n\s*/g, ' · ')}`,
    ...draw(next, `${margin}  `, tried),
  ]);
  return [...ends, ...below];
}

function describeEnd({ goals, score }: FrontierNode, steps: readonly TacticStep[]): string {
  const advanced = steps.filter(({ outcome }) => outcome === 'advanced').length;
  const history = steps.length === 0 ? 'not tried' : `${steps.length} steps tried, ${advanced} led on`;
  const targets = goals.map((goal) => goal.slice(goal.lastIndexOf('⊢')).replaceAll(/\s+/g, ' '));
  return `○ ${targets.join(' | ')}  (score ${score.toFixed(1)}, ${history})`;
}
