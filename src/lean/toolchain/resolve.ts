import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { embeddedToolchain, images, type ImageName, type Progress } from './embedded/embedded.ts';
import { findLakeProject, findProgram, nativeToolchain, type NativeLean } from './native.ts';
import type { Toolchain } from './toolchain.ts';

export interface ToolchainOptions {
  /** A path, "embedded", or undefined: choose. */
  readonly lean: string | undefined;
  readonly folder: string;
  readonly cacheFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly image: ImageName;
  readonly onProgress?: (progress: Progress) => void;
}

/** Which Lean would be used, without starting or building anything. */
export function chooseLean(
  options: Pick<ToolchainOptions, 'lean' | 'folder' | 'environment'>,
): NativeLean | 'embedded' {
  const { lean, folder, environment } = options;
  if (lean === 'embedded') return 'embedded';
  if (lean !== undefined) {
    const command = lean.includes(path.sep)
      ? path.resolve(folder, lean)
      : findProgram(lean, environment['PATH']);
    if (command === undefined)
      throw new UserError(
        'lean-not-found',
        `there is no program ${lean}`,
        'ORCH_LEAN is the path of a lean program, or "embedded".',
      );
    return { kind: 'configured', command, prefix: [], folder };
  }
  const project = findLakeProject(folder);
  const lake = findProgram('lake', environment['PATH']);
  if (project !== undefined && lake !== undefined)
    return { kind: 'lake', command: lake, prefix: ['env', 'lean'], folder: project };
  const onPath = findProgram('lean', environment['PATH']);
  if (onPath !== undefined) return { kind: 'path', command: onPath, prefix: [], folder };
  return 'embedded';
}

export async function resolveToolchain(options: ToolchainOptions): Promise<Toolchain> {
  const choice = chooseLean(options);
  const { cacheFolder, environment, image, onProgress } = options;
  if (choice === 'embedded')
    return await embeddedToolchain({ cacheFolder, image, ...(onProgress && { onProgress }) });
  return await nativeToolchain(choice, { cacheFolder, environment, imports: images[image] });
}
