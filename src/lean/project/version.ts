import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { findProject, type Project } from './project.ts';

/** `leanprover/lean4:v4.28.0` → 4.28.0; nothing where a project does not say, or names no release. */
export function wantedVersion({ toolchain }: Pick<Project, 'toolchain'>): string | undefined {
  return /:v?(\d+\.\d+\.\d+[\w.-]*)$/.exec(toolchain ?? '')?.[1];
}

/** What to do about a project that is written for another Lean than the one that comes with orch. */
export const versionHint = 'Install that one (elan), or try anyway with --use-embedded.';

/** Said before anything runs: the projects of these files want another version of Lean than is here. */
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
  return `${folder} is written for Lean ${wanted}, and here is ${version}`;
}
