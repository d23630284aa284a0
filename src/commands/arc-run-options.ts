import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultMaxNodes } from '../arc/loop/options.ts';
import { logLevels } from '../config/descriptions.ts';

/** Everything `orch arc run` may be told. Names follow the flags. */
export interface RunFlags {
  readonly batchFile: string;
  readonly outJsonl: string;
  readonly data?: string;
  readonly describerCheckpoint: string;
  readonly rulerCheckpoint: string;
  readonly enhancedRulerCheckpoint?: string;
  readonly criticCheckpoint?: string;
  readonly loopIters: number;
  readonly iters?: number;
  readonly candidateK: number;
  readonly KDrafts?: number;
  readonly editK: number;
  readonly editTopM: number;
  readonly memoryK: number;
  readonly memoryKEpisodes: number;
  readonly memoryKCases: number;
  readonly memoryKSolvedExamples: number;
  readonly memoryKRepairCases: number;
  readonly memoryMaxBytes: number;
  readonly trainNamespace?: string;
  readonly metricsJson?: string;
  readonly traceJsonl?: string;
  readonly criticBufferJsonl?: string;
  readonly rulerStudentBufferJsonl?: string;
  readonly html?: string;
  readonly outDir?: string;
  readonly criticBatchRun: boolean;
  readonly criticBuildRankingDs: boolean;
  readonly criticDirectiveSweep: boolean;
  readonly criticBuildBlameDs: boolean;
  readonly failedOnly: boolean;
  readonly MSeeds: number;
  readonly JEdits: number;
  readonly deltaThreshold: number;
  readonly maxTasks?: number;
  readonly failFast: boolean;
  readonly seed: number;
  readonly logLevel: (typeof logLevels)[number];
  readonly logFile?: string;
  readonly maxNodes: number;
  readonly recogniser: boolean;
  readonly workers?: number;
  readonly resume: boolean;
}

/** The same switch wherever the teacher searches. */
export const noRecogniser = [
  '--no-recogniser',
  'search without the network that says which operations are likely',
] as const;

/** The flags of `orch arc run`, in the order in which help shows them. */
export function addRunOptions(command: Command): Command {
  const checkpoints = 'builtin, openai:URL#MODEL, anthropic:MODEL or cmd:COMMAND';
  return command
    .requiredOption('--batch-file <file>', 'tasks: JSONL, a folder of task JSONs or a Kaggle challenges file')
    .requiredOption('--out-jsonl <file>', 'one row a task, in the order of the batch')
    .option(
      '--describer-checkpoint <name>',
      `describer: a file of arc describer train, or ${checkpoints}`,
      'builtin',
    )
    .option('--ruler-checkpoint <name>', `teacher ruler: ${checkpoints}`, 'builtin')
    .option(
      '--enhanced-ruler-checkpoint <name>',
      `student ruler: a file of arc ruler train, or ${checkpoints}`,
    )
    .option('--critic-checkpoint <file>', 'critic: a file of arc critic train (default: deterministic)')
    .option('--loop-iters <n>', 'iterations of the loop', atLeast(1), 1)
    .option('--iters <n>', 'the same as --loop-iters', atLeast(1))
    .option('--candidate-k <n>', 'drafts of the first iteration', atLeast(1), 1)
    .option('--K-drafts <n>', 'the same as --candidate-k', atLeast(1))
    .option('--edit-k <n>', 'edits of every later iteration', atLeast(0), 0)
    .option('--edit-top-m <n>', 'seeds that are edited', atLeast(1), 1)
    .option('--memory-k <n>', 'items of the summary of memory', atLeast(0), 4)
    .option('--memory-k-episodes <n>', 'like episodes that are looked at', atLeast(0), 4)
    .option('--memory-k-cases <n>', 'cases for the critic', atLeast(0), 8)
    .option('--memory-k-solved-examples <n>', 'solved examples for the ruler', atLeast(0), 4)
    .option('--memory-k-repair-cases <n>', 'repair cases for the ruler', atLeast(0), 4)
    .option('--memory-max-bytes <n>', 'most bytes that memory hands out for a task', atLeast(0), 65_536)
    .option(
      '--train-namespace <name>',
      'namespace of memory (default: ARC_V3_MEMORY_NAMESPACE, else "default")',
    )
    .option('--metrics-json <file>', 'write the figures of the run')
    .option('--trace-jsonl <file>', 'write one trace a task')
    .option('--critic-buffer-jsonl <file>', 'write one row a candidate, to train critics')
    .option('--ruler-student-buffer-jsonl <file>', 'write one row an edit, to train rulers')
    .option('--html <file>', 'write a page: blamed step and cells, score by iteration')
    .option('--out-dir <folder>', 'folder of traces and datasets')
    .option('--critic-batch-run', 'run, and write traces and their index to --out-dir', false)
    .option('--critic-build-ranking-ds', 'search nothing: build ranking pairs from --out-dir', false)
    .option('--critic-directive-sweep', 'search nothing: build directive preferences from --out-dir', false)
    .option('--critic-build-blame-ds', 'search nothing: build blame loci from --out-dir', false)
    .option('--failed-only', 'datasets of tasks that were not solved', false)
    .option('--M-seeds <n>', 'seeds of an iteration, for preferences', atLeast(1), 2)
    .option('--J-edits <n>', 'edits of a seed, for preferences', atLeast(1), 4)
    .option(
      '--delta-threshold <x>',
      'least difference of gains, for preferences and cases',
      atLeastZero,
      1e-6,
    )
    .option('--max-tasks <n>', 'only the first tasks', atLeast(1))
    .option('--fail-fast', 'stop after the first task that fails', false)
    .option('--seed <n>', 'seed of the run', wholeNumber, 0)
    .addOption(new Option('--log-level <level>', 'how much is logged').choices(logLevels).default('info'))
    .option('--log-file <file>', 'log as JSON lines to a file instead of stderr')
    .option('--max-nodes <n>', 'most evaluations a task may cost', atLeast(1), defaultMaxNodes)
    .option(...noRecogniser)
    .option('--workers <n>', 'worker threads (default: all cores); rows do not depend on it', atLeast(1))
    .option('--resume', 'go on where a run of the same tasks and flags was stopped', false);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

function atLeast(least: number): (text: string) => number {
  return (text) => {
    const value = wholeNumber(text);
    if (value < least) throw new InvalidArgumentError(`It must be at least ${least}.`);
    return value;
  };
}

function atLeastZero(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of at least 0.');
  return value;
}
