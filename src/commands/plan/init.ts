import path from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { writeWhole } from '../../io/whole-file.ts';

interface InitOptions {
  readonly name?: string;
  readonly mathlib?: true;
  readonly copilot?: true;
  readonly agents?: true;
  readonly overwrite?: true;
  readonly apply?: true;
  readonly repo?: string;
}

/** The three checks that `main` wants, by the names of their jobs in ci.yml. */
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
    .option('--overwrite', 'replace files that differ, after showing a diff')
    .option('--apply', 'set the branch rules on GitHub (GITHUB_TOKEN)')
    .option('--repo <owner/name>', 'GitHub repository, for --apply')
    .action(async (folder: string, options: InitOptions) => {
      process.exitCode = await init(folder, options);
    });
}

/** 1: some files differ and stay as they are. */
async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const { lineDiff, planScaffold } = await import('../../app/scaffold.ts');
  const name = options.name ?? path.basename(path.resolve(folder));
  const plan = planScaffold(folder, {
    name,
    mathlib: options.mathlib === true,
    copilot: options.copilot === true,
    agents: options.agents === true,
  });
  for (const { file, text, before, state } of plan) {
    if (state === 'same') continue;
    if (before !== null) process.stdout.write(`${file} differs:\n${lineDiff(before, text)}\n`);
    if (state === 'different' && !options.overwrite) continue;
    writeWhole(path.join(folder, file), text);
    process.stdout.write(`${state === 'new' ? 'new' : 'replaced'}  ${file}\n`);
  }
  const kept = plan.filter(({ state }) => state === 'different' && !options.overwrite);
  if (kept.length > 0)
    process.stderr.write(
      `orch: ${kept.length} files differ and stay as they are; --overwrite replaces them\n`,
    );
  if (options.apply) await applyRules(options);
  else if (!options.agents) process.stdout.write(rules);
  return kept.length > 0 ? ExitCode.notAll : ExitCode.done;
}

const rules = `
Branch rules (orch init --apply --repo OWNER/NAME sets them, with GITHUB_TOKEN):
  main is protected and wants ${requiredChecks.join(', ')}
  dev is where work goes: requests are merged by squashing, and only when they are green
  auto/lem/… is for branches that machines make
`;

async function applyRules({ repo }: InitOptions): Promise<void> {
  const { githubFor } = await import('../../app/github-client.ts');
  const github = githubFor(repo);
  for (const answer of [await github.protectBranch('main', requiredChecks), await github.squashOnly()])
    if (!answer.ok)
      throw new UserError(
        'init-rules',
        `GitHub: ${answer.error.message}`,
        'Is GITHUB_TOKEN set, and may it administer the repository?',
      );
  process.stdout.write('main is protected; requests are merged by squashing only\n');
}
