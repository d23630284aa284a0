import { failed, success, type Fault, type Result } from '../core/result.ts';
import { execute, executeForBytes, refusalFor, type GitAnswer } from './git-process.ts';

/** A ref of a remote with its object. */
export interface RemoteFile {
  readonly object: string;
  readonly ref: string;
}

/** A git repository, accessed through the installed `git`. Never uses force. */
export class Git {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The same repository from another folder. */
  in(folder: string): Git {
    return new Git(folder);
  }

  /** The top folder of the work tree; an error outside a repository. */
  async root(): Promise<GitAnswer> {
    return await this.run('rev-parse', '--show-toplevel');
  }

  /** Uncommitted changes, one per line, including new files. */
  async changes(): Promise<GitAnswer> {
    return await this.run('status', '--porcelain', '--untracked-files=all', '--ignore-submodules=all');
  }

  async commitOf(ref: string): Promise<string | undefined> {
    const answer = await this.run('rev-parse', '--verify', '--quiet', `${ref}^{commit}`);
    return answer.ok ? answer.value : undefined;
  }

  /** The merge base of two commits. */
  async mergeBase(one: string, two: string): Promise<string | undefined> {
    const answer = await this.run('merge-base', one, two);
    return answer.ok ? answer.value : undefined;
  }

  /** Messages of the commits that one has and the other lacks. */
  async messagesBetween(before: string, after: string): Promise<string> {
    const answer = await this.run('log', '--format=%B', `${before}..${after}`);
    return answer.ok ? answer.value : '';
  }

  /** Files that differ between HEAD and another commit, relative to the top; a renamed file counts as two. */
  async changedSince(ref: string): Promise<readonly string[]> {
    const answer = await this.run('diff', '--name-only', '--no-ext-diff', '--no-renames', '-z', ref, 'HEAD');
    return answer.ok ? answer.value.split('\0').filter((name) => name !== '') : [];
  }

  /**
   * Files of the work tree that differ from its commit, below folders or patterns: as paths from the top,
   * separated by NUL.
   */
  async edited(...paths: readonly string[]): Promise<GitAnswer> {
    const flags = ['--name-only', '--no-renames', '--ignore-submodules=all', '-z'];
    return await this.run('diff', ...flags, 'HEAD', '--', ...paths);
  }

