import { type Command, Option } from 'commander';
import { parseSeed } from '../options/options.ts';

/** `orch arc synth|export|ruler|describer`: from traces to files that a run's checkpoint flags load. */
export function registerTraining(arc: Command): void {
  arc
    .command('synth')
    .description('generate tasks from random well-typed programs; train and validation share no family')
    .argument(
      '<what>',
      'describer (tasks with facts), ruler (tasks with facts and rule) or pipeline (tasks alone)',
    )
    .requiredOption('--out <folder>', 'folder for train.jsonl, validation.jsonl and manifest.json')
    .option('--count <n>', 'number of tasks', parseSeed, 100)
    .option('--seed <n>', 'random seed', parseSeed, 0)
    .action(async (what: string, options) =>
      (await import('../../app/arc/training.ts')).synth(what, options),
    );
  arc
    .command('export')
    .description('export traces as training examples for language models')
    .addOption(new Option('--format <format>', 'what to write').choices(['sft', 'dpo']).makeOptionMandatory())
    .requiredOption('--out-dir <folder>', 'folder written by a run with --critic-batch-run')
    .requiredOption('--out <file>', 'output file (JSON lines)')
    .action(async (options) => (await import('../../app/arc/training.ts')).exportExamples(options));
  arc
    .command('critic', { hidden: true })
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => (await import('../../app/arc/training.ts')).noTrainedCritic());
  const ruler = arc
    .command('ruler')
    .description('train and evaluate the student ruler, which predicts operations from facts');
  ruler
    .command('train')
    .description('train on the solved tasks in traces')
    .requiredOption('--out-dir <folder>', 'folder written by a run with --critic-batch-run')
    .requiredOption('--out <file>', 'checkpoint for --enhanced-ruler-checkpoint')
    .action(async (options) => (await import('../../app/arc/training.ts')).rulerTrain(options));
  ruler
    .command('eval')
    .description("rank of the right operations in a checkpoint's predictions")
    .requiredOption('--out-dir <folder>', 'folder with traces not used for training')
    .requiredOption('--checkpoint <file>', 'checkpoint from `arc ruler train`')
    .action(async (options) => (await import('../../app/arc/training.ts')).rulerEval(options));
  ruler
    .command('infer')
    .description('read a task from stdin, print the most likely operations')
    .requiredOption('--checkpoint <file>', 'checkpoint from `arc ruler train`')
    .action(async (options) => (await import('../../app/arc/training.ts')).rulerInfer(options));
  const describer = arc
    .command('describer')
    .description('train and evaluate the describer, which selects useful kinds of facts');
  describer
    .command('eval')
    .description('rank of the right operations with the checkpoint and with all kinds of facts')
    .requiredOption('--out-dir <folder>', 'folder with traces not used for training')
    .requiredOption('--checkpoint <file>', 'checkpoint from `arc describer train`')
    .action(async (options) => (await import('../../app/arc/training.ts')).describerEval(options));
  describer
    .command('train')
    .description('keep the kinds of facts that predict the operations of solved tasks')
    .requiredOption('--out-dir <folder>', 'folder written by a run with --critic-batch-run')
    .requiredOption('--out <file>', 'checkpoint for --describer-checkpoint')
    .action(async (options) => (await import('../../app/arc/training.ts')).describerTrain(options));
}
