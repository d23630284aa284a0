import { asTyped } from '../core/invocation.ts';
import { escaped } from '../shared/for-people.ts';
import { ledgerOf, refuseImpossibleLedger } from './ledger.ts';
import { newRunId, type RunChoice } from './run.ts';
import { openDispatch, type LeanEngine } from './engine.ts';
import { Session } from './session.ts';
import { openLean, type Lean } from './lean.ts';
import { ExitCode } from '../core/exit.ts';
import { systemClock } from '../core/clock.ts';
import type { Settings } from '../config/schema.ts';
import { openLog } from '../io/log.ts';
import { type GoalsRead, type Outcomes, type Proved, leanGoalIn } from '../lean/goals/goal.ts';
import type { ImageName } from '../lean/toolchain/embedded/embedded.ts';
import { withSmallerImage } from '../lean/project/image-choice.ts';
import { reporterFor } from '../reporters/reporters.ts';
import { logEvents } from '../reporters/log.ts';
import { RunSoFar } from '../reporters/record.ts';
import type { Reporter, ReporterName, Streams } from '../reporters/reporter.ts';
import { resultsOf, writeResults } from '../reporters/results.ts';
import type { RunEvent, RunFinished } from '../shared/events.ts';
import type { RunProofs } from '../lean/writing/run-proofs.ts';
import type { WorkersChoice } from './run.ts';
import { talk } from '../reporters/talk.ts';

/**
 * The common part of `bank`, `run`, `bg`, `resume` and `sanity`, which differ only in their goals and in when
 * they end.
 */
export interface Proving {
  readonly choice: RunChoice;
  readonly settings: Settings;
  /** No output: the caller reports the result. */
  readonly reporter?: ReporterName | 'silent' | undefined;
  readonly image: ImageName;
  readonly goals: (lean: Lean) => Promise<GoalsRead>;
  /** The record of the continued run, which the results include. */
  readonly before?: readonly RunEvent[];
  /** Called while the engine runs, to watch files and add goals. The returned function stops it. */
  readonly accompany?: (
    engine: LeanEngine,
    lean: Lean,
    outcomes: () => Outcomes,
  ) => Promise<() => Promise<void>>;
  /** Called when all goals are closed: adds further goals, or handles the proofs so far. */
  readonly more?: (engine: LeanEngine, lean: Lean, found: RunProofs, isOver: boolean) => Promise<boolean>;
  /** The message if there is nothing to prove. */
  readonly nothing?: string;
  /** When stdout is not for the reporter. */
  readonly reportsOn?: Streams;
  /** Handles the outcomes after the run has ended. */
  readonly afterwards?: (outcomes: Outcomes, lean: Lean) => Promise<void>;
  /** Whether goals are worked on here or by remote workers. */
  readonly workers?: WorkersChoice | undefined;
  /** Folder and prefix of the results file, if any. */
  readonly results?: { readonly folder: string; readonly kind: string };
}

/** For resuming a run with remote workers: answered jobs are not sent again. */
export function remoteOptions(workers: WorkersChoice | undefined): Pick<RunChoice, 'options'> {
  return workers === 'remote' ? { options: { workers, scope: newRunId() } } : {};
}

function scopeOf({ options }: RunChoice): string {
  const scope = options?.['scope'];
  return typeof scope === 'string' ? scope : newRunId();
}

