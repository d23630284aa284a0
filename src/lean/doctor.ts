import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import os from 'node:os';
import { makeFolders } from '../core/folders.ts';
import { failed, success, type Result } from '../core/result.ts';
import { UserError, messageOf } from '../core/errors.ts';
import type { Finding } from '../core/doctor-finding.ts';
import { findProgram } from '../io/programs.ts';
import { findSandbox } from '../io/sandbox.ts';
import { embeddedStatus } from './toolchain/embedded/status.ts';
import { findLeanPackage, leanVersion } from './toolchain/embedded/lean-package.ts';
import { stackKilobytes } from './toolchain/embedded/stack.ts';
import { openAdvisories } from './gate/advisories.ts';
import { findLakeProject, nativeToolchain } from './toolchain/native.ts';
import { chooseLean } from './toolchain/resolve.ts';
import type { Toolchain } from './toolchain/toolchain.ts';
import { embeddedWalls, nativeWalls, type WallName } from './toolchain/walls.ts';

export interface Surroundings {
  readonly lean: string | undefined;
  readonly folder: string;
  readonly cacheFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workers: number;
}

const workerBytes = 1e9;
const setupBytes = 2e9;
/** Below this, Lean's own recursion limit may be reached after the operating system's. */
const goodStackKilobytes = 60_000;

export async function examine(surroundings: Surroundings): Promise<Finding[]> {
  return [
    node(),
    memory(surroundings),
    await disk(surroundings),
    await stack(),
    leanPackage(),
    await embedded(surroundings),
    native(surroundings),
    choice(surroundings),
    await kernel(surroundings),
    ...(await walls(surroundings)),
  ];
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > 24 || (major === 24 && minor >= 15);
  const detail = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  return isNew
    ? { name: 'node', state: 'ok', detail }
    : { name: 'node', state: 'broken', detail, fix: 'Install Node 24.15 or newer.' };
}

function memory({ workers }: Surroundings): Finding {
  const free = os.availableParallelism() > 0 ? process.availableMemory() : os.freemem();
  const needed = workers === 1 ? 'a worker needs' : `${workers} workers need`;
  const detail = `${(free / 1e9).toFixed(1)} GB free; ${needed} up to ${workers} GB`;
  return free >= workers * workerBytes
    ? { name: 'memory', state: 'ok', detail }
    : { name: 'memory', state: 'broken', detail, fix: 'Close other programs, or lower ORCH_NUM_PROCS.' };
}

async function disk({ cacheFolder }: Surroundings): Promise<Finding> {
  try {
    makeFolders(cacheFolder, 0o700);
    await access(cacheFolder, constants.W_OK);
    const { bavail, bsize } = await statfs(cacheFolder);
    const detail = `${((bavail * bsize) / 1e9).toFixed(1)} GB free in ${cacheFolder}`;
    if (bavail * bsize >= setupBytes) return { name: 'disk', state: 'ok', detail };
    return {
      name: 'disk',
      state: 'broken',
      detail,
      fix: 'Free 2 GB, or set ORCH_CACHE_DIR to another disk.',
    };
  } catch (error) {
    return {
      name: 'disk',
      state: 'broken',
      detail: messageOf(error),
      fix: 'Set ORCH_CACHE_DIR to a folder that you may write.',
    };
  }
}

async function stack(): Promise<Finding> {
  const kilobytes = await stackKilobytes();
  const detail = `${Math.round(kilobytes / 1000)} MB for deep recursion`;
  return kilobytes >= goodStackKilobytes
    ? { name: 'stack', state: 'ok', detail }
    : {
        name: 'stack',
        state: 'missing',
        detail,
        fix: 'Raise the hard limit of `ulimit -s`; very deep terms may kill a worker.',
      };
}

function leanPackage(): Finding {
  try {
    const { folder } = findLeanPackage();
    return { name: 'lean package', state: 'ok', detail: `Lean ${leanVersion} in ${folder}` };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name: 'lean package', state: 'broken', detail: error.message, fix: error.hint ?? '' };
  }
}

async function embedded({ cacheFolder }: Surroundings): Promise<Finding> {
  const status = await embeddedStatus(cacheFolder);
  const ready = status.stages.filter((stage) => stage.ready).map((stage) => stage.name);
  if (ready.length === status.stages.length)
    return { name: 'embedded lean', state: 'ok', detail: `Lean ${status.version}, all images built` };
  return {
    name: 'embedded lean',
    state: 'missing',
    detail: ready.length === 0 ? 'not built yet' : `built: ${ready.join(', ')}`,
    fix:
      ready.length === 0
        ? 'The first use builds it; orch lean setup builds it now.'
        : 'Nothing to do: the rest is built when first needed.',
  };
}

