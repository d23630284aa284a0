import { dirname, join } from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { comparatorVersion } from '../../arc/verify/comparator.ts';
import { blameRows, directivePreferences, rankingPairs } from '../../arc/learning/datasets/build.ts';
import { readTraces } from '../../arc/learning/datasets/read.ts';
import { loadBatch, type BatchEntry } from '../../arc/loop/batch.ts';
import { checkpointOf } from '../../arc/learning/checkpoints.ts';
import type { LoopOptions, MemoryLimits } from '../../arc/learning/loop-options.ts';
import { metricsOf, writeOutputs, type LoopResult } from '../../arc/loop/outputs.ts';
import { remember } from '../../arc/learning/memory/remember.ts';
import {
  readMemory,
  retrieveForCritic,
  retrieveForRuler,
  type Remembered,
} from '../../arc/learning/memory/retrieve.ts';
import type { TaskMemory } from '../../arc/learning/memory/bundle.ts';
import type { Task } from '../../arc/grid/task.ts';
import { writeRows } from '../../arc/loop/write-rows.ts';
import type { RunMetrics, LoopRow, TaskTrace } from '../../arc/learning/schemas.ts';
import { packageVersion } from '../../config/package.ts';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { withFreeFileLock } from '../../io/file-lock.ts';
import { openLog, type Log as EventLog } from '../../io/log.ts';
import { isInside } from '../../core/inside.ts';
import { systemClock } from '../../core/clock.ts';
import type { Settings } from '../../config/schema.ts';
import { settingFlags } from '../../config/flags.ts';
import { logEvents } from '../../reporters/log.ts';
import { reporterFor } from '../../reporters/reporters.ts';
import type { Reporter, ReporterName } from '../../reporters/reporter.ts';
import type { UnfinishedRun } from '../../store/ledger/experience.ts';
import { settingsFrom } from '../settings.ts';
import { runBatch, type BatchResult } from './run-batch.ts';
import type { ArcMemoryStore } from '../../store/arc-memory/store.ts';
import type { RunFlags } from './run-flags.ts';
import { openMemory } from './memory.ts';
import { modelsOf } from './models.ts';
import { locate } from './tasks.ts';
import { noTrainedCritic } from './training.ts';
import { plural } from '../../shared/plural.ts';

/** Continues an interrupted run with its flags. */
export async function runAgain(
  { options }: UnfinishedRun,
  settings: Settings,
  reporter: ReporterName | undefined,
): Promise<ExitCode> {
  const flags = { ...options, ...(reporter && { reporter }), resume: true } as unknown as RunFlags;
  // anyone who can write the ledger could have put them there
  const isElsewhere = outputsOf(flags).some((file) => !isInside(file, process.cwd()));
  const models = [
    flags.describerCheckpoint,
    flags.rulerCheckpoint,
    flags.enhancedRulerCheckpoint ?? 'builtin',
  ];
  if (isElsewhere || models.some((name) => name.includes(':')))
    throw new UserError(
      'resume-elsewhere',
      'the run wrote outside this folder or used models, and a ledger must not choose folders or programs',
      'Repeat the command of that run with --resume.',
    );
  return await run(flags, settings);
}

/**
 * Exits with 0 if every task is solved on its training pairs, else with 1; a dataset switch exits with 0 once
 * its file is written.
 */
export async function run(
  flags: RunFlags,
  settings = settingsFrom(settingFlags({ ...flags })),
): Promise<ExitCode> {
  const reporter = reporterFor(flags.reporter, process, { clock: systemClock, environment: process.env });
  const { log_level: level, log_file } = settings;
  const log = openLog({ level, file: log_file, talk: reporter.talk, environment: process.env });
  if (flags.criticBuildRankingDs || flags.criticDirectiveSweep || flags.criticBuildBlameDs) {
    buildDatasets(flags, log);
    return ExitCode.done;
  }
  makeFolders(dirname(flags.outJsonl));
  try {
    const ran = await withFreeFileLock(
      `${flags.outJsonl}.lock`,
      async () => await search(flags, settings, reporter, log),
    );
    if (ran !== undefined) return ran.value;
  } finally {
    reporter.close();
  }
  throw new UserError(
    'ARC_RUN_BUSY',
    `another run is writing ${flags.outJsonl}`,
    'Wait until it ends, or write to another file.',
  );
}

