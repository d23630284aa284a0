import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { Lean } from '../app.ts';
import type { Git } from '../io/git.ts';
import type { GitHub } from '../io/github.ts';
import type { Shipped } from '../lean/ship/ship.ts';
import type { ShippedProof } from '../lean/ship/texts.ts';
import type { GoalDetail } from '../shared/ledger.ts';
import { addLedgerOption, settingFlags } from './options.ts';

interface ShipCommandOptions {
  readonly base: string;
  readonly remote: string;
  readonly repo?: string;
  readonly pullRequest: boolean;
  readonly json?: true;
  readonly ledger?: string;
}

export function registerShip(program: Command): void {
  addLedgerOption(
    program
      .command('ship')
      .description('A branch and a pull request for each proof that the gate accepted')
      .argument('[goals...]', 'goals or declarations (default: all that are proved and not yet on the base)')
      .option('--base <branch>', 'the branch that they go to', 'dev')
      .option('--remote <name>', 'the remote that branches are pushed to', 'origin')
      .option('--repo <owner/name>', 'the repository on GitHub (default: from the address of the remote)')
      .option('--no-pull-request', 'push branches only')
      .option('--json', 'as JSON'),
  ).action(async (goals: string[], options: ShipCommandOptions) => {
    process.exitCode = await shipGoals(goals, options);
  });
}

/** 0: everything is on its way. 1: something needs a person. */
async function shipGoals(named: readonly string[], options: ShipCommandOptions): Promise<ExitCode> {
  const { openBase } = await import('../lean/ship/ship.ts');
  const { Git: OpenGit } = await import('../io/git.ts');
  const root = await new OpenGit(process.cwd()).root();
  if (!root.ok) throw new UserError('ship-git', root.message, 'Run orch ship inside a git repository.');
  const git = new OpenGit(root.text);
  const base = await openBase(git, options);
  const github = options.pullRequest ? await githubOf(git, options) : undefined;
  const solved = await solvedGoals(named, options);
  const results = solved.length === 0 ? [] : await shipSolved(git, base, github, solved, options);
  if (options.json) process.stdout.write(`${JSON.stringify(results)}\n`);
  else
    for (const { name, result, message, url } of results)
      process.stdout.write(`${result}  ${name}  ${url ?? message}\n`);
  if (results.length === 0) process.stderr.write('orch: there is no proof to ship; orch run finds some\n');
  return results.some(({ result }) => result === 'conflict' || result === 'failed')
    ? ExitCode.notAll
    : ExitCode.done;
}