  /** Files that git does not compare with the commit (`git update-index`), below folders or patterns: as paths from the top. */
  async hidden(...paths: readonly string[]): Promise<Result<readonly string[], Fault<'git'>>> {
    const answer = await this.run('ls-files', '-v', '-z', '--', ...paths);
    if (!answer.ok) return answer;
    // a small letter: assume-unchanged; S: skip-worktree
    const lines = answer.value.split('\0');
    return success(lines.flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2)] : [])));
  }

  /** Changes in the work tree as a patch. Not trimmed: a context line may consist of one blank. */
  async patch(): Promise<GitAnswer> {
    const flags = ['--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];
    return await this.#execute(['diff', ...flags, '--src-prefix=a/', '--dst-prefix=b/'], false);
  }

  async fetch(remote: string): Promise<GitAnswer> {
    return await this.#with(remote, 'fetch', '--quiet', '--prune', remote);
  }

  async urlOf(remote: string): Promise<string | undefined> {
    const answer = await this.run('remote', 'get-url', remote);
    return answer.ok ? answer.value : undefined;
  }

  /** A new detached work tree at a commit, with all its files: a sparse checkout would hide some. */
  async addWorktree(folder: string, ref: string): Promise<GitAnswer> {
    const whole = ['-c', 'core.sparseCheckout=false'];
    return await this.run(...whole, 'worktree', 'add', '--quiet', '--detach', folder, ref);
  }

  /** The folders of all work trees. */
  async worktrees(): Promise<readonly string[]> {
    const answer = await this.run('worktree', 'list', '--porcelain');
    return answer.ok ? [...answer.value.matchAll(/^worktree (.*)$/gm)].map(([, folder = '']) => folder) : [];
  }

  async removeWorktree(folder: string): Promise<GitAnswer> {
    return await this.run('worktree', 'remove', '--force', folder);
  }

  /** Commits everything in the work tree and returns the commit; without a configured name, as orch. */
  async commitAll(message: string): Promise<GitAnswer> {
    const tracked = await this.#execute(['ls-files', '--stage', '--full-name', '-z', '--', ':/'], false);
    if (!tracked.ok) return tracked;
    // git would look into each submodule, with the submodule's own configuration
    const submodules = [...tracked.value.matchAll(/(?:^|\0)160000 [^\t]*\t([^\0]+)/g)];
    const others = submodules.map(([, name]) => `:(exclude,top,literal)${name}`);
    const added = await this.run('add', '--all', '--', ':/', ...others);
    if (!added.ok) return added;
    const named = await this.run('config', 'user.email');
    const identity = named.ok ? [] : ['-c', 'user.name=orch', '-c', 'user.email=orch@localhost'];
    const committed = await this.#execute([
      ...identity,
      'commit',
      '--quiet',
      '--no-verify',
      '--message',
      message,
    ]);
    return committed.ok ? await this.run('rev-parse', 'HEAD') : committed;
  }

  /** Refused if the branch has new commits. */
  async push(remote: string, commit: string, branch: string): Promise<GitAnswer> {
    return await this.#with(remote, 'push', '--quiet', remote, `${commit}:refs/heads/${branch}`);
  }

  /** Names of refs of the remote that match a pattern, with their objects. */
  async remoteRefs(remote: string, pattern: string): Promise<Result<readonly RemoteFile[], Fault<'git'>>> {
    const answer = await this.#with(remote, 'ls-remote', '--quiet', remote, pattern);
    if (!answer.ok) return answer;
    return success(
      answer.value.split('\n').flatMap((line) => {
        const [, object, ref] = /^([0-9a-f]{40,64})\t(\S+)$/.exec(line) ?? [];
        return object !== undefined && ref !== undefined ? [{ object, ref }] : [];
      }),
    );
  }

  /** A file of the remote that a ref names directly. A remote that sends much more than the file may have is cut off. */
  async fetchFile(
    remote: string,
    { object, ref }: RemoteFile,
    mostBytes: number,
  ): Promise<Result<Buffer, Fault<'git'>>> {
    const known = await this.#with(remote, 'remote', 'get-url', remote);
    if (!known.ok) return known;
    const blocks = Math.ceil((mostBytes + (1 << 20)) / 512);
    const limited = ['/bin/sh', '-c', `ulimit -f ${blocks} && exec "$0" "$@"`] as const;
    const fetch = ['fetch', '--quiet', '--no-tags', remote, ref];
    const fetched = await executeForBytes(this.folder, fetch, limited);
    if (fetched.ok) return await executeForBytes(this.folder, ['cat-file', 'blob', object]);
    // SIGXFSZ
    const isLarger = /died of signal (?:25|31)|file size limit/i.test(fetched.error.message);
    return isLarger ? failed({ kind: 'git', message: `it is larger than ${mostBytes / 1e6} MB` }) : fetched;
  }

  /** Gives a file a ref of its own on the remote; refused if the ref exists with other content. */
  async pushFile(remote: string, file: string, ref: string): Promise<GitAnswer> {
    const object = await this.run('hash-object', '-w', '--no-filters', '--', file);
    return object.ok ? await this.#with(remote, 'push', '--quiet', remote, `${object.value}:${ref}`) : object;
  }

  async tag(name: string, message: string): Promise<GitAnswer> {
    return await this.#execute([
      '-c',
      'user.name=orch',
      '-c',
      'user.email=orch@localhost',
      'tag',
      '--annotate',
      name,
      '--message',
      message,
    ]);
  }

  async run(...args: readonly string[]): Promise<GitAnswer> {
    return await this.#execute(args);
  }

  /** Runs a command on a remote. If none has the name, git would use a folder of that name, with its programs. */
  async #with(remote: string, ...args: readonly string[]): Promise<GitAnswer> {
    const url = await this.run('remote', 'get-url', '--', remote);
    if (url.ok) return await this.run(...args);
    const isUnknown = /no such remote/i.test(url.error.message);
    return isUnknown ? failed({ kind: 'git', message: `there is no git remote ${remote}` }) : url;
  }

  async #execute(args: readonly string[], trims = true): Promise<GitAnswer> {
    // on every call: an earlier command may have checked out a file that .git/config includes
    const refusal = await refusalFor(this.folder);
    return refusal ?? (await execute(this.folder, args, trims));
  }
}
