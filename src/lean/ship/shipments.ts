import path from 'node:path';
import { success } from '../../core/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { Git } from '../../io/git.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import { markProved, nodesNaming } from '../blueprint/sync-file.ts';
import type { FileLean } from '../writing/writer.ts';
import { judgeBranch } from './branch.ts';
import { Placer } from './place.ts';
import { planShipping, type ProvedDeclaration } from './plan.ts';
import { ship, type Shipment, type Shipped, type ShipOptions } from './ship.ts';
import { branchOf, broughtAlong, type ShippedProof } from './texts.ts';
import { inWorktree } from './worktree.ts';

/** The project's folder in its repository. */
export interface Yard extends ShipOptions {
  readonly git: Git;
  /** The commit that branches begin from. */
  readonly start: string;
  /** The folder of the project, from the top of the repository. */
  readonly project: string;
  /** By file from the top of the repository: goals that are critical and that local budgets left open. */
  readonly stuck?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Solved goals, by file from the top of the repository, become branches and requests, where they are wanted; the others are there for
 * those that rest on them. What cannot be shipped is reported.
 */
export async function shipGoals(
  lean: FileLean,
  yard: Yard,
  solved: ReadonlyMap<string, readonly GoalDetail[]>,
  isWanted: (name: string) => boolean = () => true,
): Promise<readonly Shipped[]> {
  const { git, start } = yard;
  const plan = await inWorktree(
    git,
    start,
    async (tree) => await planShipping(lean.pool, tree.folder, solved),
  );
  if (!plan.ok) {
    const wanted = [...solved.values()].flat().filter(({ goal }) => isWanted(goal));
    return wanted.map(({ goal }) => told(goal, 'failed', plan.error.message));
  }
  const others = new Map(plan.value.declarations.map((one) => [one.name, one]));
  const placer = new Placer(lean, others);
  const wanted = plan.value.declarations.filter(({ name }) => isWanted(name));
  const shipments = wanted.map((declaration) => shipmentOf(lean, yard, declaration, placer));
  const shipped = await ship(git, start, shipments, yard);
  const not = plan.value.not.filter(({ name }) => isWanted(name));
  return [...not.map(({ name, message }) => told(name, 'conflict', message)), ...shipped];
}

const told = (name: string, result: Shipped['result'], message: string): Shipped => ({
  name,
  branch: branchOf(name),
  result,
  message,
  url: null,
});

function shipmentOf(
  lean: FileLean,
  { git, project, remote, stuck }: Yard,
  declaration: ProvedDeclaration,
  placer: Placer,
): Shipment {
  const { name } = declaration;
  const open = stuck?.get(declaration.file) ?? [];
  return {
    name,
    async write(tree) {
      const placed = await placer.place(tree, declaration);
      if (!placed.ok) return placed;
      const folder = path.join(tree, project);
      const { verdict, verdicts, below } = placed.value;
      markProved(folder, verdicts);
      return success(describe(declaration, verdict, nodesNaming(folder, name), below, open));
    },
    async holds(tree, start) {
      const changed = await git.in(tree).changedSince(start);
      const judged = await inWorktree(
        git,
        start,
        async ({ folder: before }) => await judgeBranch(lean.gate, { tree, before, changed, project }, name),
      );
      if (!judged.ok) return judged;
      if (!judged.value.ok) return judged.value;
      const said = await git.messagesBetween(start, `refs/remotes/${remote}/${branchOf(name)}`);
      const nodes = nodesNaming(path.join(tree, project), name);
      return success(describe(declaration, judged.value.value, nodes, broughtAlong(said), open));
    },
  };
}

function describe(
  { name, file, holes }: ProvedDeclaration,
  { assurance, toolchain }: Verdict,
  nodes: readonly string[],
  below: readonly string[],
  stuck: readonly string[],
): ShippedProof {
  const goals = holes.map(({ known }) => known);
  const proofs = goals.flatMap((goal) => goal.proofs.slice(-1));
  const attempts = goals.flatMap(({ attempt_rows }) =>
    attempt_rows.filter(({ attempt }) => proofs.some((proof) => proof.attempt === attempt)),
  );
  return {
    name,
    file,
    proof: proofs.map(({ proof }) => proof).join('\n'),
    assurance: assurance ?? '',
    strategy: [...new Set(proofs.map(({ strategy }) => strategy))].join('+'),
    seconds: sum(attempts.map(({ wall_seconds }) => wall_seconds)),
    cost: {
      cpu: sum(goals.map(({ cpu_seconds }) => cpu_seconds)),
      gpu: sum(attempts.map(({ gpu_seconds }) => gpu_seconds)),
      cloud: sum(attempts.map(({ cloud_seconds }) => cloud_seconds)),
    },
    cacheHits: sum(attempts.map(({ cache_hits }) => cache_hits)),
    toolchain,
    nodes,
    below,
    isFullyProved: true,
    stuck,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
