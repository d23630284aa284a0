import path from 'node:path';
import { success } from '../../core/result.ts';
import type { Verdict } from '../gate/verdict.ts';
import type { Git } from '../../io/git.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import { sorriesBelow } from '../goals/count-sorries.ts';
import type { ProofFacts } from '../blueprint/proof-sentence.ts';
import { markProved, nodesNaming } from '../blueprint/sync-file.ts';
import type { FileLean } from '../writing/writer.ts';
import { judgeBranch } from './branch.ts';
import { Placer } from './place.ts';
import { planShipping, type ProvedDeclaration } from './plan.ts';
import { ship, type Shipment, type Shipped, type ShipOptions } from './ship.ts';
import { branchOf, broughtAlong, textsOf, type RequestTexts, type ShippedProof } from './texts.ts';
import { inWorktree } from './worktree.ts';

/** The project's folder in its repository. */
export interface Yard extends ShipOptions {
  readonly git: Git;
  /** The commit that branches start from. */
  readonly start: string;
  /** The folder of the project, from the top of the repository. */
  readonly project: string;
  /** Critical goals that local budgets left open, by file relative to the repository. */
  readonly stuck?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Turns the wanted solved goals into branches and pull requests; the others are available as dependencies. Reports what cannot be shipped.
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
    branch: branchOf(name),
    async write(tree) {
      const folder = path.join(tree, project);
      const before = sorriesBelow(folder);
      const placed = await placer.place(tree, declaration);
      if (!placed.ok) return placed;
      const { verdict, verdicts, below } = placed.value;
      markProved(folder, verdicts, new Map([[name, factsOf(declaration)]]));
      const sorries = { before, after: sorriesBelow(folder) };
      const nodes = nodesNaming(folder, name);
      return success(describe(declaration, verdict, { nodes, below, stuck: open, sorries }));
    },
    async holds(tree, start) {
      const changed = await git.in(tree).changedSince(start);
      const judged = await inWorktree(git, start, async ({ folder: before }) => ({
        verdict: await judgeBranch(lean.gate, { tree, before, changed, project }, name),
        sorries: sorriesBelow(path.join(before, project)),
      }));
      if (!judged.ok) return judged;
      const { verdict, sorries: before } = judged.value;
      if (!verdict.ok) return verdict;
      const said = await git.messagesBetween(start, `refs/remotes/${remote}/${branchOf(name)}`);
      const folder = path.join(tree, project);
      const nodes = nodesNaming(folder, name);
      const sorries = { before, after: sorriesBelow(folder) };
      const around = { nodes, below: broughtAlong(said), stuck: open, sorries };
      return success(describe(declaration, verdict.value, around));
    },
  };
}

type Around = Pick<ShippedProof, 'nodes' | 'below' | 'stuck' | 'sorries'>;

function describe(
  { name, file, holes }: ProvedDeclaration,
  { assurance, toolchain, axioms, second_kernel }: Verdict,
  around: Around,
): RequestTexts {
  const goals = holes.map(({ known }) => known);
  const proofs = goals.flatMap((goal) => goal.proofs.slice(-1));
  const rows = goals.flatMap(({ attempt_rows }) => attempt_rows);
  const attempts = rows.filter(({ attempt }) => proofs.some((proof) => proof.attempt === attempt));
  return textsOf({
    ...around,
    name,
    file,
    proof: proofs.map(({ proof }) => proof).join('\n'),
    assurance: assurance ?? '',
    strategy: [...new Set(proofs.map(({ strategy }) => strategy))].join('+'),
    seconds: sum(attempts.map(({ wall_seconds }) => wall_seconds)),
    cost: {
      cpu: sum(goals.map(({ cpu_seconds }) => cpu_seconds)),
      gpu: sum(rows.map(({ gpu_seconds }) => gpu_seconds)),
      cloud: sum(rows.map(({ cloud_seconds }) => cloud_seconds)),
    },
    attempts: rows.length,
    cacheHits: rows.filter(({ cache_hits }) => cache_hits > 0).length,
    dollars: sum(rows.map(({ microdollars }) => microdollars)) / 1e6,
    axioms,
    premises: [...new Set(proofs.flatMap(({ premises }) => premises))],
    secondKernel: second_kernel?.answer ?? null,
    statementHashes: goals.flatMap(({ goal_hash }) => goal_hash ?? []),
    toolchain,
    isFullyProved: true,
  });
}

/** For the text of its blueprint node. */
function factsOf({ holes }: ProvedDeclaration): ProofFacts {
  const proofs = holes.flatMap(({ known }) => known.proofs.slice(-1));
  return {
    script: proofs.map(({ proof }) => proof).join('\n'),
    constants: proofs.flatMap(({ premises }) => premises),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
