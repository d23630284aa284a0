import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { bankFile } from '../../app/bank.ts';
import { escaped } from '../../shared/for-people.ts';
import { exitWith } from '../options/options.ts';

const lemmas = 100;
const seconds = 30;
/** Longer limits for a busy machine. */
const fewLemmas = 3;

export function registerSanity(program: Command): void {
  program
    .command('sanity')
    .description(
      `Quick test that orch works: ${lemmas} lemmas, ${seconds} s, one line; in a project, also its build and blueprint`,
    )
    .action(exitWith(sanity));
}

/** A condition that must hold, and what to do if it does not. */
type Fault = string | undefined;

async function sanity(): Promise<ExitCode> {
  // a blueprint is optional, but must work if present
  const blueprint = existsSync('blueprint') ? await blueprintFault('.') : undefined;
  const faults = [await workFault(), await buildFault('.'), blueprint].filter((fault) => fault !== undefined);
  for (const fault of faults) process.stderr.write(await banner(`SANITY FAILED: ${fault}`));
  return faults.length === 0 ? ExitCode.done : ExitCode.broken;
}

/** Uses its own ledger: earlier results must not help, and this run must not count as experience. */
export async function workFault(): Promise<Fault> {
  const { ledgerOf } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { prove } = await import('../../app/reported-run.ts');
  const { readGoals } = await import('../../lean/goals/read.ts');
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'orch-sanity-'));
  try {
    const settings = { ...settingsFrom(), ledger: path.join(folder.path, 'ledger.db') };
    const proveFirst = async (count: number, timeout: number | null) =>
      await prove({
        settings,
        reporter: 'silent',
        choice: { command: 'sanity', sources: ['bank'], seed: 1, timeout },
        image: 'init',
        goals: async ({ pool }) => {
          const { goals } = await readGoals(bankFile, async (_, talk) => await pool.use(talk));
          return { goals: goals.slice(0, count), unreadable: [] };
        },
      });
    const { goals_solved = 0, goals_total = 0 } = (await proveFirst(lemmas, seconds)) ?? {};
    // a busy machine may prove nothing in that time; without a deadline only work is limited
    if (goals_solved === 0) await proveFirst(fewLemmas, null);
    await using ledger = await ledgerOf(settings, { readOnly: true });
    const { successes } = await ledger.views.totals();
    process.stdout.write(
      `${goals_solved} of the first ${goals_total} lemmas of orch's bank solved in ${seconds} s on ${Math.round(100 * settings.cpu_target)} % of the machine (${Math.round((100 * goals_solved) / goals_total)} %)\n`,
    );
    return successes > 0 ? undefined : 'no proof reached the ledger. Run orch doctor.';
  } catch (error) {
    // a Lean that cannot be started must be reported, not thrown
    if (error instanceof UserError) return `${error.message}. ${error.hint ?? ''}`.trim();
    throw error;
  }
}

/** In a Lake project: it compiles. If it cannot be tried, one line says why. */
async function buildFault(folder: string): Promise<Fault> {
  const { lakefileIn } = await import('../../lean/project/lake.ts');
  const { absentPackages, unresolvedImports } = await import('../../lean/project/project.ts');
  const { leanFilesBelow } = await import('../../lean/goals/count-sorries.ts');
  const { buildProject } = await import('../../app/build-project.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  if (lakefileIn(folder) === undefined) return undefined;
  const absent = absentPackages(folder);
  const texts = leanFilesBelow(folder).map((file) => readFileSync(path.join(folder, file), 'utf8'));
  // a package that no file imports, such as doc-gen4, is not needed
  if (absent.length > 0 && unresolvedImports(folder, texts).length > 0) {
    process.stdout.write(escaped`project not built: packages are missing: ${absent.join(', ')}\n`);
    return undefined;
  }
  try {
    const built = await buildProject([], settingsFrom(), false);
    return built === ExitCode.done ? undefined : 'the project does not compile.';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    process.stdout.write(escaped`project not built: ${error.message}\n`);
    return undefined;
  }
}

/** In a Lake project: its blueprint exists and can be read and drawn. */
export async function blueprintFault(folder: string): Promise<Fault> {
  if (!['lakefile.toml', 'lakefile.lean'].some((name) => existsSync(path.join(folder, name))))
    return undefined;
  const content = path.join(folder, 'blueprint/src');
  const { blueprintOf } = await import('../../lean/blueprint/read.ts');
  const { stateBlueprint } = await import('../../lean/blueprint/states.ts');
  const { graphSvg } = await import('../../lean/blueprint/graph.ts');
  const blueprint = blueprintOf(folder);
  if (!blueprint) return `a blueprint is missing in ${content}. orch blueprint new drafts nodes for one.`;
  if (blueprint.statements.length === 0) return `${content} has no statement. orch blueprint new writes one.`;
  const svg = await graphSvg(stateBlueprint(blueprint));
  return svg.includes('</svg>') ? undefined : `the graph of ${content} cannot be drawn.`;
}

async function banner(text: string): Promise<string> {
  const { workflowCommand } = await import('../../reporters/github.ts');
  if (process.env['GITHUB_ACTIONS'] === 'true')
    return workflowCommand('error', text, { title: 'orch sanity' });
  const isColoured = process.stderr.isTTY && !process.env['NO_COLOR'];
  return isColoured ? `\u001B[41;97m ${text} \u001B[0m\n` : `*** ${text} ***\n`;
}
