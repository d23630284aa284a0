import { type Command, InvalidArgumentError, Option } from 'commander';
import { descriptions } from '../config/descriptions.ts';
import { registerTraining } from './arc-training-options.ts';
import { addRunOptions, noRecogniser } from './arc-run-options.ts';
import { reporterNames } from '../reporters/reporter.ts';
import { solveDefaults } from './arc-command.ts';

/** `orch arc …`. The commands stand in arc-*.ts and are loaded when they run. */
export function registerArc(program: Command): void {
  const arc = program
    .command('arc')
    .description('Finds rules for ARC grid puzzles and checks them on the training pairs.');
  const data = new Option('--data <folder>', 'folder that relative names of tasks start from').env(
    'ORCH_DATA',
  );
  arc
    .command('solve')
    .description('search a rule for every task; two attempts a test input')
    .argument('<tasks>', 'JSONL, a folder of task JSONs, a task JSON or a Kaggle challenges file')
    .addOption(data)
    .addOption(
      new Option('--mode <mode>', 'how far the search goes')
        .choices(['fast', 'full'])
        .default(solveDefaults.mode),
    )
    .option('--max-nodes <n>', 'most evaluations a task may cost', wholeNumber)
    .option(...noRecogniser)
    .option('--workers <n>', 'worker threads (default: num_procs, else all cores)', wholeNumber)
    .option('--every <n>', 'only every n-th task', wholeNumber, solveDefaults.every)
    .option('--solutions <file>', "Kaggle's solutions file, for scoring")
    .option('--submission <file>', 'write a submission file')
    .option('--out <folder>', 'folder of rows and metrics', solveDefaults.out)
    .option('--html <file>', 'write a gallery of solved, near and failed tasks')
    .option('--resume', 'what earlier runs of these tasks have found is not searched again', false)
    .option('--ledger <file>', descriptions.ledger)
    .addOption(
      new Option('--reporter <name>', 'how to report; live on a terminal, else plain').choices(reporterNames),
    )
    .action(async (tasks: string, options) => {
      process.exitCode = await (await import('./arc-solve.ts')).solve(tasks, options);
    });
  addRunOptions(arc.command('run'))
    .description('the loop: facts, drafts, verdicts, critic, edits; rows, traces and datasets')
    .addOption(data)
    .action(async (options) => {
      process.exitCode = await (await import('./arc-run.ts')).run(options);
    });
  arc
    .command('show')
    .description('a task, with a rule its answers and wrong cells, in the terminal or the browser')
    .argument('<task>', 'a task JSON, or FILE#ID for a task of a larger file')
    .addOption(data)
    .option('--rule <rule>', 'a program: JSON, rule text, or a file with either')
    .option('--compact', 'half blocks, two rows a line', false)
    .option('--html <file>', 'write a page instead')
    .action(async (task: string, options) => (await import('./arc-show.ts')).show(task, options));
  registerMemory(arc);
  registerTraining(arc);
  for (const [name, description] of stages)
    arc
      .command(name)
      .description(description)
      .addOption(
        new Option('--mode <mode>', 'how far the search goes').choices(['fast', 'full']).default('fast'),
      )
      .option('--max-nodes <n>', 'most evaluations the task may cost', wholeNumber)
      .option(...noRecogniser)
      .action(async (options) => (await import('./arc-stages.ts')).stage(name, options));
}

/** `orch arc memory …`, on the folder that ARC_V3_MEMORY_DIR names. */
function registerMemory(arc: Command): void {
  const memory = arc.command('memory').description('what runs of the loop have left for later runs');
  const namespace = [
    '--train-namespace <name>',
    'namespace (default: ARC_V3_MEMORY_NAMESPACE, else "default")',
  ] as const;
  memory
    .command('stats')
    .description('how many rows each table has, as JSON')
    .option(...namespace)
    .action(async (options) => (await import('./arc-memory.ts')).memoryStats(options));
  memory
    .command('export')
    .description('write solutions, fragments and cases as JSON lines')
    .argument('<file>')
    .option(...namespace)
    .action(async (file: string, options) => (await import('./arc-memory.ts')).memoryExport(file, options));
  memory
    .command('import')
    .description('take in what another memory has exported, all or nothing')
    .argument('<file>')
    .option(...namespace)
    .action(async (file: string, options) => (await import('./arc-memory.ts')).memoryImport(file, options));
  memory
    .command('prune')
    .description('forget attempts of unsolved tasks, and blobs that nothing names')
    .option(...namespace)
    .action(async (options) => (await import('./arc-memory.ts')).memoryPrune(options));
}

const stages = [
  ['describe', 'a task on stdin, its facts on stdout'],
  ['rule', 'a task on stdin, ranked candidates on stdout'],
  ['verify', '{"task","program"} on stdin, verdict and comparison on stdout'],
] as const;

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
}
