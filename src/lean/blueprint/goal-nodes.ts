import path from 'node:path';
import type { GoalNode } from '../../shared/events.ts';
import { declarationIn } from '../../shared/goal-names.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { findProject } from '../project/project.ts';
import { criticalNodes, depthsOf } from './critical.ts';
import { blueprintOf } from './read.ts';
import { stateBlueprint } from './states.ts';

/** Looks up goals in the blueprints of their projects; each blueprint is read once. */
export class GoalNodes {
  readonly #projects = new Map<string, ReadonlyMap<string, GoalNode>>();

  /** The goal with its node, if the blueprint of its project names its declaration. */
  known(file: string, goal: LeanGoal): LeanGoal {
    const node = this.#nodesOf(file).get(declarationIn(goal.id));
    return node ? { ...goal, node } : goal;
  }

  #nodesOf(file: string): ReadonlyMap<string, GoalNode> {
    const { folder } = findProject(path.resolve(file));
    const known = this.#projects.get(folder) ?? readNodes(folder);
    this.#projects.set(folder, known);
    return known;
  }
}

/** By declaration. */
function readNodes(project: string): ReadonlyMap<string, GoalNode> {
  const blueprint = blueprintOf(project);
  if (!blueprint) return new Map();
  const stated = stateBlueprint(blueprint);
  const critical = criticalNodes(stated);
  const depths = depthsOf(stated);
  const largest = Math.max(...critical.map(({ betweenness }) => betweenness), 0) || 1;
  const others = Math.max(1, critical.length - 1);
  const nodes = critical.map(({ statement, betweenness, blocks, waits }) => {
    const { id } = statement;
    const depth = depths.get(statement) ?? 0;
    return {
      statement,
      node: { id, criticality: betweenness / largest, impact: blocks / others, waits, depth },
    };
  });
  return new Map(
    nodes.flatMap(({ statement: { declarations }, node }) =>
      declarations.map((name) => [name, node] as const),
    ),
  );
}
