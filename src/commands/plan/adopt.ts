import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { AdoptPlan } from '../../app/adopt/plan.ts';
import type { Survey } from '../../app/adopt/survey.ts';
import { escaped } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';
import { exitWith } from '../options/options.ts';

interface AdoptOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly undo?: true;
  readonly diff?: true;
}

export function registerAdopt(program: Command): void {
  program
    .command('adopt')
    .description('Set up orch in an existing Lake project without changing any of its files')
    .argument('[dir]', 'the project, or a repository with projects in subfolders', '.')
    .option('--yes', 'create the files without asking')
    .option('--dry-run', 'print the plan and the report, write nothing')
    .option('--diff', 'print every line of the new files')
    .option('--undo', 'remove what an earlier adoption created')
    .addHelpText(
      'after',
      `
It reads lakefile, toolchain, manifest, blueprint, workflows and branches, and runs none of them. Then it lists the files that it would
create (--diff: every line) and asks. Exit 1: nothing was written because the answer was no, or --undo kept a file that has changed.`,
    )
    .action(exitWith(adopt));
}

async function adopt(folder: string, options: AdoptOptions): Promise<ExitCode> {
  const { surveyFolder } = await import('../../app/adopt/survey.ts');
  const { planAdoption } = await import('../../app/adopt/plan.ts');
  const { describeFeatures, describePlan, describeSurvey } = await import('../../app/adopt/describe.ts');
  if (options.undo && options.dryRun)
    throw new UserError('adopt-usage', '--undo and --dry-run cannot be combined');
  const survey = await surveyFolder(folder);
  if (options.undo) return await undo(survey);
  const plans = planAdoption(survey);
  say(`${describeSurvey(survey)}\n${describeFeatures(survey)}\n`);
  const diff = options.diff === true;
  for (const plan of plans) say(describePlan(plan, { diff }));
  const isAgreed = options.dryRun ? true : await write(plans, survey, options);
  const { firstReport } = await import('../../app/adopt/report.ts');
  for (const project of survey.projects) say(`\n${firstReport(project, survey)}`);
  return isAgreed ? ExitCode.done : ExitCode.notAll;
}

/** False: the answer was no. */
async function write(
  plans: readonly AdoptPlan[],
  { root }: Survey,
  { yes: isSure = false, diff = false }: { yes?: boolean; diff?: boolean },
): Promise<boolean> {
  const { carryOut } = await import('../../app/adopt/record.ts');
  const count = plans.flatMap(({ files }) => files).filter(({ state }) => state === 'new').length;
  if (count === 0) {
    say('Nothing to write: everything that orch needs is here.\n');
    return true;
  }
  const { describePlan } = await import('../../app/adopt/describe.ts');
  const question = `Create ${count === 1 ? 'this file' : `these ${count} files`}? [y/N${diff ? '' : '/d for every line'}] `;
  const show = (): void => {
    for (const plan of plans) say(describePlan(plan, { diff: true }));
  };
  if (!isSure && !(await isYes(question, show))) {
    say('Nothing was written. --yes creates the files without asking.\n');
    return false;
  }
  for (const plan of plans) for (const file of carryOut(plan, root)) say(escaped`created  ${file}\n`);
  say('orch adopt --undo removes them again.\n');
  return true;
}

async function undo({ projects, root }: Survey): Promise<ExitCode> {
  const { undoAdoption } = await import('../../app/adopt/record.ts');
  let kept = 0;
  let found = 0;
  for (const project of projects) {
    const undone = undoAdoption(project, root);
    if (!undone) continue;
    found += 1;
    for (const file of undone.removed) say(escaped`removed  ${file}\n`);
    for (const file of undone.kept) say(escaped`kept  ${file}: it has changed since orch wrote it\n`);
    kept += undone.kept.length;
  }
  if (found === 0)
    throw new UserError(
      'not-adopted',
      'there is no record of an adoption here',
      'orch adopt writes one to .orch/adopted.json.',
    );
  if (kept > 0) process.stderr.write(`orch: ${plural(kept, 'file')} kept\n`);
  return kept > 0 ? ExitCode.notAll : ExitCode.done;
}

/** The answer may come from a program; no answer means no. `d` shows more and asks again. */
async function isYes(question: string, show: () => void): Promise<boolean> {
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) {
    if (!/^d(?:iff)?$/i.test(line.trim())) return /^y(?:es)?$/i.test(line.trim());
    show();
    process.stderr.write(question);
  }
  return false;
}

function say(text: string): void {
  process.stdout.write(text);
}
