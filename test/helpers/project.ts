import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builderFor, type Lean } from '../../src/app/lean.ts';
import { leanCacheFolder, settingsFrom } from '../../src/app/settings.ts';
import { systemClock } from '../../src/core/clock.ts';
import { Environments } from '../../src/lean/workers/environments.ts';
import { Gate } from '../../src/lean/gate/gate.ts';
import { keptWorkers } from '../../src/lean/workers/kept.ts';
import { LeanPool } from '../../src/lean/workers/pool.ts';
import type { Builder } from '../../src/lean/project/build.ts';
import { shareWorkers } from './shared-workers.ts';
import { embeddedLean } from './toolchain.ts';

/** A folder for modules, and a Lean that compiles them without existing build output. */
export class TestProject {
  readonly folder: string;
  readonly builder: Builder;
  readonly lean: Lean;
  /** Modules, in the order in which they were compiled. */
  readonly compiled: string[];
  readonly #unshare: () => void;

  static async open(): Promise<TestProject> {
    const toolchain = await embeddedLean();
    const made = builderFor(settingsFrom(), toolchain, { image: 'init', slots: 1 });
    if (!made) throw new Error('the embedded Lean builds modules');
    const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-build-'));
    const compiled: string[] = [];
    const names = new Set<string>();
    const builder: Builder = {
      ...made,
      // build results of other tests must not be used
      toolchain: `${made.toolchain} ${path.basename(folder)}`,
      onProgress: ({ module }) => {
        if (module === '') return;
        compiled.push(module);
        names.add(module);
      },
    };
    const environments = new Environments(toolchain, builder);
    const plain = { slots: 1, spare: false };
    const { elaborators, judges: keptJudges } = keptWorkers;
    const pool = new LeanPool(toolchain, systemClock, { ...plain, environments, kept: elaborators });
    const judges = new LeanPool(toolchain, systemClock, { ...plain, kept: keptJudges });
    const lean: Lean = {
      pool,
      gate: new Gate(pool, judges),
      expect: () => undefined,
      prepareLaterStarts: async () => undefined,
      [Symbol.asyncDispose]: async () => {
        await Promise.all([pool.close(), judges.close()]);
      },
    };
    const unshare = shareWorkers(() =>
      [...pool.status(), ...judges.status()].flatMap(({ pid }) => pid ?? []),
    );
    return new TestProject(folder, builder, lean, compiled, () => {
      unshare();
      forget(names);
    });
  }

  private constructor(folder: string, builder: Builder, lean: Lean, compiled: string[], unshare: () => void) {
    this.folder = folder;
    this.builder = builder;
    this.lean = lean;
    this.compiled = compiled;
    this.#unshare = unshare;
  }

  write(name: string, text: string): string {
    const file = path.join(this.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async close(): Promise<void> {
    await this.lean[Symbol.asyncDispose]();
    this.#unshare();
    rmSync(this.folder, { recursive: true });
  }
}

/** Removes compiled modules from the cache. */
function forget(names: ReadonlySet<string>): void {
  const modules = path.join(leanCacheFolder(settingsFrom()), 'modules');
  for (const name of readdirSync(modules))
    if (names.has(name.replace(/-[0-9a-f]+$/, ''))) rmSync(path.join(modules, name), { recursive: true });
}
