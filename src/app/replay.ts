import { type AloneAttempt, attemptAlone } from '../core/scheduler/single-attempt.ts';
import { notNull, UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { cacheStrategyName } from '../lean/cache/arms.ts';
import type { LeanStrategy } from '../lean/strategies/strategy.ts';
import type { Candidate } from '../lean/workbench/candidate.ts';
import { proofOf } from '../lean/workbench/script.ts';
import { type LeanGoal, leanGoalIn } from '../lean/goals/goal.ts';
import type { EventOf } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { runCommand, solveCommand } from './arc/solve-defaults.ts';
import { settingsOf } from './unfinished-runs.ts';
import { settingFlags } from '../config/flags.ts';
import { escaped } from '../shared/for-people.ts';
import { openArms } from './engine.ts';
import { openLean } from './lean.ts';
import { settingsFrom } from './settings.ts';
import { ledgerOf } from './ledger.ts';
import { systemClock } from '../core/clock.ts';
import { seedFrom } from '../core/rng.ts';
import { imageFor } from '../lean/project/image-choice.ts';

export interface ReplayOptions {
  readonly ledger?: string;
  readonly json?: true;
}

/** An attempt as recorded in the ledger. */
interface Recorded {
  readonly attempt: EventOf<'attempt-finished'>;
  readonly goal: LeanGoal;
  readonly run: EventOf<'run-started'>;
}

export async function replay(id: string, options: ReplayOptions): Promise<ExitCode> {
  const flags = settingFlags({ ...options });
  await using ledger = await ledgerOf(settingsFrom(flags), { readOnly: true });
  const { attempt, goal, run } = await recorded(ledger, id);
  const settings = settingsFrom(flags, settingsOf({ settings: run.settings ?? {} }));
  await using lean = await openLean(settings, { image: imageFor(goal), slots: 1 });
  const { freshDomain, strategies } = await openArms(settings, lean);
  const domain = freshDomain();
  const again = await attemptAlone(
    { domain, clock: systemClock, signal: new AbortController().signal },
    goal,
    isKnownScript(attempt) ? [remembered(attempt, domain.rows.recall.artifact)] : strategies,
    attempt.arm,
    { limits: attempt.params, seed: seedFrom(run.seed, attempt.goal, attempt.arm) },
  );
  if (again.kind !== 'attempted') {
    const why =
      again.kind === 'no-arm' ? `no strategy offers ${attempt.arm} for this goal now` : again.message;
    process.stderr.write(escaped`orch: ${attempt.goal}: ${why}\n`);
    return ExitCode.unknown;
  }
  const comparison = compareTo(attempt, again.attempt);
  process.stdout.write(options.json ? `${JSON.stringify(comparison)}\n` : describe(comparison));
  return comparison.same ? ExitCode.done : ExitCode.notAll;
}

/** The id of an attempt starts with its run's, so only that run is read. */
async function recorded({ journal }: Ledger, id: string): Promise<Recorded> {
  const events = await journal.eventsOf(id.slice(0, Math.max(0, id.lastIndexOf('-'))));
  const run = events.find((event) => event.type === 'run-started');
  const attempt = events.find((event) => event.type === 'attempt-finished' && event.attempt === id);
  if (!run || attempt?.type !== 'attempt-finished')
    throw new UserError(
      'no-such-attempt',
      `the ledger has no finished attempt ${id}`,
      'orch why GOAL --json lists the attempts on a goal.',
    );
  const added = events.find((event) => event.type === 'goal-added' && event.goal === attempt.goal);
  if (run.command === solveCommand || run.command === runCommand || added?.type !== 'goal-added')
    throw new UserError(
      'no-lean-attempt',
      `${id} is not an attempt on a Lean goal`,
      'Solve its task again with orch arc solve.',
    );
  return { run, attempt, goal: leanGoalIn(added.task) };
}

/** Attempts without a search: from the cache, or combined from a plan and the proofs of its lemmas. */
function isKnownScript({ strategy, params }: EventOf<'attempt-finished'>): boolean {
  return strategy === cacheStrategyName || params.cpu_seconds === 0;
}

/** The script itself, for the gate. */
function remembered(
  { arm, signature, params, tactics }: EventOf<'attempt-finished'>,
  recall: (proof: string) => Candidate | null,
): LeanStrategy {
  const proof = params.cpu_seconds === 0 ? (tactics[0] ?? '') : proofOf(tactics.join('\n'));
  const spent = { cpuSeconds: 0, peakBytes: 0, tactics, nextGoals: [], premises: [], cacheHits: 1 };
  return {
    name: cacheStrategyName,
    slot: 'light',
    tier: 0,
    budget: { cpu_seconds: 0, heartbeats: 0 },
    ready: async () => ({ ready: true }),
    arms: () => [{ name: arm, signature }],
    attempt: async () => ({ ...spent, kind: 'solved', candidate: notNull(recall(proof)) }),
  };
}

interface Comparison {
  readonly attempt: string;
  readonly goal: string;
  readonly arm: string;
  readonly before: Ending;
  readonly now: Ending & { readonly proof: string | null };
  readonly same: boolean;
  /** Changes since then that may explain a different outcome. */
  readonly changed: readonly string[];
}

interface Ending {
  readonly outcome: string;
  readonly cpu_seconds: number;
  readonly message: string | null;
}

function compareTo(before: EventOf<'attempt-finished'>, now: AloneAttempt): Comparison {
  const { attempt, goal, arm, outcome, cpu_seconds, error, fingerprint, signature } = before;
  return {
    attempt,
    goal,
    arm,
    before: { outcome, cpu_seconds, message: error },
    now: {
      outcome: now.outcome,
      cpu_seconds: now.cpuSeconds,
      message: now.message,
      proof: now.outcome === 'solved' ? now.proof : null,
    },
    same: outcome === now.outcome,
    changed: [
      ...(fingerprint === now.facts.fingerprint ? [] : ['its environment']),
      ...(signature.startsWith(now.signature) ? [] : ['the arm']),
    ],
  };
}

function describe({ attempt, goal, arm, before, now, same, changed }: Comparison): string {
  const notes = changed.length === 0 ? [] : [`  changed since then: ${changed.join(', ')}`];
  const proof = now.proof?.split('\n').map((text) => escaped`        ${text}`) ?? [];
  const lines = [
    escaped`${attempt}: ${arm} on ${goal}`,
    line('then', before),
    line('now ', now),
    ...proof,
    ...notes,
  ];
  return `${lines.join('\n')}\n${same ? '✓ same outcome as before' : '✗ different outcome'}\n`;
}

function line(when: string, { outcome, cpu_seconds, message }: Ending): string {
  const why = message === null ? '' : `: ${message.split('\n', 1)[0]}`;
  return escaped`  ${when}  ${outcome}, ${cpu_seconds.toFixed(2)} CPU-s${why}`;
}