/** The end of the run; undefined if there was nothing to prove. */
export async function prove(proving: Proving): Promise<RunFinished | undefined> {
  const { choice, settings } = proving;
  await refuseImpossibleLedger(settings);
  const record = new RunSoFar();
  for (const event of proving.before ?? []) record.apply(event);
  await using lean = await withSmallerImage(
    proving.image,
    async (image) => await openLean(settings, { image, files: choice.sources }),
    talk,
  );
  const { goals, unreadable, warnings = [] } = await proving.goals(lean);
  if (goals.length + unreadable.length === 0 && !choice.staysOpen && choice.resumes === undefined) {
    const { nothing = 'no sorry is left' } = proving;
    process.stderr.write(escaped`orch: nothing to prove in ${choice.sources.join(', ')}: ${nothing}\n`);
    return undefined;
  }
  await using ledger = await ledgerOf(settings);
  await using session = new Session({ settings, lean, ledger });
  const facts = { clock: systemClock, environment: process.env };
  const reporter =
    proving.reporter === 'silent'
      ? silentReporter
      : reporterFor(proving.reporter, proving.reportsOn ?? process, facts);
  let finished: RunFinished;
  try {
    const log = openLog({
      level: settings.log_level,
      file: settings.log_file,
      talk: reporter.talk,
      environment: process.env,
    });
    await using dispatch =
      proving.workers === 'remote' ? await openDispatch(settings, lean, scopeOf(choice)) : undefined;
    const engine = await session.begin(
      { goals, unreadable },
      { ...choice, dispatch, proved: provedIn(record) },
      [
        (event) => record.apply(event),
        reporter.event,
        logEvents(log, { notes: settings.log_file !== undefined }),
      ],
    );
    for (const text of warnings) engine.note('warning', text);
    const unhook = handleSignals(engine, dispatch !== undefined);
    const undo = await proving.accompany?.(engine, lean, () => outcomesIn(record));
    try {
      finished = await engine.run(
        async (isOver) => (await proving.more?.(engine, lean, foundIn(record), isOver)) ?? false,
      );
    } finally {
      await undo?.();
      unhook();
    }
  } finally {
    reporter.close();
    const results = proving.results && resultsOf(record);
    if (proving.results && results) {
      const file = writeResults(proving.results.folder, proving.results.kind, results);
      process.stderr.write(`results: ${file}\n`);
    }
  }
  await proving.afterwards?.(outcomesIn(record), lean);
  return finished;
}

function foundIn(record: RunSoFar): RunProofs {
  const waiting = [...record.goals.values()].filter(
    ({ closed, restsOnSorry }) => restsOnSorry && closed?.solved === false && closed.refuted === null,
  );
  return {
    proved: provedIn(record),
    given: givenIn(record),
    waiting: new Set(waiting.map(({ added }) => added.goal)),
  };
}

const outcomesIn = (record: RunSoFar): Outcomes => ({
  proved: provedIn(record),
  given: givenIn(record),
  refuted: refutedIn(record),
});

function provedIn({ goals }: RunSoFar): Proved[] {
  return [...goals.values()].flatMap(({ added, closed }) =>
    closed?.solved && closed.proof !== null ? [{ goal: leanGoalIn(added.task), proof: closed.proof }] : [],
  );
}

/** Goals that were proved only from open theorems. */
function givenIn({ goals }: RunSoFar): Proved[] {
  return [...goals.values()].flatMap(({ added, closed }) =>
    closed?.given
      ? [{ goal: leanGoalIn(added.task), proof: closed.given.proof, given: closed.given.assumes }]
      : [],
  );
}

function refutedIn({ goals }: RunSoFar): Map<string, string> {
  return new Map(
    [...goals.values()].flatMap(({ added, closed }) =>
      closed && closed.refuted !== null ? [[added.goal, closed.refuted] as const] : [],
    ),
  );
}

/**
 * 0: every goal is solved. An interrupted or timed-out run counts as not solved. A retried goal appears twice in the totals; its first outcome does not count.
 */
export function exitCodeOf(finished: RunFinished | undefined, again = 0): ExitCode {
  if (finished === undefined) return ExitCode.done;
  return finished.goals_solved + again === finished.goals_total ? ExitCode.done : ExitCode.notAll;
}

/** One Ctrl-C, or SIGTERM, lets the attempts in flight finish; a second one cancels them. Goals at remote workers are withdrawn at once. */
function handleSignals(engine: LeanEngine, isRemote: boolean): () => void {
  let count = 0;
  const onSignal = (): void => {
    if (++count > 1 || isRemote) {
      if (count === 1)
        engine.note(
          'info',
          asTyped('stopping and withdrawing the goals from the workers; orch resume continues'),
        );
      engine.stop();
      return;
    }
    engine.note(
      'info',
      asTyped('stopping after the running attempts (Ctrl-C again stops at once); orch resume continues'),
    );
    engine.drain();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  return () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  };
}

const silentReporter: Reporter = {
  name: 'plain',
  event: () => undefined,
  talk: (text) => void process.stderr.write(text),
  close: () => undefined,
};
