import graphology, { type DirectedGraph } from 'graphology';
import { centrality } from 'graphology-metrics';
import type { Statement } from './blueprint.ts';
import type { StatedBlueprint } from './states.ts';

/** An unproved node, with the unproved work that it blocks. */
export interface CriticalNode {
  readonly statement: Statement;
  /** Betweenness: the share of shortest paths among unproved nodes that pass through it. */
  readonly betweenness: number;
  /** Number of unproved nodes that depend on it, directly or not. */
  readonly blocks: number;
  /** Number of unproved nodes that it depends on; 0: work on it can begin. */
  readonly waits: number;
  /** The estimate from the ledger. */
  readonly chance: number;
  readonly cost: number;
  /** Blocked work (itself and what it blocks) × chance ÷ cost: the expected work freed per CPU-second. */
  readonly value: number;
  /** A user has put it on the critical path, so it comes first. */
  readonly pinned: boolean;
}

/** Estimates for a node from earlier runs. */
export interface Prospect {
  /** 0 to 1: that it will be proved. */
  readonly chance: number;
  /** CPU-seconds that it takes. */
  readonly cost: number;
}

/** Without data: chance ½, equal costs. */
const noProspect: Prospect = { chance: 0.5, cost: 1 };

/** The unproved nodes, most valuable first; without a ledger, those that block most first. */
export function criticalNodes(
  stated: StatedBlueprint,
  prospectOf: (statement: Statement) => Prospect = () => noProspect,
  pins: readonly string[] = [],
): readonly CriticalNode[] {
  const open = openGraph(stated);
  // the library refuses a graph without nodes
  const shares = open.order === 0 ? {} : centrality.betweenness(open, { normalized: true });
  return stated.blueprint.statements
    .filter((statement) => open.hasNode(statement.id))
    .map((statement) => {
      const blocks = reachable(statement.id, (id) => open.outNeighbors(id));
      const { chance, cost } = prospectOf(statement);
      return {
        statement,
        betweenness: shares[statement.id] ?? 0,
        blocks,
        waits: reachable(statement.id, (id) => open.inNeighbors(id)),
        chance,
        cost,
        value: ((1 + blocks) * chance) / cost,
        pinned: [statement.id, ...statement.declarations].some((name) => pins.includes(name)),
      };
    })
    .toSorted(
      (first, second) =>
        Number(second.pinned) - Number(first.pinned) ||
        second.value - first.value ||
        second.betweenness - first.betweenness ||
        first.waits - second.waits ||
        (first.statement.id < second.statement.id ? -1 : 1),
    );
}

/** The longest chain of dependencies of each node, proved or not; cycles are cut. */
export function depthsOf({ blueprint, edges }: StatedBlueprint): ReadonlyMap<Statement, number> {
  const below = Map.groupBy(edges, ({ to }) => to);
  const depths = new Map<Statement, number>();
  const depth = (node: Statement, above: ReadonlySet<Statement>): number => {
    const known = depths.get(node);
    if (known !== undefined) return known;
    const under = new Set([...above, node]);
    const next = (below.get(node) ?? []).flatMap(({ from }) =>
      under.has(from) ? [] : [depth(from, under) + 1],
    );
    const found = Math.max(0, ...next);
    depths.set(node, found);
    return found;
  };
  for (const node of blueprint.statements) depth(node, new Set());
  return depths;
}

/** The longest chain of unproved nodes, from one that can be started to one that depends on all others. */
export function criticalPath(stated: StatedBlueprint): readonly Statement[] {
  const open = openGraph(stated);
  const byId = new Map(stated.blueprint.statements.map((statement) => [statement.id, statement]));
  const chains = new Map<string, readonly string[]>();
  const chainTo = (id: string, above: ReadonlySet<string>): readonly string[] => {
    const known = chains.get(id);
    if (known) return known;
    const below = open
      .inNeighbors(id)
      .filter((next) => !above.has(next))
      .map((next) => chainTo(next, new Set([...above, id])));
    const chain = [...longest(below), id];
    chains.set(id, chain);
    return chain;
  };
  return longest(open.nodes().map((id) => chainTo(id, new Set()))).flatMap((id) => byId.get(id) ?? []);
}

/** A definition is done when it is stated, anything else when it is proved. */
function openGraph({ blueprint, states, edges }: StatedBlueprint): DirectedGraph {
  // a CommonJS module: its classes exist only under the default export
  const graph = new graphology.DirectedGraph();
  const isOpen = (statement: Statement): boolean => {
    const state = states.get(statement);
    return state !== undefined && !state.mathlib && !state.defined && !state.proved;
  };
  for (const statement of blueprint.statements) if (isOpen(statement)) graph.mergeNode(statement.id);
  for (const { from, to } of edges)
    if (isOpen(from) && isOpen(to) && from !== to) graph.mergeEdge(from.id, to.id);
  return graph;
}

function reachable(from: string, next: (id: string) => readonly string[]): number {
  const seen = new Set([from]);
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const other of next(id)) {
      if (seen.has(other)) continue;
      seen.add(other);
      open.push(other);
    }
  return seen.size - 1;
}

const longest = (chains: readonly (readonly string[])[]): readonly string[] =>
  chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []);
