import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeFolders } from '../../core/folders.ts';
import { UserError, messageOf, fieldOf } from '../../core/errors.ts';
import { isInside } from '../../core/inside.ts';
import { refusalToStart } from '../../io/programs.ts';
import { findSandbox } from '../../io/sandbox.ts';
import { accessOf, cagedCommand, cagedWorker, leanEnvironment } from './native-cage.ts';
import { workerSource } from './worker-source.ts';
import type { Toolchain, ToolchainKind } from './toolchain.ts';
import { sha256 } from '../../core/sha256.ts';
import { replaceFile } from '../../io/whole-file.ts';

/** How to start a native Lean: `lean …`, or `lake env lean …` inside a project so that it finds the project's modules. */
export interface NativeLean {
  readonly kind: Exclude<ToolchainKind, 'embedded'>;
  readonly command: string;
  readonly prefix: readonly string[];
  readonly folder: string;
  /** For a work tree: the folder that the user trusts, whose packages the work tree uses. */
  readonly home?: string;
}

export interface NativeOptions {
  readonly cacheFolder: string;
  readonly imports: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const versionMs = 60_000;
const buildMs = 3_600_000;

export async function nativeToolchain(lean: NativeLean, options: NativeOptions): Promise<Toolchain> {
  const env = leanEnvironment(options.environment);
  const worker = writeWorker(options.cacheFolder);
  const sandbox = await findSandbox(options.environment['PATH']);
  const access = accessOf(lean, worker, options.cacheFolder, options.environment);
  // not in the checkout: elan would select the version in its `lean-toolchain`
  const cwd = access.folder;
  const run: RunInside = async (args, more = {}) => {
    refuseEndedTrust(lean);
    const [program = '', ...rest] = cagedCommand([lean.command, ...args], sandbox, { ...access, ...more });
    const limits = {
      timeout: more.timeout ?? versionMs,
      killSignal: 'SIGKILL',
      maxBuffer: 64 << 20,
    } as const;
    return (await promisify(execFile)(program, rest, { cwd, env, ...limits })).stdout;
  };
  const version = await readVersion(lean, run);
  const withImports = (imports: readonly string[]): Toolchain => ({
    kind: lean.kind,
    version,
    program: [lean.command, ...lean.prefix, ...(lean.kind === 'lake' ? ['in', lean.folder] : [])].join(' '),
    imports,
    limits: { maxMemoryBytes: undefined, fixedImports: false },
    rootSession: 0,
    folder: lean.folder,
    launch: async () => {
      refuseEndedTrust(lean);
      const args = [...lean.prefix, '--run', worker, ...imports];
      return cagedWorker({ command: lean.command, args, env, cwd }, sandbox, access);
    },
    // there is nothing to repair in a native Lean; a retry may find more free memory
    repair: () => Promise.resolve(true),
    withImports,
    ...(lean.kind === 'lake' && {
      lakeBuild: async (modules: readonly string[]) => await lakeBuild(lean.folder, run, modules),
      inWorkTree: async (folder: string) =>
        await nativeToolchain({ ...lean, folder, home: lean.home ?? lean.folder }, options),
    }),
  });
  return withImports(options.imports);
}

function refuseEndedTrust({ command, folder, home }: NativeLean): void {
  const refusal = refusalToStart(command, home ?? folder);
  if (refusal !== undefined) throw new UserError('trust-ended', refusal);
}

/** Runs the program to its end inside the sandbox and returns its output. */
type RunInside = (
  args: readonly string[],
  more?: { readonly write?: readonly string[]; readonly timeout?: number },
) => Promise<string>;

/** "Lean (version 4.28.0, x86_64-unknown-linux-gnu, commit …)" → "4.28.0". Lake evaluates the lakefile before it answers. */
async function readVersion({ command, prefix, folder, home }: NativeLean, run: RunInside): Promise<string> {
  try {
    // in a new work tree Lake first compiles the lakefile
    const write = home === undefined ? [] : [path.join(folder, '.lake')];
    const stdout = await run([...prefix, '--version'], { write });
    const version = /version ([\d.]+[\w.-]*)/.exec(stdout)?.[1];
    if (version !== undefined) return version;
    throw new Error(`its output was: ${stdout.slice(0, 200)}`);
  } catch (error) {
    throw new UserError(
      'lean-unusable',
      `${[command, ...prefix].join(' ')} does not work: ${messageOf(error).slice(-2000)}`,
      'Repair that toolchain (orch runs it without a network, so install and build first), or set ORCH_LEAN=embedded.',
      { cause: error },
    );
  }
}

/** Runs `lake build` for some modules of the project; it may only write into `.lake`. Returns its output if it fails. */
async function lakeBuild(
  folder: string,
  run: RunInside,
  modules: readonly string[],
): Promise<string | undefined> {
  const output = path.join(folder, '.lake');
  // the sandbox would follow a link out of the project
  if (!isInside(output, folder))
    return `${output} is a link to a place outside the project: run lake build yourself, or replace the link by a folder`;
  makeFolders(output);
  try {
    // `+A.B` always means the module, even if a target has the same name
    await run(['build', ...modules.map((module) => `+${module}`)], { write: [output], timeout: buildMs });
    return undefined;
  } catch (error) {
    const said = ['stdout', 'stderr']
      .map((name) => fieldOf(error, name))
      .filter((text) => typeof text === 'string');
    return said.join('').trim().slice(-2000) || messageOf(error);
  }
}

function writeWorker(cacheFolder: string): string {
  const source = workerSource();
  const digest = sha256(source).slice(0, 16);
  const folder = path.join(cacheFolder, 'native');
  const file = path.join(folder, `Worker-${digest}.lean`);
  makeFolders(folder, 0o700);
  const { mode, uid } = lstatSync(folder);
  if ((mode & 0o022) !== 0 || uid !== process.getuid?.())
    throw new UserError(
      'cache-unusable',
      `the folder ${folder} belongs to another user, or others may write it`,
      'Set ORCH_CACHE_DIR to a folder that belongs to you.',
    );
  if (existsSync(file) && readFileSync(file, 'utf8') === source) return file;
  replaceFile(file, source, 0o600);
  return file;
}

/** The nearest folder, upwards from `start`, that is a Lake project: it has a `lean-toolchain` and a lakefile. */
export function findLakeProject(start: string): string | undefined {
  for (let folder = path.resolve(start); ; folder = path.dirname(folder)) {
    const has = (name: string): boolean => existsSync(path.join(folder, name));
    if (has('lean-toolchain') && (has('lakefile.toml') || has('lakefile.lean'))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
