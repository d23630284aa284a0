import { realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { Settings } from '../config/schema.ts';
import { Git } from '../io/git.ts';
import type { GitHub } from '../io/github.ts';
import { repositoryIn } from '../io/github-address.ts';
import { type Shipped, openBase } from '../lean/ship/ship.ts';
import { type Yard, shipGoals } from '../lean/ship/shipments.ts';
import { declarationIn } from '../shared/goal-names.ts';
import type { GoalDetail, GoalRow } from '../shared/ledger.ts';
import { settingFlags } from '../config/flags.ts';
import { escaped } from '../shared/for-people.ts';
import { settingsFrom } from './settings.ts';
import { openLean } from './lean.ts';
import { imageFor } from '../lean/project/image-choice.ts';
import { stuckInLedger } from './stuck.ts';
import { promoteUsed } from './used-lemmas.ts';
import { ledgerOf } from './ledger.ts';
import { goalsByJudge } from '../store/ledger/unchecked.ts';
import { judgeVersion } from '../lean/gate/judge-version.ts';
import { isOfProject } from '../store/ledger/last-goals.ts';
import { projectName } from '../lean/project/lake.ts';
import { tryKey, withEarlier } from '../store/ledger/tries.ts';
import { githubFor } from './github-client.ts';

/** The target of branches and pull requests. */
export interface ShipFlags {
  readonly base: string;
  readonly remote: string;
  readonly repo?: string;
  readonly pullRequest: boolean;
}

export interface ShipCommandOptions extends ShipFlags {
  readonly promote?: true;
  readonly review?: true;
  readonly json?: true;
  readonly ledger?: string;
}

/** 0: everything was shipped. 1: something needs attention. */
export async function shipCommand(named: readonly string[], options: ShipCommandOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  const yard = await openYard(options);
  const results = await shipSolved(settings, yard, { named, promote: options.promote === true });
  tellShipped(results, options.json === true);
  if (options.review && yard.github)
    await (await import('./review.ts')).commentOn(settings, yard.github, results);
  if (results.length === 0) process.stderr.write('orch: no proofs to ship; orch sweep searches for some\n');
  return exitCodeOfShipped(results);
}

/**
 * The common part of `ship` and `sweep`: the current repository, which must be clean, and the target of its
 * proofs.
 */
export async function openYard(options: ShipFlags): Promise<Yard> {
  const root = await new Git(process.cwd()).root();
  if (!root.ok) throw new UserError('ship-git', root.error.message, root.error.fix);
  const git = new Git(root.value);
  const start = await openBase(git, options);
  const github = options.pullRequest ? await githubOf(git, options) : undefined;
  const project = path.relative(git.folder, realpathSync(process.cwd()));
  return { git, start, github, project, base: options.base, remote: options.remote };
}

interface Shipping {
  readonly named?: readonly string[];
  /** First turns helper lemmas in the proofs into theorems. */
  readonly promote?: boolean;
}

/** Ships the proved goals of the ledger. */
export async function shipSolved(
  settings: Settings,
  yard: Yard,
  { named = [], promote = false }: Shipping = {},
): Promise<readonly Shipped[]> {
  const solved = await solvedGoals(settings);
  // a goal is one `sorry` of a declaration; whole declarations are shipped
  const isWanted = (name: string): boolean =>
    named.length === 0 || named.some((one) => declarationIn(one) === declarationIn(name));
  if (!solved.some(({ goal }) => isWanted(goal))) return [];
  const fileOf = fileIn(yard);
  const image = imageFor(...solved);
  await using lean = await openLean(settings, { image, slots: 1 });
  const stuck = Map.groupBy(await stuckInLedger(settings, process.cwd()), fileOf);
  const names = new Map([...stuck].map(([file, rows]) => [file, rows.map(({ goal }) => goal)]));
  const byFile = Map.groupBy(solved, fileOf);
  const first = promote ? await promoteUsed(settings, lean, yard, byFile) : undefined;
  const others = await shipGoals(
    lean,
    { ...yard, stuck: names },
    byFile,
    (name) => isWanted(name) && !first?.declarations.has(name),
  );
  return [...(first?.shipped ?? []), ...others];
}

/** The file of a goal, from the top of the repository. */
export function fileIn(yard: Yard): (goal: Pick<GoalDetail, 'source'>) => string {
  return ({ source }) =>
    path.join(yard.project, path.relative(process.cwd(), path.resolve((source ?? '').replace(/:\d+$/, ''))));
}

export function tellShipped(results: readonly Shipped[], asJson: boolean): void {
  if (asJson) process.stdout.write(`${JSON.stringify(results)}\n`);
  else
    for (const { name, result, message, url } of results)
      process.stdout.write(escaped`${result}  ${name}  ${url ?? message}\n`);
}

export function exitCodeOfShipped(results: readonly Shipped[]): ExitCode {
  return results.some(({ result }) => result === 'conflict' || result === 'failed')
    ? ExitCode.notAll
    : ExitCode.done;
}

/**
 * The first proof of each recent goal that the current judge accepted, so shipping again gives the same result; with the cost of
 * all tries until then.
 */
export async function solvedGoals(settings: Settings): Promise<GoalDetail[]> {
  await using ledger = await ledgerOf(settings, { readOnly: true });
  const found = new Map<string, GoalDetail>();
  const left = new Map<string, GoalRow[]>();
  const project = projectName(process.cwd());
  const runs = (await ledger.views.runs(50)).filter(({ config }) => isOfProject(config, project));
  for (const { run } of runs.toReversed())
    for (const row of await goalsByJudge(ledger, await ledger.views.goalsOf(run), judgeVersion())) {
      const key = tryKey(row);
      if (found.has(key) || !/\.lean:\d+$/.test(row.source ?? '')) continue;
      const tries = [...(left.get(key) ?? []), row];
      left.set(key, tries);
      if (row.status !== 'solved') continue;
      const details = await Promise.all(tries.map(async (one) => await ledger.views.goal(one.run, one.goal)));
      const [detail, ...earlier] = details.flatMap((one) => one ?? []).toReversed();
      const proofs = detail?.proofs.filter(({ judge }) => judge === judgeVersion()) ?? [];
      if (detail) found.set(key, withEarlier({ ...detail, proofs }, earlier.toReversed()));
    }
  return [...found.values()];
}

async function githubOf(git: Git, { repo, remote }: ShipFlags): Promise<GitHub> {
  return githubFor(repo ?? repositoryIn((await git.urlOf(remote)) ?? ''));
}
