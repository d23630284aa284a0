import path from 'node:path';
import { gitFact } from '../../io/git-process.ts';
import { publicAddress } from '../../io/github-address.ts';
import { findProject } from '../project/project.ts';
import { wantedVersion } from '../project/version.ts';
import { leanVersion } from '../toolchain/embedded/lean-package.ts';
import type { FileGoal } from './lean-file.ts';
import { sha256 } from '../../core/sha256.ts';

/** A sorry in SorryDB's format, which locates it in the repository. */
interface SorryRecord {
  readonly id: string;
  readonly repo: Repository;
  readonly location: {
    readonly path: string;
    readonly start_line: number;
    readonly start_column: number;
    readonly end_line: number;
    readonly end_column: number;
  };
  readonly debug_info: { readonly goal: string };
}

interface Repository {
  readonly remote: string;
  readonly branch: string;
  readonly commit: string;
  readonly lean_version: string;
}

/** Records of files, each for the repository that contains the file. */
export class SorryRecords {
  readonly #repositories = new Map<string, { readonly root: string; readonly repo: Repository }>();

  of(file: string, { sorries, shown }: Pick<FileGoal, 'sorries' | 'shown'>): SorryRecord[] {
    const { root, repo } = this.#repository(path.dirname(path.resolve(file)));
    const hypotheses = (shown?.hypotheses ?? []).map(({ name, type }) => `${name} : ${type}`);
    const goal = [...hypotheses, `⊢ ${shown?.target ?? ''}`].join('\n');
    return sorries.map(({ start, end }) => {
      const location = {
        path: path.relative(root, path.resolve(file)),
        start_line: start[0],
        start_column: start[1],
        end_line: end[0],
        end_column: end[1],
      };
      const id = sha256(JSON.stringify([repo.remote, repo.commit, location]));
      return { id, repo, location, debug_info: { goal } };
    });
  }

  #repository(folder: string): { readonly root: string; readonly repo: Repository } {
    const known = this.#repositories.get(folder);
    if (known) return known;
    const project = findProject(folder);
    const found = {
      root: gitFact(folder, 'rev-parse', '--show-toplevel') || project.folder,
      repo: {
        remote: publicAddress(gitFact(folder, 'remote', 'get-url', 'origin')),
        branch: gitFact(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
        commit: gitFact(folder, 'rev-parse', 'HEAD'),
        lean_version: `v${wantedVersion(project) ?? leanVersion}`,
      },
    };
    this.#repositories.set(folder, found);
    return found;
  }
}
