import { stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../core/clock.ts';
import { Child, type SpawnRequest } from '../../../io/child.ts';
import { ensureStage, isIntact, markUsed, stageFolder, type BuildStage } from '../../../io/stage.ts';
import { makeRoom } from '../../../io/stage-trim.ts';
import { moduleNameParts } from '../../base/module-names.ts';
import { LeanWorker } from '../worker.ts';
import type { Importing } from '../toolchain.ts';
import { heapAttempts } from './warm-up.ts';

export interface ProjectImageOptions {
  readonly cacheFolder: string;
  /** Identifies the base image, the visible modules and the options. */
  readonly key: string;
  readonly importing: Importing;
  /** The folder of the base image. */
  readonly base: string;
  /** Size limit of the cache folder. */
  readonly maxBytes: number;
  /** Starts a worker on the base image that may save its heap into a folder. */
  readonly launch: (saved: string) => Promise<SpawnRequest>;
}

/** A heap with a project's modules is about 1.6 times the size of one with Lean's library alone. */
const growth = 1.6;
/** Time for Lean's task threads to become idle. */
const settleMs = 500;
const limits = { deadlineMs: 120_000 };

/**
 * A heap in which a project's modules are already imported and indexed, for workers that elaborate. It takes
 * about a gigabyte on disk, so it is only built when requested a second time:
 *
 *     none ──first start──▶ wanted once ──second start──▶ there
 *                                 └── no room, it fails ──▶ never, in this process
 *
 * Like every worker that imported the project, it contains data written by the project's code, so no judge
 * starts from one.
 */
export class ProjectImage {
  readonly #options: ProjectImageOptions;
  readonly #stage: BuildStage;
  #starts = 0;
  #isHopeless = false;

  constructor(options: ProjectImageOptions) {
    this.#options = options;
    this.#stage = {
      name: 'image-project',
      key: options.key,
      build: async (folder) => await this.#make(folder),
    };
  }

  /** The image for the next worker, or undefined: then the worker imports the modules itself. */
  async forNextStart(): Promise<BuildStage | undefined> {
    const { cacheFolder } = this.#options;
    const folder = stageFolder(cacheFolder, this.#stage);
    if (await isIntact(folder, this.#stage.key)) {
      await markUsed(folder);
      return this.#stage;
    }
    if (++this.#starts < 2 || this.#isHopeless) return undefined;
    try {
      if (!(await this.#hasRoom())) throw new Error('no room');
      await ensureStage(cacheFolder, this.#stage);
      return this.#stage;
    } catch {
      // the worker that then imports by itself reports the error with Lean's own message
      this.#isHopeless = true;
      return undefined;
    }
  }

  async #hasRoom(): Promise<boolean> {
    const { cacheFolder, base, maxBytes } = this.#options;
    const { size } = await stat(path.join(base, 'heap.bin'));
    const roots = [cacheFolder, path.join(cacheFolder, 'modules')];
    return await makeRoom(roots, size * growth, maxBytes, systemClock.date().getTime());
  }

  async #make(folder: string): Promise<void> {
    const { importing, launch } = this.#options;
    const worker = new LeanWorker(new Child(await launch(folder)), systemClock);
    try {
      if (!(await worker.ready)) throw new Error(`Lean did not start from its snapshot. ${worker.errorTail}`);
      const imports = importing.imports.map((module) => moduleNameParts(module));
      const imported = await worker.request('import', { imports, options: importing.options }, limits);
      if (!imported.ok) throw new Error(imported.message);
      const { session } = imported;
      for (const [statement, proof] of heapAttempts)
        await worker.request('check', { session, statement, proof, code: true }, limits);
      await sleep(settleMs);
      const saved = await worker.request('save-image', {}, limits);
      if (!saved.ok) throw new Error(saved.message);
    } finally {
      worker.kill();
      await worker.exited;
    }
  }
}
