import path from 'node:path';
import { shellWord, whyIgnored } from '../../config/checkout.ts';
import { trustOf } from '../../config/trust.ts';
import { UserError } from '../../core/errors.ts';
import { findProgram } from '../../io/programs.ts';
import {
  embeddedToolchain,
  images,
  type BuiltStage,
  type ImageName,
  type Progress,
} from './embedded/embedded.ts';
import { findLakeProject, nativeToolchain, type NativeLean } from './native.ts';
import type { Toolchain } from './toolchain.ts';

export interface ToolchainOptions {
  /** A path, "lake", "embedded", or undefined to choose automatically. */
  readonly lean: string | undefined;
  readonly folder: string;
  readonly cacheFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly image: ImageName;
  /** Build later what only speeds up starts. */
  readonly codeLater?: boolean;
  readonly onProgress?: (progress: Progress) => void;
  readonly onBuilt?: (stage: BuiltStage) => void;
  /** Receives a notice for the user when the project's own Lean is not used because the folder is not trusted. */
  readonly onIgnored?: (notice: string) => void;
}

/**
 * Chooses the Lean without starting or building anything. A Lake project selects its own Lean (`lean-toolchain`) and
 * runs its own code first (`lakefile.lean`), so the project would choose its own judge. It may only do so if the user
 * has trusted it or asked for "lake"; in any other Lake project the embedded Lean judges.
 */
export function chooseLean(
  options: Pick<ToolchainOptions, 'lean' | 'folder' | 'environment' | 'onIgnored'>,
): NativeLean | 'embedded' {
  const { lean, folder, environment, onIgnored } = options;
  if (lean === 'embedded') return 'embedded';
  const project = findLakeProject(folder);
  const lake = findProgram('lake', environment['PATH']);
  if (lean === 'lake' && (project === undefined || lake === undefined))
    throw new UserError(
      'lean-not-found',
      lake === undefined ? 'there is no program lake' : `${folder} is not in a Lake project`,
      'ORCH_LEAN=lake needs elan and a Lake project.',
    );
  if (lean !== undefined && lean !== 'lake') return configured(lean, options);
  if (project !== undefined && lake !== undefined) {
    const trust = lean === 'lake' ? undefined : trustOf(project, 'lake', environment);
    if (trust === undefined || trust.kind === 'trusted')
      return { kind: 'lake', command: lake, prefix: ['env', 'lean'], folder: project };
    const way =
      trust.kind === 'ci' ? 'Set ORCH_LEAN=lake in the job' : `Type: orch trust ${shellWord(project)}`;
    onIgnored?.(
      `the embedded Lean is used instead of the project's own: ${whyIgnored(trust)}\n  A Lake project runs its own code when it starts. ${way}`,
    );
    return 'embedded';
  }
  const onPath = findProgram('lean', environment['PATH']);
  if (onPath !== undefined) return { kind: 'path', command: onPath, prefix: [], folder };
  return 'embedded';
}

function configured(
  lean: string,
  { folder, environment }: Pick<ToolchainOptions, 'folder' | 'environment'>,
): NativeLean {
  const command = lean.includes(path.sep)
    ? path.resolve(folder, lean)
    : findProgram(lean, environment['PATH']);
  if (command === undefined)
    throw new UserError(
      'lean-not-found',
      `there is no program ${lean}`,
      'ORCH_LEAN is the path of a lean program, "lake" or "embedded".',
    );
  return { kind: 'configured', command, prefix: [], folder };
}

/** The Lean that the settings choose, ready to start. */
export async function resolveToolchain(options: ToolchainOptions): Promise<Toolchain> {
  const choice = chooseLean(options);
  const { cacheFolder, environment, image, codeLater = false, onProgress, onBuilt } = options;
  if (choice === 'embedded')
    return await embeddedToolchain({
      cacheFolder,
      image,
      codeLater,
      ...(onProgress && { onProgress }),
      ...(onBuilt && { onBuilt }),
    });
  return await nativeToolchain(choice, { cacheFolder, environment, imports: images[image] });
}
