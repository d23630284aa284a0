import type { Blueprint, Labelled, Statement } from './blueprint.ts';

/** leanblueprint's states of a node, with the same names and rules. */
export interface NodeState {
  readonly stated: boolean;
  readonly mathlib: boolean;
  readonly not_ready: boolean;
  /** Everything that the statement uses is stated. */
  readonly can_state: boolean;
  readonly proved: boolean;
  /** There is an informal proof, and everything that statement and proof use is stated. */
  readonly can_prove: boolean;
  /** A definition that is stated. */
  readonly defined: boolean;
  /** It and everything under it in its graph is proved or a definition. */
  readonly fully_proved: boolean;
}

/** An edge from the used node to its user. */
export interface Edge {
  readonly from: Statement;
  readonly to: Statement;
  /** A statement's own use, drawn dashed; otherwise its proof's. */
  readonly inStatement: boolean;
}

export interface StatedBlueprint {
  readonly blueprint: Blueprint;
  readonly states: ReadonlyMap<Statement, NodeState>;
  /** Those between nodes, each once; if a statement and its proof use the same, it is the statement's. */
  readonly edges: readonly Edge[];
  /** The graphs that leanblueprint would draw: one for all, or one per chapter. */
  readonly graphs: readonly (readonly Statement[])[];
}

/**
 * The states of all nodes. leanblueprint processes its graphs in order and uses only what is known by then about nodes of other graphs. We do the same, so that chapters that use later ones look the same.
 */
export function stateBlueprint(blueprint: Blueprint): StatedBlueprint {
  const states = new Map<Statement, NodeState>();
  const graphs = graphsOf(blueprint);
  for (const nodes of graphs) stateGraph(blueprint, nodes, states);
  return { blueprint, states, edges: edgesOf(blueprint), graphs };
}

function graphsOf({ statements, settings }: Blueprint): readonly (readonly Statement[])[] {
  if (settings.graphBy === null) return [statements];
  const graphs = Map.groupBy(statements, ({ graph }) => graph);
  return [...graphs].flatMap(([graph, nodes]) => (graph === null ? [] : [nodes]));
}

type PartialState = Omit<NodeState, 'fully_proved'>;

function stateGraph(
  blueprint: Blueprint,
  nodes: readonly Statement[],
  states: Map<Statement, NodeState>,
): void {
  const here = new Map<Statement, PartialState>(nodes.map((node) => [node, stateNode(blueprint, node)]));
  const isProved = (target: Labelled): boolean =>
    target.kind === 'statement' &&
    (here.get(target.statement) ?? states.get(target.statement))?.proved === true;
  const isSettled = (target: Labelled): boolean => isProved(target) || kindOf(target) === 'definition';
  for (const node of nodes) {
    const under = ancestors(blueprint, node, (statement) => here.has(statement));
    const all: Labelled[] = [{ kind: 'statement', statement: node }, ...under];
    const state = here.get(node);
    if (state) states.set(node, { ...state, fully_proved: all.every(isSettled) });
  }
}

function stateNode(blueprint: Blueprint, node: Statement): PartialState {
  const { isMathlib, isNotReady, kind, proof } = node;
  const isStated = node.leanOk !== null;
  const usesStated = used(blueprint, node.uses).every(stated);
  return {
    stated: isStated,
    mathlib: isMathlib,
    not_ready: isNotReady,
    can_state: usesStated && !isNotReady,
    proved: proof !== null && proof.leanOk !== null,
    can_prove: proof !== null && !proof.isEmpty && usesStated && used(blueprint, proof.uses).every(stated),
    defined: isStated && kind === 'definition',
  };
}

const stated = (target: Labelled): boolean => target.kind === 'statement' && target.statement.leanOk !== null;

const kindOf = (target: Labelled): string =>
  target.kind === 'statement' ? target.statement.kind : target.insideOf;

/** The targets of labels; unknown labels are left out (and reported elsewhere). */
function used({ labels }: Blueprint, names: readonly string[]): readonly Labelled[] {
  return names.flatMap((name) => labels.get(name) ?? []);
}

/** All dependencies of a node, following only nodes of its own graph. */
function ancestors(
  blueprint: Blueprint,
  node: Statement,
  isInGraph: (statement: Statement) => boolean,
): ReadonlySet<Labelled> {
  const found = new Set<Labelled>();
  const open = [node];
  for (let next = open.pop(); next; next = open.pop())
    for (const target of used(blueprint, [...next.uses, ...(next.proof?.uses ?? [])])) {
      if (found.has(target)) continue;
      found.add(target);
      if (target.kind === 'statement' && isInGraph(target.statement)) open.push(target.statement);
    }
  return found;
}

function edgesOf(blueprint: Blueprint): Edge[] {
  const nodes = new Set(blueprint.statements);
  return blueprint.statements.flatMap((to) => {
    const seen = new Set<Statement>();
    const edges: Edge[] = [];
    const add = (names: readonly string[], inStatement: boolean): void => {
      for (const target of used(blueprint, names)) {
        if (target.kind !== 'statement' || !nodes.has(target.statement) || seen.has(target.statement))
          continue;
        seen.add(target.statement);
        edges.push({ from: target.statement, to, inStatement });
      }
    };
    add(to.uses, true);
    add(to.proof?.uses ?? [], false);
    return edges;
  });
}
