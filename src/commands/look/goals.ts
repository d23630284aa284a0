import type { Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import type { FileGoal } from '../../lean/goals/lean-file.ts';
import { addProjectOptions, exitWith } from '../options/options.ts';
import { escaped, forPeople, linesForPeople } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

interface GoalsOptions {
  readonly json?: true;
  readonly sorrydb?: true;
  readonly useEmbedded?: true;
  readonly build?: true;
}

export function registerGoals(program: Command): void {
  addProjectOptions(program.command('goals'))
    .description('List every sorry and admit with its position, goal and context')
    .argument('[paths...]', 'files (.lean), folders, or patterns (default: this folder)')
    .option('--json', 'print one JSON object per goal')
    .option('--sorrydb', 'print one SorryDB record per goal')
    .action(exitWith(goals));
}

async function goals(paths: readonly string[], options: GoalsOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { environmentOfFile } = await import('../../lean/project/environment.ts');
  const { readLeanText } = await import('../../lean/goals/lean-file.ts');
  const { filesOf } = await import('../../lean/goals/sources.ts');
  const { settingFlags } = await import('../../config/flags.ts');
  const { readText } = await import('../../io/text-file.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  const files = filesOf(paths.length > 0 ? paths : ['.']).filter((file) => file.endsWith('.lean'));
  const print = options.sorrydb ? await sorryPrinter() : options.json ? printJson : printText;
  await using lean = await openLean(settingsFrom(settingFlags({ ...options })), {
    image: imageOfFiles(files),
    files,
    slots: 1,
  });
  let isWhole = true;
  let count = 0;
  for (const file of files) {
    const text = readText(file);
    const environment = environmentOfFile(file, text);
    const read = await lean.pool.use(async (lease) => await readLeanText(lease, text, file, environment), {
      environment,
    });
    if (!read.ok) {
      isWhole = false;
      process.stderr.write(escaped`orch: ${file}: ${read.error.kind}: ${read.error.message}\n`);
      continue;
    }
    for (const goal of read.value.goals) {
      if (goal.goal === undefined && goal.isBroken) {
        isWhole = false;
        process.stderr.write(escaped`orch: ${goal.source}: ${goal.id} is broken: ${goal.message}\n`);
        continue;
      }
      count++;
      print(file, goal);
    }
  }
  if (!options.json && !options.sorrydb) process.stdout.write(`${plural(count, 'goal')}\n`);
  return isWhole ? ExitCode.done : ExitCode.unknown;
}

function printText(_file: string, { id, source, shown, goal, ...rest }: FileGoal): void {
  const hypotheses =
    shown?.hypotheses.map(({ name, type }) => `    ${forPeople(name)} : ${linesForPeople(type)}\n`) ?? [];
  const target = shown === undefined ? '' : `    ⊢ ${linesForPeople(shown.target)}\n`;
  const why =
    goal === undefined && 'message' in rest
      ? `    cannot be worked on: ${linesForPeople(rest.message)}\n`
      : '';
  process.stdout.write(`${escaped`${source}  ${id}`}\n${hypotheses.join('')}${target}${why}`);
}

function printJson(file: string, found: FileGoal): void {
  for (const { start, end, form } of found.sorries)
    process.stdout.write(
      `${JSON.stringify({
        type: 'sorry',
        id: found.id,
        file,
        range: { start, end },
        form,
        declaration: found.declaration,
        goal: found.shown?.target ?? null,
        context: found.shown?.hypotheses ?? [],
        statement: found.goal?.statement ?? null,
        reason: found.goal === undefined ? found.message : null,
      })}\n`,
    );
}

async function sorryPrinter(): Promise<typeof printJson> {
  const { SorryRecords } = await import('../../lean/goals/sorrydb.ts');
  const records = new SorryRecords();
  return (file, goal) => {
    for (const record of records.of(file, goal)) process.stdout.write(`${JSON.stringify(record)}\n`);
  };
}