function native({ folder, environment }: Surroundings): Finding {
  const programs = ['elan', 'lake', 'lean'].flatMap((name) => findProgram(name, environment['PATH']) ?? []);
  const project = findLakeProject(folder);
  if (programs.length > 0)
    return {
      name: 'native lean',
      state: 'ok',
      detail: `${programs.join(', ')}${project === undefined ? '' : `; Lake project ${project}`}`,
    };
  return {
    name: 'native lean',
    state: 'missing',
    detail: project === undefined ? 'none on PATH' : `none on PATH, though ${project} is a Lake project`,
    fix: 'For Mathlib and full speed install elan (lean-lang.org); the embedded Lean has Init, Std and Lean only.',
  };
}

function choice(surroundings: Surroundings): Finding {
  try {
    const lean = chooseLean(surroundings);
    const detail =
      lean === 'embedded' ? 'the embedded Lean' : `${lean.kind}: ${[lean.command, ...lean.prefix].join(' ')}`;
    return { name: 'in use', state: 'ok', detail };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { name: 'in use', state: 'broken', detail: error.message, fix: error.hint ?? '' };
  }
}

/** The version of the judging kernel, and its open bugs. */
async function kernel(surroundings: Surroundings): Promise<Finding> {
  const judge = await judgeOf(surroundings);
  if (!judge.ok)
    return { name: 'kernel', state: 'broken', detail: judge.error.message, fix: 'Set ORCH_LEAN=embedded.' };
  const found = judge.value;
  const open = openAdvisories(found);
  const chosen = found.kind === 'lake' ? ' (of the project’s lean-toolchain)' : '';
  const detail = `Lean ${found.version}${chosen} judges; ${open.length === 0 ? 'no open kernel advisories' : `open advisories: ${open.join(', ')}`}`;
  if (open.length === 0) return { name: 'kernel', state: 'ok', detail };
  return {
    name: 'kernel',
    state: 'missing',
    detail,
    fix: 'Update Lean, or set ORCH_LEAN=embedded; docs/kernel-advisories.md explains each one.',
  };
}

/** The version and kind of the Lean in use, or why there is none. */
async function judgeOf(surroundings: Surroundings): Promise<Result<Pick<Toolchain, 'version' | 'kind'>>> {
  try {
    const chosen = chooseLean(surroundings);
    if (chosen === 'embedded') return success({ version: leanVersion, kind: 'embedded' });
    return success(await nativeToolchain(chosen, { ...surroundings, imports: [] }));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return failed({ kind: error.code, message: error.message });
  }
}

/** The sandbox around the code of a proof, as just tested. */
async function walls(surroundings: Surroundings): Promise<Finding[]> {
  const isEmbedded = usesEmbedded(surroundings);
  const sandbox = await findSandbox(surroundings.environment['PATH']);
  const seen = isEmbedded ? await embeddedWalls() : await nativeWalls(sandbox);
  const where = isEmbedded
    ? 'a worker of the embedded Lean'
    : `a native Lean (${sandboxNames[sandbox.kind]})`;
  return seen.map(({ name, holds, saw }) =>
    holds
      ? { name: 'wall', state: 'ok', detail: `${where} cannot ${name}: ${saw}` }
      : {
          name: 'wall',
          state: 'missing',
          detail: `${where} can ${name}: ${saw}`,
          fix: fixFor(name, isEmbedded),
        },
  );
}

const sandboxNames = {
  bubblewrap: 'in bubblewrap',
  mounts: 'in its own namespaces and mounts',
  namespaces: 'in its own namespaces',
  none: 'without a sandbox',
} as const;

function fixFor(name: WallName, isEmbedded: boolean): string {
  if (!isEmbedded)
    return 'Install bubblewrap (bwrap) or allow user namespaces, or set ORCH_LEAN=embedded for proofs that you do not trust.';
  if (name === 'reach Unix sockets')
    return 'Node 24 cannot prevent this. It affects only code that has escaped from WebAssembly (docs/PLATFORMS.md).';
  return 'Allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an AppArmor rule for unshare).';
}

function usesEmbedded(surroundings: Surroundings): boolean {
  try {
    return chooseLean(surroundings) === 'embedded';
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return false;
  }
}
