import { type Command, InvalidArgumentError, Option } from 'commander';

/** `orch arc synth|export`: tasks and examples for training other models. */
export function registerTraining(arc: Command): void {
  arc
    .command('synth')
    .description('generate tasks from random well-typed programs; train and validation share no family')
    .argument(
      '<what>',
      'describer (tasks with facts), ruler (tasks with facts and rule) or pipeline (tasks alone)',
    )
    .requiredOption('--out <folder>', 'folder for train.jsonl, validation.jsonl and manifest.json')
    .option('--count <n>', 'number of tasks', wholeNumber, 100)
    .option('--seed <n>', 'random seed', wholeNumber, 0)
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
  for (const part of ['critic', 'ruler', 'describer'] as const)
    arc
      .command(part, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(async () => (await import('../../app/arc/training.ts')).nothingToTrain(part));
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}
