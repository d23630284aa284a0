import { randomBytes } from 'node:crypto';
import os from 'node:os';
import { packageVersion } from '../config/package.ts';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import type { EventBus } from '../core/events.ts';
import { deeplyWithoutSecrets, secretsOf } from '../core/secrets.ts';
import type { Memory } from '../core/scheduler/domain.ts';
import { claimantOf, claimSeconds } from '../core/scheduler/lemma-ticket.ts';
import { heartbeatMs, thisProcess } from '../io/owner.ts';
import { projectName } from '../lean/project/lake.ts';
import { judgeVersion } from '../lean/gate/judge-version.ts';
import type { LeanGoal, Proved } from '../lean/goals/goal.ts';
import type { Market } from '../lean/market/market.ts';
import { asClaim } from '../remote/claim.ts';
import type { Dispatch } from '../remote/dispatch.ts';
import type { RunStarted } from '../shared/events.ts';
import type { ReporterName } from '../reporters/reporter.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { patient } from '../store/ledger/patient.ts';
import { talk } from '../reporters/talk.ts';

export interface RunChoice {
  readonly command: string;
  /** The label that the user gave it. */
  readonly label?: string | undefined;
  readonly sources: readonly string[];
  readonly seed: number;
  /** Wall-clock seconds; null: until stopped. */
  readonly timeout: number | null;
  readonly staysOpen?: boolean;
  readonly resumes?: string | undefined;
  /** Options that `resume` must restore besides settings. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Repeats attempts that failed in earlier runs. */
  readonly forgetsTried?: boolean;
  /** Uses no proofs of earlier runs, because it competes with them; its own become scripts for later runs. */
  readonly competes?: boolean;
  /** Sends the goals to workers on other machines; without it they are worked on here. */
  readonly dispatch?: Dispatch<LeanGoal> | undefined;
  /** Proofs of the run that it continues. */
  readonly proved?: readonly Proved[];
  /** Proofs found here are claims that another process judges. */
  readonly isClaiming?: boolean;
}

/** An unattended run waits for free disk space; any other reports a full disk at once. */
export function journalFor(
  { journal }: Ledger,
  { staysOpen, isClaiming }: RunChoice,
): Pick<Ledger['journal'], 'append'> {
  if (isClaiming) return { append: async (events) => await journal.append(events.map(asClaim)) };
  if (!staysOpen) return journal;
  return patient(journal, {
    sleep: async (ms) => await new Promise((resolve) => setTimeout(resolve, ms)),
    told: talk,
  });
}

/** The data that a run records at its start. */
interface RunParts extends Pick<RunStarted, 'toolchain' | 'strategies' | 'learned'> {
  readonly settings: Settings;
  readonly shares: { readonly workers: number; readonly max_light: number; readonly cpu_target?: number };
  readonly choice: RunChoice;
}

export function startOf({ settings, shares, choice, toolchain, strategies, learned }: RunParts): RunStarted {
  const project = projectName(process.cwd());
  return {
    command: choice.command,
    ...(choice.label !== undefined && { label: choice.label }),
    resumes: choice.resumes ?? null,
    seed: choice.seed,
    toolchain,
    version: packageVersion(),
    sources: choice.sources,
    strategies,
    learned,
    settings: deeplyWithoutSecrets({ ...settings }, secretsOf(process.env)),
    ...(choice.options && { options: choice.options }),
    config: {
      profile: settings.profile,
      timeout: choice.timeout,
      goal_cpu: settings.goal_cpu,
      cpu_target: settings.cpu_target,
      cores: os.availableParallelism(),
      ...shares,
      max_heavy: settings.max_heavy,
      escalate_threshold: settings.escalate_threshold,
      policy: settings.policy,
      ucb: settings.ucb,
      ...(project !== undefined && { project }),
    },
  };
}

/** Reports that the run is alive until it ends; `resume` checks this. */
export async function keepBeating({ journal }: Ledger, bus: EventBus): Promise<void> {
  const owner = thisProcess();
  const stop = (): void => clearInterval(timer);
  const timer = setInterval(() => void journal.beat(bus.run, owner).catch(stop), heartbeatMs).unref();
  bus.listen(({ type }) => type === 'run-finished' && stop());
  await journal.beat(bus.run, owner);
}

/** The ledger's memory, as the engine needs it. */
export function memoryOf(
  { experience, tickets, views }: Ledger,
  run: string,
  market: Market | undefined,
): Memory {
  let heard = 0;
  const seen = new Set<string>();
  return {
    tried: async (goalHash, fingerprint) => await experience.tried(goalHash, fingerprint),
    provedBefore: async (goalHash) => {
      const proofs = await experience.provedBefore(goalHash);
      const current = proofs.filter(({ judge }) => judge === judgeVersion());
      const proved = new Set(current.map(({ proof }) => proof));
      return [...(proved.size > 0 ? proved : await experience.provedFromOthers(goalHash))];
    },
    failures: async (goalHash) => (await experience.goalHistory(goalHash)).failures,
    similarTicket: async ({ statement, columns }) => await market?.same({ goal: statement, ...columns }),
    claim: async (id) =>
      market !== undefined && (await market.claim(id, claimantOf(run), claimSeconds)).kind === 'claimed',
    newlySettled: async () => {
      const all = await tickets.all();
      return all.filter(({ ticket_id, status }) => {
        if ((status !== 'completed' && status !== 'refuted') || seen.has(ticket_id)) return false;
        seen.add(ticket_id);
        return true;
      });
    },
    newRequests: async () => {
      const requests = await views.controlRequests(run, heard);
      heard = requests.at(-1)?.seq ?? heard;
      return requests;
    },
  };
}

/** Sorts by time. The random part distinguishes runs started in the same second. */
export function newRunId(): string {
  const time = systemClock.date().toISOString().replaceAll(/[-:T]/g, '').slice(0, 14);
  return `${time.slice(0, 8)}-${time.slice(8)}-${randomBytes(8).toString('hex')}`;
}
/** The options of `addRunOptions` that are not settings. */
export interface RunOptions {
  readonly label?: string;
  readonly seed: number;
  readonly reporter?: ReporterName;
  readonly workers?: WorkersChoice;
}
export type WorkersChoice = 'here' | 'remote';