/** The newest proof of each goal of the last runs. */
async function solvedGoals(named: readonly string[], options: ShipCommandOptions): Promise<GoalDetail[]> {
  const { ledgerOf, settingsFrom } = await import('../app.ts');
  await using ledger = await ledgerOf(settingsFrom(settingFlags({ ledger: options.ledger })), {
    readOnly: true,
  });
  const found = new Map<string, GoalDetail>();
  for (const { run } of await ledger.views.runs(50))
    for (const { goal, status, source } of await ledger.views.goalsOf(run)) {
      if (status !== 'solved' || !/\.lean:\d+$/.test(source ?? '')) continue;
      if (named.length > 0 && !named.some((name) => goal === name || goal.replace(/#\d+$/, '') === name))
        continue;
      const detail = await ledger.views.goal(run, goal);
      const key = `${source?.replace(/:\d+$/, '')}\n${detail?.statement}`;
      if (detail && !found.has(key)) found.set(key, detail);
    }
  return [...found.values()];
}

async function shipSolved(
  git: Git,
  base: string,
  github: GitHub | undefined,
  solved: readonly GoalDetail[],
  { base: branch, remote }: ShipCommandOptions,
): Promise<readonly Shipped[]> {
  const { openLean, settingsFrom } = await import('../app.ts');
  const { ship } = await import('../lean/ship/ship.ts');
  const { imageFor } = await import('../lean/toolchain/embedded/image-choice.ts');
  const byFile = Map.groupBy(solved, ({ source }) =>
    path.relative(git.folder, path.resolve((source ?? '').replace(/:\d+$/, ''))),
  );
  const texts = new Map(
    await Promise.all([...byFile.keys()].map(async (file) => [file, await git.fileIn(base, file)] as const)),
  );
  const image = [...texts.values()].some((text) => imageFor({ preamble: text ?? '' }) === 'std')
    ? 'std'
    : 'init';
  await using lean = await openLean(settingsFrom(), { image, slots: 1 });
  const results: Shipped[] = [];
  for (const [file, goals] of byFile) {
    const { proofs, refused } = await proofsOf(lean, git.folder, file, texts.get(file), goals);
    results.push(...refused);
    results.push(
      ...(await ship(git, base, proofs, {
        base: branch,
        remote,
        github,
        syncBlueprint: async (worktree, proof) => await syncIn(lean, worktree, proof),
      })),
    );
  }
  return results;
}

async function proofsOf(
  lean: Lean,
  project: string,
  file: string,
  before: string | undefined,
  goals: readonly GoalDetail[],
): Promise<{ readonly proofs: ShippedProof[]; readonly refused: Shipped[] }> {
  const { placeProofs } = await import('../lean/ship/place.ts');
  const { branchOf } = await import('../lean/ship/texts.ts');
  const { nodesNaming } = await import('../lean/blueprint/sync-file.ts');
  const refuse = (name: string, message: string): Shipped => ({
    name,
    branch: branchOf(name),
    result: 'conflict',
    message,
    url: null,
  });
  if (before === undefined)
    return { proofs: [], refused: goals.map(({ goal }) => refuse(goal, `${file} is not on the base`)) };
  const placed = await placeProofs(lean, file, before, goals);
  return {
    refused: placed.flatMap((one) => (one.ok ? [] : [refuse(one.goal, one.message)])),
    proofs: placed.flatMap((one) => {
      if (!one.ok) return [];
      const proofs = one.goals.flatMap((goal) => goal.proofs.slice(-1));
      const attempts = one.goals.flatMap(({ attempt_rows }) =>
        attempt_rows.filter(({ attempt }) => proofs.some((proof) => proof.attempt === attempt)),
      );
      return [
        {
          name: one.declaration,
          file,
          before,
          after: one.after,
          proof: proofs.map(({ proof }) => proof).join('\n'),
          assurance: one.verdict.assurance ?? '',
          strategy: [...new Set(proofs.map(({ strategy }) => strategy))].join('+'),
          seconds: sum(attempts.map(({ wall_seconds }) => wall_seconds)),
          cost: {
            cpu: sum(one.goals.map(({ cpu_seconds }) => cpu_seconds)),
            gpu: sum(attempts.map(({ gpu_seconds }) => gpu_seconds)),
            cloud: sum(attempts.map(({ cloud_seconds }) => cloud_seconds)),
          },
          cacheHits: sum(attempts.map(({ cache_hits }) => cache_hits)),
          toolchain: one.verdict.toolchain,
          nodes: nodesNaming(project, one.declaration),
          isFullyProved: true,
        },
      ];
    }),
  };
}

/** Marks the nodes whose declarations all stand in the file of the proof; nothing else of the blueprint is touched. */
async function syncIn(lean: Lean, worktree: string, { file, before, after }: ShippedProof): Promise<void> {
  const { syncFile } = await import('../lean/blueprint/sync-file.ts');
  await syncFile(lean, worktree, { file, text: after, against: before });
}

async function githubOf(git: Git, { repo, remote }: ShipCommandOptions): Promise<GitHub> {
  const { githubFor } = await import('./github-client.ts');
  return githubFor(repo ?? repositoryIn((await git.urlOf(remote)) ?? ''));
}

/** OWNER/NAME of an address on GitHub. */
function repositoryIn(url: string): string | undefined {
  return /github\.com[:/]([^/]+\/[^/]+?)(?:\.git)?\/?$/.exec(url)?.[1];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
