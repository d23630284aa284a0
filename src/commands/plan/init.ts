import path from 'node:path';
import type { Command } from 'commander';
import { makeFolders } from '../../core/folders.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { shellWord } from '../../config/checkout.ts';
import { harmless } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';
import { exitWith } from '../options/options.ts';

interface InitOptions {
  readonly name?: string;
  readonly mathlib?: true;
  readonly copilot?: true;
  readonly agents?: true;
  readonly apply?: true;
  readonly repo?: string;
}

/** The three checks required on `main`, by the names of their jobs in ci.yml. */
const requiredChecks = ['Lean build', 'orch check', 'Blueprint'];

export function registerInit(program: Command): void {
  program
    .command('init')
    .description('Create a formalisation repository: Lake project, blueprint, workflows, settings')
    .argument('[dir]', 'folder (default: current)', '.')
    .option('--name <name>', 'project name (default: folder name)')
    .option('--mathlib', 'add Mathlib')
    .option('--copilot', 'add Lean Copilot')
    .option('--agents', 'write only the files for Claude Code: MCP server, agents, commands, hooks')
    .option('--apply', 'set the branch rules on GitHub (GITHUB_TOKEN)')
    .option('--repo <owner/name>', 'GitHub repository, for --apply')
    .action(exitWith(init));
}

/** 1: some files differ and were not changed. */
async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const { lakefileIn } = await import('../../lean/project/lake.ts');
  const lakefile = lakefileIn(folder);
  if (lakefile === undefined || options.agents) return await create(folder, options);
  if (!options.apply)
    throw new UserError(
      'init-existing',
      `${lakefile} exists: this is already a Lake project`,
      `Type: orch adopt ${shellWord(folder)}`,
    );
  await applyRules(options);
  return ExitCode.done;
}

async function create(folder: string, options: InitOptions): Promise<ExitCode> {
  const { lineDiff, planScaffold } = await import('../../app/scaffold.ts');
  const { createFiles } = await import('../../io/new-files.ts');
  const name = options.name ?? path.basename(path.resolve(folder));
  const plan = planScaffold(folder, {
    name,
    mathlib: options.mathlib === true,
    copilot: options.copilot === true,
    agents: options.agents === true,
  });
  makeFolders(folder);
  const { files } = createFiles(
    folder,
    plan.filter(({ state }) => state === 'new'),
  );
  for (const file of files) process.stdout.write(`new  ${file}\n`);
  const kept = plan.filter(({ state }) => state === 'different');
  for (const { file, text, before } of kept)
    process.stdout.write(
      harmless(
        `${file} exists and was not changed; orch would have written:\n${lineDiff(before ?? '', text)}\n`,
      ),
    );
  if (kept.length > 0) process.stderr.write(`orch: ${plural(kept.length, 'file')} not changed\n`);
  if (options.apply) await applyRules(options);
  else if (!options.agents) process.stdout.write(rules);
  return kept.length > 0 ? ExitCode.notAll : ExitCode.done;
}

const rules = `
Branch rules (orch init --apply --repo OWNER/NAME sets them, with GITHUB_TOKEN):
  main is protected and requires ${requiredChecks.join(', ')}
  dev collects work: pull requests are squash-merged once their checks pass
  auto/lem/… holds the branches that orch creates
`;

async function applyRules({ repo }: InitOptions): Promise<void> {
  const { githubFor } = await import('../../app/github-client.ts');
  const github = githubFor(repo);
  for (const answer of [await github.protectBranch('main', requiredChecks), await github.squashOnly()])
    if (!answer.ok)
      throw new UserError(
        'init-rules',
        `GitHub: ${answer.error.message}`,
        'Set GITHUB_TOKEN to a token that may administer the repository.',
      );
  process.stdout.write('main is protected; pull requests can only be squash-merged\n');
}
