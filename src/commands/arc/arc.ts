import { type Command, Option } from 'commander';
import { descriptions } from '../../config/descriptions.ts';
import { registerTraining } from './training.ts';
import { addLoopOptions } from '../options/arc-run.ts';
import { solveDefaults } from '../../app/arc/solve-defaults.ts';
import { exitFrom, parseCount, reporterOption } from '../options/options.ts';

/** `orch arc …`. The commands are in arc-*.ts and are loaded when they run. */
export function registerArc(program: Command): void {
  const arc = program
    .command('arc')
    .description('Find rules for ARC grid puzzles and verify them on the training pairs');
  const data = new Option('--data <folder>', 'folder against which relative task paths are resolved').env(
    'ORCH_DATA',
  );
  arc
    .command('solve')
    .description('search for a rule for each task; two attempts per test input')
    .argument('<tasks>', 'JSONL, a folder of task JSONs, a task JSON or a Kaggle challenges file')
    .addOption(data)
    .option('--max-nodes <n>', 'maximum number of programs evaluated per task', parseCount)
    .option('--workers <n>', 'worker threads (default: num_procs, or all cores)', parseCount)
    .option('--every <n>', 'only every n-th task', parseCount, solveDefaults.every)
    .option('--solutions <file>', 'Kaggle solutions file, for scoring')
    .option('--submission <file>', 'write a submission file')
    .option('--out <folder>', 'folder for result rows and metrics', solveDefaults.out)
    .option('--resume', 'skip tasks that earlier runs finished', false)
    .option('--ledger <file>', descriptions.ledger)
    .addOption(reporterOption())
    .action(exitFrom(async () => (await import('../../app/arc/solve.ts')).solveFiles));
  addLoopOptions(arc.command('run'))
    .description('run the loop: describe, propose, verify, critique, edit; write rows, traces and datasets')
    .addOption(data)
    .action(exitFrom(async () => (await import('../../app/arc/run.ts')).run));
  arc
    .command('show')
    .description('show a task and explain the chosen rule; with --rule, what that rule does')
    .argument('<task>', 'a task JSON, or FILE#ID for one task of a file')
    .addOption(data)
    .option('--rule <rule>', 'a program: JSON, rule text, or a file with either')
    .option('--compact', 'print half blocks, two grid rows per line', false)
    .action(async (task: string, options) => (await import('../../app/arc/show.ts')).show(task, options));
  registerMemory(arc);
  registerTraining(arc);
  for (const [name, description] of stages)
    arc
      .command(name)
      .description(description)
      .option('--max-nodes <n>', 'maximum number of programs evaluated', parseCount)
      .action(async (options) => (await import('../../app/arc/stages.ts')).stage(name, options));
}

/** `orch arc memory …`, on the folder that ARC_V3_MEMORY_DIR names. */
function registerMemory(arc: Command): void {
  const memory = arc.command('memory').description('manage the memory that runs of the loop share');
  const namespace = [
    '--train-namespace <name>',
    'namespace (default: ARC_V3_MEMORY_NAMESPACE, else "default")',
  ] as const;
  memory
    .command('stats')
    .description('print the number of rows per table as JSON')
    .option(...namespace)
    .action(async (options) => (await import('../../app/arc/memory.ts')).memoryStats(options));
  memory
    .command('export')
    .description('export solutions, fragments and cases as JSON lines')
    .argument('<file>')
    .option(...namespace)
    .action(async (file: string, options) =>
      (await import('../../app/arc/memory.ts')).memoryExport(file, options),
    );
  memory
    .command('import')
    .description('import an exported memory, all or nothing')
    .argument('<file>')
    .option(...namespace)
    .action(async (file: string, options) =>
      (await import('../../app/arc/memory.ts')).memoryImport(file, options),
    );
  memory
    .command('prune')
    .description('delete attempts of unsolved tasks and unreferenced data')
    .option(...namespace)
    .action(async (options) => (await import('../../app/arc/memory.ts')).memoryPrune(options));
}

const stages = [
  ['describe', 'read a task from stdin, print its facts'],
  ['rule', 'read a task from stdin, print ranked candidate rules'],
  ['verify', 'read {"task","program"} from stdin, print the verdict and a comparison'],
] as const;
