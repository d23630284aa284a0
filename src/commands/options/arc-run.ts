import { type Command, Option } from 'commander';
import { defaultMaxNodes } from '../../arc/learning/loop-options.ts';
import { descriptions, logLevels } from '../../config/descriptions.ts';
import { numberIn, reporterOption, wholeNumber } from './options.ts';

/** The flags of `orch arc run`, in the order in which help shows them. */
export function addLoopOptions(command: Command): Command {
  const checkpoints =
    'builtin, openai:URL#MODEL, anthropic:MODEL, cmd:COMMAND or a folder with an ONNX export';
  return command
    .requiredOption('--batch-file <file>', 'tasks: JSONL, a folder of task JSONs or a Kaggle challenges file')
    .requiredOption('--out-jsonl <file>', 'one row per task, in batch order')
    .option(
      '--describer-checkpoint <name>',
      `describer: a file or folder of arc describer train, ${checkpoints}`,
      'builtin',
    )
    .option(
      '--ruler-checkpoint <name>',
      `teacher ruler: a file or folder of arc ruler train, ${checkpoints}`,
      'builtin',
    )
    .option(
      '--enhanced-ruler-checkpoint <name>',
      `student ruler: a file or folder of arc ruler train, ${checkpoints}; builtin tries plain chains (default: none)`,
    )
    .addOption(
      new Option(
        '--teacher <state>',
        'whether the built-in teacher also proposes rules if there are other rulers',
      )
        .choices(['on', 'off'])
        .default('on'),
    )
    .option('--critic-checkpoint <name>', 'critic; builtin is the only one', 'builtin')
    .option('--loop-iters <n>', 'number of iterations', wholeNumber(1), 1)
    .option('--iters <n>', 'the same as --loop-iters', wholeNumber(1))
    .option('--candidate-k <n>', 'drafts in the first iteration', wholeNumber(1), 1)
    .option('--K-drafts <n>', 'the same as --candidate-k', wholeNumber(1))
    .option('--edit-k <n>', 'edits per later iteration', wholeNumber(0), 0)
    .option('--edit-top-m <n>', 'number of candidates to edit', wholeNumber(1), 1)
    .option('--memory-k <n>', 'signatures in the summary of similar tasks', wholeNumber(0), 4)
    .option('--memory-k-episodes <n>', 'episodes of similar tasks, for ruler and critic', wholeNumber(0), 4)
    .option('--memory-k-cases <n>', 'cases for the critic', wholeNumber(0), 8)
    .option('--memory-k-solved-examples <n>', 'solved examples for the ruler', wholeNumber(0), 4)
    .option(
      '--memory-k-repair-cases <n>',
      'repair cases per kind of error, and fragments, for the ruler',
      wholeNumber(0),
      4,
    )
    .option('--memory-max-bytes <n>', 'maximum bytes of memory shown per task', wholeNumber(0), 65_536)
    .option('--train-namespace <name>', 'memory namespace (default: ARC_V3_MEMORY_NAMESPACE, or "default")')
    .option('--metrics-json <file>', "write the run's metrics")
    .option('--trace-jsonl <file>', 'write one trace per task')
    .option('--critic-buffer-jsonl <file>', 'write one row per candidate, for training critics')
    .option('--ruler-student-buffer-jsonl <file>', 'write one row per edit, for training rulers')
    .option('--out-dir <folder>', 'folder for traces and datasets')
    .option('--critic-batch-run', 'run and write traces with an index to --out-dir', false)
    .option('--critic-build-ranking-ds', 'no search: build ranking pairs from --out-dir', false)
    .option('--critic-directive-sweep', 'no search: build directive preferences from --out-dir', false)
    .option('--critic-build-blame-ds', 'no search: build blame loci from --out-dir', false)
    .option('--failed-only', 'export only unsolved tasks', false)
    .option('--M-seeds <n>', 'seeds per iteration, for preferences', wholeNumber(1), 2)
    .option('--J-edits <n>', 'edits per seed, for preferences', wholeNumber(1), 4)
    .option(
      '--delta-threshold <x>',
      'minimum difference in gain, for preferences and cases',
      numberIn(0),
      1e-6,
    )
    .option('--max-tasks <n>', 'first N tasks only', wholeNumber(1))
    .option('--fail-fast', 'stop at the first task that fails', false)
    .option('--seed <n>', 'random seed for ties and for the order of views', wholeNumber(), 0)
    .addOption(new Option('--log-level <level>', 'log level').choices(logLevels))
    .option('--log-file <file>', 'log JSON lines to a file instead of stderr')
    .option(
      '--max-nodes <n>',
      'maximum number of programs evaluated per task',
      wholeNumber(1),
      defaultMaxNodes,
    )
    .option(
      '--workers <n>',
      'worker threads (default: all cores); does not change the output',
      wholeNumber(1),
    )
    .option('--ledger <file>', descriptions.ledger)
    .addOption(reporterOption())
    .option('--resume', 'continue an interrupted run of the same tasks and flags', false);
}
