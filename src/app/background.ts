import path from 'node:path';
import { makeFolders } from '../core/folders.ts';
import { type LeanEngine, usesScripts } from './engine.ts';
import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import { isPostgresUrl } from '../store/ledger/place.ts';
import type { Proved } from '../lean/goals/goal.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { type ShipFlags, shipSolved, openYard } from './ship.ts';
import { settingsFrom } from './settings.ts';
import { withFreeFileLock } from '../io/file-lock.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { prove } from './reported-run.ts';
import { GoalWatch } from '../lean/writing/goal-watch.ts';
import { openMarket } from './market.ts';
import { standingOf } from '../lean/market/standing.ts';
import { TicketWork } from '../lean/market/ticket-work.ts';
import { hasLibraryOf, imageFor } from '../lean/project/image-choice.ts';
import { pullQuietly, pushQuietly } from './caches.ts';
import { talk } from '../reporters/talk.ts';

export interface BackgroundOptions extends RunOptions, ShipFlags {
  readonly duration?: number;
  readonly ship?: true;
}

/** Runs until it is stopped, which is success. One per ledger: two would do the same work twice. */
export async function background(named: readonly string[], options: BackgroundOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options }));
  // a database has no folder: one per working folder instead
  const place = isPostgresUrl(settings.ledger) ? '.orch/postgres' : settings.ledger;
  const lock = `${path.resolve(place)}.bg`;
  makeFolders(path.dirname(lock));
  const done = await withFreeFileLock(lock, async () => await workInBackground(named, options, settings));
  if (done) return ExitCode.done;
  throw new UserError(
    'bg-running',
    `another orch bg is already running here (${lock} says which)`,
    'Stop it, or use another ledger with --ledger FILE.',
  );
}

export async function workInBackground(
  named: readonly string[],
  options: BackgroundOptions,
  settings: Settings,
): Promise<void> {
  const watch = GoalWatch.open(named);
  const image = imageOfFiles(watch.files);
  await using open = await openMarket(settings, { create: true });
  const tickets = new TicketWork(open.market, (ticket) => hasLibraryOf(image, imageFor(standingOf(ticket))));
  const shares = usesScripts(settings, 'bg');
  if (shares) await pullQuietly(settings, options.remote);
  const shipping = options.ship ? new Shipping(settings, options) : undefined;
  await prove({
    settings,
    reporter: options.reporter,
    choice: {
      command: 'bg',
      label: options.label,
      sources: watch.files,
      seed: options.seed,
      timeout: options.duration ?? null,
      staysOpen: true,
    },
    image,
    goals: async (lean) => await watch.read(lean),
    accompany: async (engine, lean, outcomes) => {
      const unwatch = await watch.follow(engine, lean);
      const stop = shipping?.follow(engine, () => outcomes().proved);
      const stopWorking = tickets.follow(engine, lean.gate, outcomes);
      return async () => {
        await stopWorking();
        await stop?.();
        await unwatch();
      };
    },
    afterwards: async (outcomes, { gate }) => {
      await tickets.deliver(outcomes, gate);
      await shipping?.finish(outcomes.proved);
      if (shares && shipping) await pushQuietly(settings, options.remote);
    },
  });
}

/** Interval between checks for new proofs. */
const shipMs = 30_000;

/** Ships proofs during a run. A problem (uncommitted changes, no remote) is reported once and retried later. */
class Shipping {
  readonly #settings: Settings;
  readonly #options: BackgroundOptions;
  #shipped = 0;
  #said = '';

  constructor(settings: Settings, options: BackgroundOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  follow(engine: LeanEngine, proved: () => readonly Proved[]): () => Promise<void> {
    let last = Promise.resolve();
    const timer = setInterval(() => {
      last = last.then(async () => await this.#ship(proved(), (text) => engine.note('info', text)));
    }, shipMs);
    return async () => {
      clearInterval(timer);
      await last;
    };
  }

  async finish(proved: readonly Proved[]): Promise<void> {
    await this.#ship(proved, talk);
  }

  async #ship(proved: readonly Proved[], tell: (text: string) => void): Promise<void> {
    if (proved.length === this.#shipped) return;
    try {
      const results = await shipSolved(this.#settings, await openYard(this.#options));
      for (const { name, result, url, message } of results)
        if (result !== 'unchanged') tell(`${result}: ${name} ${url ?? message}`);
      if (!results.some(({ result }) => result === 'failed')) this.#shipped = proved.length;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (error.message !== this.#said) tell(`not shipped yet: ${error.message}`);
      this.#said = error.message;
    }
  }
}
