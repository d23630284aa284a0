import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { findProject, type Project } from './project.ts';

/** `leanprover/lean4:v4.28.0` → 4.28.0; undefined if the project names no release. */
export function wantedVersion({ toolchain }: Pick<Project, 'toolchain'>): string | undefined {
  return /:v?(\d+\.\d+\.\d+[\w.-]*)$/.exec(toolchain ?? '')?.[1];
}

/** Advice for a project written for another Lean version. */
export const versionHint = 'Install that version with elan, or try anyway with --use-embedded.';

/** Reported before anything runs: the projects of these files need another Lean version. */
export function refuseOtherVersions(files: readonly string[], version: string): void {
  const folders = new Set(files.map((file) => path.dirname(path.resolve(file))));
  for (const folder of folders) {
    const project = findProject(folder);
    const wanted = wantedVersion(project);
    if (wanted !== undefined && wanted !== version)
      throw new UserError('other-toolchain', describeOther(project.folder, wanted, version), versionHint);
  }
}

export function describeOther(folder: string, wanted: string, version: string): string {
  return `${folder} is written for Lean ${wanted}, but this is ${version}`;
}