/** Builds the requested datasets from the traces of --out-dir, one file per switch. */
function buildDatasets(flags: RunFlags, log: EventLog): void {
  const folder = folderOf(flags);
  const traces = readTraces(folder, flags.failedOnly);
  const limits = { seeds: flags.MSeeds, edits: flags.JEdits, threshold: flags.deltaThreshold };
  const wanted = [
    [flags.criticBuildRankingDs, 'critic_ranking_pairs.jsonl', traces.flatMap(rankingPairs)],
    [flags.criticBuildBlameDs, 'critic_blame_locus.jsonl', traces.flatMap(blameRows)],
    [
      flags.criticDirectiveSweep,
      'critic_directive_prefs.jsonl',
      traces.flatMap((trace) => directivePreferences(trace, limits)),
    ],
  ] as const;
  for (const [isWanted, name, rows] of wanted) {
    if (!isWanted) continue;
    const file = join(folder, name);
    writeRows(file, rows);
    log.info({ file, rows: rows.length, tasks: traces.length }, 'dataset written');
  }
}

function folderOf({ outDir }: RunFlags): string {
  if (outDir !== undefined) return outDir;
  throw new UserError(
    'ARC_OUT_DIR_MISSING',
    'this switch needs --out-dir, the folder of traces and datasets',
    'A run with --critic-batch-run --out-dir FOLDER writes the traces.',
  );
}

