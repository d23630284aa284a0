import { workersOf, type Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import { Environments } from '../lean/workers/environments.ts';
import { Gate, stages } from '../lean/gate/gate.ts';
import { SecondOpinions } from '../lean/gate/second-opinion.ts';
import type { Builder, BuildProgress } from '../lean/project/build.ts';
import { embeddedBuilder } from '../lean/project/embedded-builder.ts';
import { refuseOtherVersions } from '../lean/project/version.ts';
import { keptWorkers } from '../lean/workers/kept.ts';
import { LeanPool } from '../lean/workers/pool.ts';
import { LibraryCache } from '../lean/second-kernel/library-cache.ts';
import { SecondKernel } from '../lean/second-kernel/second-kernel.ts';
import type { BuiltStage, ImageName } from '../lean/toolchain/embedded/embedded.ts';
import { leanVersion } from '../lean/toolchain/embedded/lean-package.ts';
import { chooseLean, resolveToolchain } from '../lean/toolchain/resolve.ts';
import { describeToolchain, type Toolchain } from '../lean/toolchain/toolchain.ts';
import { setupProgress } from '../reporters/progress.ts';
import { setUpInBackground } from './background-setup.ts';
import { leanCacheFolder, noticeOnce, secondKernelFolder } from './settings.ts';

/** The Lean that the settings choose, set up. */
export async function openToolchain(
  settings: Settings,
  { image, quick = false, onBuilt }: Pick<LeanChoice, 'image' | 'quick' | 'onBuilt'>,
): Promise<Toolchain> {
  const progress = setupProgress(process.stderr);
  return await resolveToolchain({
    lean: settings.lean,
    folder: process.cwd(),
    cacheFolder: leanCacheFolder(settings),
    environment: process.env,
    image,
    codeLater: quick,
    onProgress: progress.update,
    ...(onBuilt && { onBuilt }),
    onIgnored: noticeOnce,
  }).finally(progress.done);
}

export interface LeanChoice {
  readonly image: ImageName;
  /** The files to work on: their projects may need another Lean. */
  readonly files?: readonly string[];
  readonly slots?: number;
  readonly spare?: boolean;
  /** For short commands: the first answer does not wait for caches that only speed up later starts. */
  readonly quick?: boolean;
  /** Receives each stage of the embedded Lean that had to be built. */
  readonly onBuilt?: (stage: BuiltStage) => void;
  /** A worker above this resident size is replaced before its next request. */
  readonly recycleBytes?: number | undefined;
}

/** Workers that search for proofs, and a gate with its own judges. */
export interface Lean {
  readonly pool: LeanPool;
  readonly gate: Gate;
  /** Announces preambles that will be used; those with a common beginning share the loading. */
  expect(preambles: Iterable<string>): void;
  /** After the last answer of a Lean opened as `quick`: builds, in the background, the caches that speed up later starts. */
  prepareLaterStarts(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Opens Lean as the settings say; sets up the embedded one first if needed. */
export async function openLean(
  settings: Settings,
  { image, files = [], slots, spare = false, quick = false, onBuilt, recycleBytes }: LeanChoice,
): Promise<Lean> {
  refuseOtherLean(settings, files);
  const toolchain = await openToolchain(settings, { image, quick, ...(onBuilt && { onBuilt }) });
  const count = slots ?? workersOf(settings);
  const builder = builderFor(settings, toolchain, { image, slots: count });
  const environments = new Environments(toolchain, builder, settings.lake_build === 'on');
  const pool = new LeanPool(toolchain, systemClock, {
    slots: count,
    spare,
    environments,
    kept: keptWorkers.elaborators,
    ...(recycleBytes !== undefined && { recycleBytes }),
  });
  const judges = new LeanPool(toolchain, systemClock, {
    // judging a file takes about half as long as elaborating it
    slots: Math.max(1, Math.floor(count / 2)),
    spare: false,
    kept: keptWorkers.judges,
  });
  const library = new LibraryCache(judges, secondKernelFolder(settings));
  const second = new SecondOpinions(new SecondKernel(library), settings.second_kernel);
  const close = async (): Promise<void> => {
    await Promise.all([pool.close(), judges.close(), second.close()]);
  };
  return {
    pool,
    gate: new Gate(pool, judges, stages, second),
    expect(preambles) {
      const all = [...preambles];
      pool.preambles.expect(all);
      judges.preambles.expect(all);
    },
    async prepareLaterStarts() {
      if ((await toolchain.hasFastStart?.()) === false) setUpInBackground(settings, image);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Checks early, before anything costs time, that the chosen Lean can work on the files' projects. */
export function refuseOtherLean(settings: Settings, files: readonly string[]): void {
  if (settings.lean === 'embedded') return;
  const { lean } = settings;
  const choice = chooseLean({
    lean,
    folder: process.cwd(),
    environment: process.env,
    onIgnored: noticeOnce,
  });
  if (choice === 'embedded') refuseOtherVersions(files, leanVersion);
}

/** Compiles the modules of projects; with a native Lean, Lake does it. */
export function builderFor(
  settings: Settings,
  toolchain: Toolchain,
  { image, slots }: Required<Pick<LeanChoice, 'image' | 'slots'>>,
): Builder | undefined {
  if (toolchain.kind !== 'embedded') return undefined;
  const progress = setupProgress(process.stderr, 'Building');
  return embeddedBuilder(
    { cacheFolder: leanCacheFolder(settings), image, onProgress: progress.update },
    {
      toolchain: describeToolchain(toolchain),
      anyVersion: settings.lean === 'embedded',
      maxBytes: settings.cache_max * 1e9,
      slots,
      clock: systemClock,
      onProgress: (built) =>
        built.done < built.total ? progress.update(buildProgress(built)) : progress.done(),
    },
  );
}

function buildProgress({ module, done, total, secondsLeft }: BuildProgress) {
  return {
    step: 'build',
    text: `${module} (${done + 1} of ${total})`,
    fraction: done / total,
    ...(secondsLeft !== undefined && { secondsLeft }),
  };
}
