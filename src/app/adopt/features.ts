import { findProgram } from '../../io/programs.ts';
import { leanVersion } from '../../lean/toolchain/embedded/lean-package.ts';
import type { GitFacts } from './git-facts.ts';
import type { ProjectFacts } from './survey.ts';

/** Whether a part of orch works for a project on this machine. */
export interface Feature {
  readonly name: string;
  readonly state: 'works' | 'embedded' | 'native' | 'no';
  readonly detail: string;
}

export const featureWords: Readonly<Record<Feature['state'], string>> = {
  works: 'works without Lean',
  embedded: 'works with the embedded Lean',
  native: 'needs a native Lean',
  no: 'does not work yet',
};

export function supportOf(
  project: ProjectFacts,
  git: GitFacts | undefined,
  searchPath: string | undefined,
): Feature[] {
  const lean = leanFeature(project, findProgram('lake', searchPath) !== undefined);
  return [
    blueprintFeature(project),
    { ...lean, name: 'goals, prove, bg, golf, trace' },
    { ...lean, name: 'check (the gate)' },
    ...copilotFeatures(project),
    shipFeature(git, lean),
  ];
}

function blueprintFeature({ blueprintIn }: ProjectFacts): Feature {
  const name = 'blueprint status, graph, critical';
  return blueprintIn === undefined
    ? { name, state: 'no', detail: 'there is no blueprint/src' }
    : { name, state: 'works', detail: '' };
}

/** Whether the project uses the version of the embedded Lean. */
export function isEmbedded({ toolchain, version }: ProjectFacts): boolean {
  return toolchain === undefined || version === leanVersion;
}

/** The features that run Lean: they need the embedded or an installed toolchain, and the packages on this disk. */
function leanFeature(project: ProjectFacts, hasLake: boolean): Feature {
  const name = '';
  const { toolchain, version, absent, unresolved, hasNativeCode } = project;
  const native = hasLake
    ? 'lake is on PATH; orch trust lets this project choose it'
    : 'install elan, then run orch trust';
  if (!isEmbedded(project))
    return {
      name,
      state: 'native',
      detail: `the project uses ${version ?? toolchain}, the embedded Lean is ${leanVersion}; ${native}`,
    };
  if (hasNativeCode) return { name, state: 'native', detail: `its lakefile builds native code; ${native}` };
  if (unresolved.length > 0) return { name, state: 'no', detail: unresolvedDetail(project) };
  const unused = absent.length === 0 ? '' : `; no file imports ${absent.join(', ')} (not on this disk)`;
  const assumed = toolchain === undefined ? `; there is no lean-toolchain, so ${leanVersion} is assumed` : '';
  return { name, state: 'embedded', detail: `Lean ${leanVersion}${assumed}${unused}` };
}

function unresolvedDetail({ unresolved, absent, hasManifest }: ProjectFacts): string {
  const few = unresolved.slice(0, 3).join(', ') + (unresolved.length > 3 ? ', …' : '');
  if (absent.length === 0) return `files import modules that are not on this disk: ${few}`;
  const command = hasManifest ? 'lake build' : 'lake update';
  return `packages are not on this disk: ${absent.join(', ')}; files import ${few}; run ${command}`;
}

function copilotFeatures({ requires }: ProjectFacts): Feature[] {
  if (!requires.some((one) => one.toLowerCase() === 'leancopilot')) return [];
  const detail = 'lake exe LeanCopilot/download fetches its models';
  return [{ name: 'Lean Copilot', state: 'native', detail }];
}

function shipFeature(git: GitFacts | undefined, lean: Feature): Feature {
  const name = 'sweep, ship, pull requests';
  if (git === undefined) return { name, state: 'no', detail: 'this is not a git repository' };
  if (git.refusal !== null) return { name, state: 'no', detail: git.refusal };
  if (git.remote === null) return { name, state: 'no', detail: 'there is no remote to push to' };
  if (lean.state === 'no') return { ...lean, name };
  const requests =
    git.repository === null
      ? 'branches only: the remote is not on GitHub'
      : `requests go to ${git.repository}, with GITHUB_TOKEN`;
  const needs = lean.state === 'native' ? `; ${lean.detail}` : '';
  return { name, state: lean.state, detail: `base branch ${git.base}; ${requests}${needs}` };
}
