import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { UserError } from '../../core/errors.ts';
import { findProgram } from '../../io/programs.ts';
import { cagedNative, type NativeCage } from './native-cage.ts';
import { workerSource } from './worker-source.ts';
import type { Toolchain, ToolchainKind } from './toolchain.ts';

/** How a native Lean is called: `lean …`, or `lake env lean …` inside a project so that its modules are found. */
export interface NativeLean {
  readonly kind: Exclude<ToolchainKind, 'embedded'>;
  readonly command: string;
  readonly prefix: readonly string[];
  readonly folder: string;
}

export interface NativeOptions {
  readonly cacheFolder: string;
  readonly imports: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The variables that a Lean toolchain needs; everything else of our environment stays with us. */
const passedOn = [
  'PATH',
  'HOME',
  'ELAN_HOME',
  'ELAN_TOOLCHAIN',
  'LEAN_PATH',
  'LEAN_SYSROOT',
  'TMPDIR',
  'LANG',
];
const versionMs = 60_000;

export async function nativeToolchain(lean: NativeLean, options: NativeOptions): Promise<Toolchain> {
  const environment = Object.fromEntries(
    passedOn.flatMap((name) => {
      const value = options.environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const version = await readVersion(lean, environment);
  const worker = writeWorker(options.cacheFolder);
  const cage: NativeCage = {
    bubblewrap: findProgram('bwrap', options.environment['PATH']),
    visible: [lean.folder, path.dirname(worker), path.dirname(lean.command)],
    hidden: [path.join(lean.folder, '.orch')],
  };
  const withImports = (imports: readonly string[]): Toolchain => ({
    kind: lean.kind,
    version,
    imports,
    limits: { maxMemoryBytes: undefined, fixedImports: false },
    rootSession: 0,
    launch: () =>
      Promise.resolve(
        cagedNative(
          {
            command: lean.command,
            args: [...lean.prefix, '--run', worker, ...imports],
            env: environment,
            cwd: lean.folder,
          },
          cage,
        ),
      ),
    // nothing of a native Lean is ours to repair; a second try may still meet a machine with more memory
    repair: () => Promise.resolve(true),
    withImports,
    ...(lean.kind === 'lake' && {
      lakeBuild: async (modules: readonly string[]) => await lakeBuild(lean, environment, modules),
    }),
  });
  return withImports(options.imports);
}

/** "Lean (version 4.28.0, x86_64-unknown-linux-gnu, commit …)" → "4.28.0" */
async function readVersion(lean: NativeLean, env: Record<string, string>): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(lean.command, [...lean.prefix, '--version'], {
      cwd: lean.folder,
      env,
      timeout: versionMs,
    });
    const version = /version ([\d.]+[\w.-]*)/.exec(stdout)?.[1];
    if (version !== undefined) return version;
    throw new Error(`it answered: ${stdout.slice(0, 200)}`);
  } catch (error) {
    throw new UserError(
      'lean-unusable',
      `${[lean.command, ...lean.prefix].join(' ')} does not work: ${(error as Error).message}`,
      'Repair that toolchain, or set ORCH_LEAN=embedded to use the Lean that comes with orch.',
      { cause: error },
    );
  }
}

/** `lake build` of some modules in the project: what it said where it failed. */
async function lakeBuild(
  { command, folder }: NativeLean,
  env: Record<string, string>,
  modules: readonly string[],
): Promise<string | undefined> {
  try {
    // `+A.B` is a module for Lake, whatever else has that name
    const targets = modules.map((module) => `+${module}`);
    await promisify(execFile)(command, ['build', ...targets], { cwd: folder, env, maxBuffer: 64 << 20 });
    return undefined;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    return (stdout + stderr).trim().slice(-2000) || message;
  }
}

function writeWorker(cacheFolder: string): string {
  const source = workerSource();
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const folder = path.join(cacheFolder, 'native');
  const file = path.join(folder, `Worker-${digest}.lean`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.${process.pid}`, source, { mode: 0o600 });
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** The nearest folder upwards that is a Lake project: it has a `lean-toolchain` and a lakefile. */
export function findLakeProject(start: string): string | undefined {
  for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
    const has = (name: string): boolean => existsSync(path.join(folder, name));
    if (has('lean-toolchain') && (has('lakefile.toml') || has('lakefile.lean'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
