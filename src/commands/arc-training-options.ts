import { type Command, InvalidArgumentError, Option } from 'commander';

/** `orch arc synth|export|critic|ruler|describer`: from traces to files that a run's checkpoint flags load. */
export function registerTraining(arc: Command): void {
  arc
    .command('synth')
    .description('make tasks from random well-typed programs; train and validation share no family')
    .argument(
      '<what>',
      'describer (tasks with facts), ruler (tasks with facts and rule) or pipeline (tasks alone)',
    )
    .requiredOption('--out <folder>', 'folder of train.jsonl, validation.jsonl and manifest.json')
    .option('--count <n>', 'how many tasks', wholeNumber, 100)
    .option('--seed <n>', 'seed of the tasks', wholeNumber, 0)
    .action(async (what: string, options) => (await import('./arc-training.ts')).synth(what, options));
  arc
    .command('export')
    .description('traces as examples to train language models on')
    .addOption(new Option('--format <format>', 'what to write').choices(['sft', 'dpo']).makeOptionMandatory())
    .requiredOption('--out-dir <folder>', 'folder that a run with --critic-batch-run has written')
    .requiredOption('--out <file>', 'JSON lines')
    .action(async (options) => (await import('./arc-training.ts')).exportExamples(options));
  const critic = arc.command('critic').description('critics that learn from ranking pairs');
  critic
    .command('train')
    .description('learn weights from one half of the tasks, measure on the other')
    .requiredOption('--pairs <file>', 'critic_ranking_pairs.jsonl of a run')
    .requiredOption('--out <file>', 'checkpoint for --critic-checkpoint')
    .action(async (options) => (await import('./arc-training.ts')).criticTrain(options));
  critic
    .command('eval')
    .description('a checkpoint beside the deterministic critic, on tasks that training has not seen')
    .requiredOption('--pairs <file>', 'critic_ranking_pairs.jsonl of a run')
    .requiredOption('--checkpoint <file>', 'what critic train has written')
    .action(async (options) => (await import('./arc-training.ts')).criticEval(options));
  const ruler = arc
    .command('ruler')
    .description('the student ruler: which operations a task wants, from its facts');
  ruler
    .command('train')
    .description('learn from solved tasks of traces')
    .requiredOption('--out-dir <folder>', 'folder that a run with --critic-batch-run has written')
    .requiredOption('--out <file>', 'checkpoint for --enhanced-ruler-checkpoint')
    .action(async (options) => (await import('./arc-training.ts')).rulerTrain(options));
  ruler
    .command('eval')
    .description('at which place the operations of solved tasks stand in the order of a checkpoint')
    .requiredOption('--out-dir <folder>', 'folder of traces that training has not seen')
    .requiredOption('--checkpoint <file>', 'what ruler train has written')
    .action(async (options) => (await import('./arc-training.ts')).rulerEval(options));
  ruler
    .command('infer')
    .description('a task on stdin, the likeliest operations on stdout')
    .requiredOption('--checkpoint <file>', 'what ruler train has written')
    .action(async (options) => (await import('./arc-training.ts')).rulerInfer(options));
  arc
    .command('describer')
    .description('the describer: which kinds of facts are worth saying')
    .command('train')
    .description('keep the kinds of facts that tell which operations solved tasks want')
    .requiredOption('--out-dir <folder>', 'folder that a run with --critic-batch-run has written')
    .requiredOption('--out <file>', 'checkpoint for --describer-checkpoint')
    .action(async (options) => (await import('./arc-training.ts')).describerTrain(options));
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}
