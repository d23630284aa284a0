import { escaped } from '../shared/for-people.ts';
import os from 'node:os';
import path from 'node:path';
import { ExitCode } from '../core/exit.ts';
import type { RunEvent } from '../shared/events.ts';
import { settingFlags } from '../config/flags.ts';
import type { RunOptions } from './run.ts';
import { Session } from './session.ts';
import { openLean } from './lean.ts';
import { ledgerOf, openWorkerQueue, remoteVersion } from './ledger.ts';
import { settingsFrom } from './settings.ts';
import { workersOf } from '../config/schema.ts';
import { Places } from '../lean/remote/grounds.ts';
import { RemoteWorker } from '../remote/worker.ts';
import { UserError } from '../core/errors.ts';
import { talk } from '../reporters/talk.ts';

export interface WorkerOptions extends RunOptions {
  readonly name?: string;
  readonly project: readonly string[];
  readonly idle?: number;
  readonly queue?: string;
}

export async function worker(options: WorkerOptions): Promise<ExitCode> {
  const settings = settingsFrom(settingFlags({ ...options }));
  await using ledger = await ledgerOf(settings);
  await using queue = await openWorkerQueue(options.queue ?? settings.ledger);
  const version = remoteVersion();
  await refuseSkew(queue, version);
  await using lean = await openLean(settings, { image: 'std' });
  await using session = new Session({ settings, lean, ledger });
  const name = options.name ?? `${os.hostname()}-${process.pid}`;
  const choice = {
    command: 'worker',
    label: name,
    sources: [],
    seed: options.seed,
    timeout: null,
    staysOpen: true,
    isClaiming: true,
  };
  let hear: ((event: RunEvent) => void) | undefined;
  const engine = await session.begin({ goals: [], unreadable: [] }, choice, [(event) => hear?.(event)]);
  const projects = options.project.map((folder) => path.resolve(folder));
  const places = new Places({ pool: lean.pool, version }, projects);
  const claiming = new RemoteWorker({
    queue,
    engine,
    name,
    slots: workersOf(settings),
    placeFor: async (ground) => await places.placeFor(ground),
    idleMs: options.idle === undefined ? null : options.idle * 1000,
    say: talk,
  });
  hear = claiming.hear;
  let signals = 0;
  const onSignal = (): void => (++signals === 1 ? claiming.drain() : engine.stop());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  process.stderr.write(escaped`worker ${name}: ready\n`);
  await Promise.all([engine.run(), claiming.run()]);
  await claiming.leave();
  return ExitCode.done;
}

/** All active coordinators run another version, so this worker would never claim a goal. */
async function refuseSkew(
  queue: { grounds(): Promise<readonly { readonly version: string; readonly isWanted: boolean }[]> },
  version: string,
): Promise<void> {
  const wanted = (await queue.grounds()).filter(({ isWanted }) => isWanted);
  if (wanted.length === 0 || wanted.some((ground) => ground.version === version)) return;
  throw new UserError(
    'version-skew',
    `the active runs of this ledger use orch ${wanted.map((ground) => ground.version).join(', ')}, and this is orch ${version}`,
    'Install the same version here.',
  );
}