async function search(
  flags: RunFlags,
  settings: Settings,
  reporter: Reporter,
  log: EventLog,
): Promise<ExitCode> {
  const folder = flags.criticBatchRun ? folderOf(flags) : undefined;
  const options = optionsOf(flags);
  const file = locate(flags.batchFile, flags.data);
  const batch = loadBatch(file);
  const entries = batch.slice(0, flags.maxTasks ?? batch.length);
  using memory = openMemory(flags.trainNamespace);
  const write = logEvents(log, { notes: settings.log_file !== undefined });
  const abort = new AbortController();
  const interrupt = (): void => {
    if (abort.signal.aborted) process.exit(ExitCode.notAll);
    abort.abort();
    reporter.talk(
      'orch: stopping after the current tasks (Ctrl-C again stops at once); --resume continues\n',
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  try {
    const result = await runBatch(entries, {
      settings,
      options,
      version: `${packageVersion()} ${comparatorVersion}`,
      source: file,
      workers: flags.workers,
      resume: flags.resume,
      failFast: flags.failFast,
      signal: abort.signal,
      models: modelsOf(options),
      told: toldAgain(flags),
      ...(memory !== undefined && {
        memory: memory.digest(),
        recall: recalling(readMemory(memory), options.memory),
      }),
      onEnded: (row, done, of) => logFailure(log, row, done, of),
      listen: (event) => {
        reporter.event(event);
        write(event);
      },
    });
    writeOutputs(result, {
      rows: flags.outJsonl,
      metrics: flags.metricsJson,
      traces: flags.traceJsonl,
      criticBuffer: flags.criticBufferJsonl,
      studentBuffer: flags.rulerStudentBufferJsonl,
      folder,
    });
    if (memory !== undefined) keep(memory, result, options, flags.deltaThreshold);
    reporter.close();
    process.stderr.write(summary(metricsOf(result), result));
    const isDone = result.complete && result.rows.every(({ solved }) => solved);
    return isDone ? ExitCode.done : ExitCode.notAll;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
  }
}

/** Options that `orch resume` must restore; it chooses its own reporter. */
function toldAgain(flags: RunFlags): Readonly<Record<string, unknown>> {
  const { reporter: _, ledger: __, logLevel: ___, logFile: ____, resume: _____, ...told } = flags;
  return told;
}

/** Every file and folder that a run writes to. */
function outputsOf(flags: RunFlags): string[] {
  return [
    flags.outJsonl,
    flags.metricsJson,
    flags.traceJsonl,
    flags.criticBufferJsonl,
    flags.rulerStudentBufferJsonl,
    flags.outDir,
  ].filter((file) => file !== undefined);
}

function recalling(memory: Remembered, limits: MemoryLimits): (task: Task) => TaskMemory {
  return (task) => ({
    ruler: retrieveForRuler(memory, task, limits),
    critic: retrieveForCritic(memory, task, limits),
  });
}

/** Every trace with its task; a malformed task has none. */
function tracedTasks({ entries, traces }: LoopResult): { trace: TaskTrace; task: Task }[] {
  const tasks = new Map(
    entries.flatMap((entry: BatchEntry) => (entry.kind === 'task' ? [[entry.id, entry.task]] : [])),
  );
  return traces.flatMap((trace) => {
    const task = tasks.get(trace.task_id);
    return task === undefined ? [] : [{ trace, task }];
  });
}

/** Saves the results of the batch in order; the run itself used the memory from before the batch. */
function keep(memory: ArcMemoryStore, result: LoopResult, options: LoopOptions, threshold: number): void {
  remember(memory, tracedTasks(result), options, threshold);
}

/** The loop's options; all other flags concern input, output and reports. */
export function optionsOf(flags: RunFlags): LoopOptions {
  if (flags.criticCheckpoint !== 'builtin') noTrainedCritic();
  if (
    flags.teacher === 'off' &&
    flags.rulerCheckpoint === 'builtin' &&
    flags.enhancedRulerCheckpoint === undefined
  )
    throw new UserError(
      'ARC_NO_RULER',
      'no ruler proposes rules: the built-in teacher is off and no other ruler is set',
      'Set --ruler-checkpoint or --enhanced-ruler-checkpoint, or leave --teacher on.',
    );
  return {
    iters: flags.iters ?? flags.loopIters,
    candidateK: flags.KDrafts ?? flags.candidateK,
    editK: flags.editK,
    editTopM: flags.editTopM,
    maxNodes: flags.maxNodes,
    teacher: flags.teacher === 'on',
    seed: flags.seed,
    describer: checkpointOf('describer', flags.describerCheckpoint),
    ruler: checkpointOf('ruler', flags.rulerCheckpoint),
    enhancedRuler:
      flags.enhancedRulerCheckpoint === undefined
        ? null
        : checkpointOf('enhanced-ruler', flags.enhancedRulerCheckpoint),
    memory: {
      k: flags.memoryK,
      episodes: flags.memoryKEpisodes,
      cases: flags.memoryKCases,
      solvedExamples: flags.memoryKSolvedExamples,
      repairCases: flags.memoryKRepairCases,
      maxBytes: flags.memoryMaxBytes,
    },
  };
}

function logFailure(log: EventLog, { task_id, failure }: LoopRow, done: number, of: number): void {
  if (failure !== null) log.error({ task_id, ...failure, done, of }, 'task failed');
}

function summary(
  { tasks, failed, solved_on_train, confident, nodes, scored }: RunMetrics,
  { complete, recovered }: BatchResult,
): string {
  const before = recovered > 0 ? ` (${recovered} by earlier runs)` : '';
  const lines = [
    `${plural(tasks, 'task')}${before}${complete ? '' : ', stopped early'}: ${solved_on_train} solved on training pairs, ${confident} confident, ${failed} failed; ${plural(nodes, 'node')}`,
  ];
  if (scored.tasks > 0)
    lines.push(
      `${scored.solved_pass_2} of ${scored.tasks} right on the test (first attempt alone: ${scored.solved_pass_1}); of the confident ones ${scored.confident_solved}`,
    );
  return `${lines.join('\n')}\n`;
}
