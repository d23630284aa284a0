import { realpathSync } from 'node:fs';
import { gitFact } from '../../io/git-process.ts';
import { Git } from '../../io/git.ts';
import { publicAddress, repositoryIn } from '../../io/github-address.ts';

/** Git's data about a checkout, read using only commands that cannot start the checkout's own programs. */
export interface GitFacts {
  /** The top folder of the work tree. */
  readonly root: string;
  /** Null: a commit is checked out, and no branch. */
  readonly branch: string | null;
  /** The branch that others clone. */
  readonly main: string;
  /** Target of proofs: `dev` if it exists, else the main branch. */
  readonly base: string;
  readonly branches: readonly string[];
  readonly remote: { readonly name: string; readonly url: string } | null;
  /** OWNER/NAME of a remote on GitHub. */
  readonly repository: string | null;
  /** Why commands that write through git would be refused here. */
  readonly refusal: string | null;
}

/** Undefined outside a repository or without git. */
export async function gitFacts(folder: string): Promise<GitFacts | undefined> {
  const top = gitFact(folder, 'rev-parse', '--show-toplevel');
  if (top === '') return undefined;
  const ask = (...args: string[]): string => gitFact(top, ...args);
  const remotes = ask('remote').split('\n').filter(Boolean);
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  const url = remote === undefined ? '' : ask('remote', 'get-url', remote);
  const branch = ask('symbolic-ref', '--quiet', '--short', 'HEAD') || null;
  const branches = namesIn(ask('for-each-ref', '--format=%(refname)', 'refs/heads', 'refs/remotes'), remote);
  const head = remote === undefined ? '' : ask('symbolic-ref', '--quiet', `refs/remotes/${remote}/HEAD`);
  const main =
    head.replace(`refs/remotes/${remote}/`, '') ||
    ['main', 'master'].find((name) => branches.includes(name)) ||
    (branch ?? 'main');
  const allowed = await new Git(top).root();
  return {
    root: realpathSync(top),
    branch,
    main,
    base: branches.includes('dev') ? 'dev' : main,
    branches,
    remote: remote === undefined || url === '' ? null : { name: remote, url: publicAddress(url) },
    repository: repositoryIn(url) ?? null,
    refusal: allowed.ok ? null : allowed.error.message,
  };
}

/** The branches of the checkout and of one remote, each once. */
function namesIn(refs: string, remote: string | undefined): string[] {
  const ours = ['refs/heads/', ...(remote === undefined ? [] : [`refs/remotes/${remote}/`])];
  const names = refs.split('\n').flatMap((ref) => {
    const prefix = ours.find((start) => ref.startsWith(start));
    return prefix === undefined ? [] : [ref.slice(prefix.length)];
  });
  return [...new Set(names)].filter((name) => name !== 'HEAD').toSorted();
}
