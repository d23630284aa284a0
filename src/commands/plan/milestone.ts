import { Argument, type Command } from 'commander';
import type { Lean } from '../../app/lean.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import type { GoalDetail } from '../../shared/ledger.ts';
import type { Ledger } from '../../store/ledger/ledger.ts';
import { withoutPassword } from '../../store/ledger/place.ts';
import type { Condition, MilestoneGate } from '../../lean/blueprint/milestone-gates.ts';
import { addLedgerOption, exitWith } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { escaped } from '../../shared/for-people.ts';
import { leanGoalIn } from '../../lean/goals/goal.ts';

const milestones = ['M0', 'M1', 'M2'] as const;
type Milestone = (typeof milestones)[number];

interface MilestoneOptions {
  readonly tag?: true;
  readonly json?: true;
  readonly ledger?: string;
  readonly repo?: string;
}

export function registerMilestone(program: Command): void {
  addLedgerOption(
    program
      .command('milestone')
      .description('Check a milestone: exit 0 passed, 1 not passed, 3 required runs missing')
      .addArgument(new Argument('<gate>', 'milestone to check').choices(milestones))
      .option('--tag', 'if passed, tag the commit stable/M<N>')
      .option('--repo <owner/name>', "for M0: GitHub repository (default: from origin's URL)")
      .option('--json', 'print JSON'),
  )
    .addHelpText(
      'after',
      `
  M0  The project builds, CI of the current commit is green, runs have written to the ledger, orch sanity passes, the blueprint can be drawn.
  M1  Profile 1 solves 40 % of 100 lemmas or more, of the bank or of your project, on half of the machine, and every proof replays.
  M2  Profile 2 solves 10 % or more of the goals that profile 1 left open, with premises, repeating fewer failures.`,
    )
    .action(exitWith(milestone));
}

async function milestone(name: Milestone, options: MilestoneOptions): Promise<ExitCode> {
  const gate = await judge(name, options);
  if (options.json) process.stdout.write(`${JSON.stringify({ milestone: name, ...gate })}\n`);
  else tell(name, gate);
  if (gate.kind === 'unknown') return ExitCode.unknown;
  if (!gate.conditions.every(({ holds }) => holds)) return ExitCode.notAll;
  if (options.tag) await tag(name);
  return ExitCode.done;
}

async function judge(name: Milestone, options: MilestoneOptions): Promise<MilestoneGate> {
  const { ledgerIfThere } = await import('../../app/ledger.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { judgeM1, judgeM2 } = await import('../../lean/blueprint/milestone-gates.ts');
  const settings = settingsFrom(settingFlags({ ledger: options.ledger }));
  await using ledger = await ledgerIfThere(settings);
  if (!ledger)
    return {
      kind: 'unknown',
      message: `there is no ledger at ${withoutPassword(settings.ledger)}: orch bg writes one`,
    };
  switch (name) {
    case 'M0':
      return await judgeM0(ledger.views, options);
    case 'M1': {
      const { openLean } = await import('../../app/lean.ts');
      await using lean = await openLean(settings, { image: 'init', slots: 1 });
      const { projectName } = await import('../../lean/project/lake.ts');
      return await judgeM1(ledger.views, async (goal) => await replays(goal, lean), projectName('.'));
    }
    case 'M2':
      return await judgeM2(ledger.views, (await import('../../lean/gate/judge-version.ts')).judgeVersion());
  }
}

async function judgeM0(views: Ledger['views'], options: MilestoneOptions): Promise<MilestoneGate> {
  const { hasRows } = await import('../../lean/blueprint/milestone-gates.ts');
  const { blueprintFault, workFault } = await import('../run/sanity.ts');
  const { buildProject } = await import('../../app/build-project.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const built = await buildProject([], settingsFrom(), false);
  const work = await workFault();
  const blueprint = await blueprintFault('.');
  return {
    kind: 'judged',
    set: [],
    conditions: [
      { holds: built === ExitCode.done, text: 'the project builds' },
      await ciCondition(options),
      await hasRows(views),
      { holds: work === undefined, text: work ?? 'orch sanity finds proofs' },
      { holds: blueprint === undefined, text: blueprint ?? 'the blueprint can be drawn' },
    ],
  };
}

/** A condition that cannot be decided counts as not met, with the reason. */
async function ciCondition({ repo }: MilestoneOptions): Promise<Condition> {
  const { gitFact } = await import('../../io/git-process.ts');
  const { githubFor } = await import('../../app/github-client.ts');
  const { repositoryIn } = await import('../../io/github-address.ts');
  const { isGreen } = await import('../../lean/blueprint/milestone-gates.ts');
  const commit = gitFact('.', 'rev-parse', '--verify', '--quiet', 'HEAD');
  if (commit === '') return { holds: false, text: 'there is no commit that CI could have run on' };
  const repository = repo ?? repositoryIn(gitFact('.', 'remote', 'get-url', 'origin'));
  if (repository === undefined)
    return { holds: false, text: 'CI is unknown: origin is not on GitHub; --repo OWNER/NAME names it' };
  return isGreen(commit, await githubFor(repository).checksOf(commit));
}

/** Judges the proof of the ledger again. */
async function replays({ task, proofs }: GoalDetail, { gate }: Lean): Promise<boolean> {
  const { preamble, statement, allowAxioms, environment } = leanGoalIn(task);
  const proof = proofs.at(-1)?.proof;
  if (proof === undefined) return false;
  const { verdict } = await gate.check({ preamble, statement, proof, allowAxioms, environment });
  return verdict === 'accepted';
}

function tell(name: Milestone, gate: MilestoneGate): void {
  if (gate.kind === 'unknown') {
    process.stdout.write(escaped`? ${name}: ${gate.message}\n`);
    return;
  }
  if (gate.set.length > 0) process.stdout.write(escaped`the set: ${gate.set.join(', ')}\n`);
  for (const { holds, text } of gate.conditions)
    process.stdout.write(escaped`${holds ? '✓' : '✗'} ${text}\n`);
  const isGreen = gate.conditions.every(({ holds }) => holds);
  process.stdout.write(
    isGreen ? `${name} passed\n` : `${name} did not pass; fix it before the next milestone\n`,
  );
}

async function tag(name: Milestone): Promise<void> {
  const { Git } = await import('../../io/git.ts');
  const tagged = await new Git(process.cwd()).tag(`stable/${name}`, `${name} is green`);
  if (!tagged.ok) throw new UserError('milestone-tag', tagged.error.message, 'orch never moves a tag.');
  process.stderr.write(`tagged stable/${name}; git push origin stable/${name} publishes it\n`);
}
