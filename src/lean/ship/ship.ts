import { UserError } from '../../core/errors.ts';
import type { Git } from '../../io/git.ts';
import type { Failed, Result } from '../../core/result.ts';
import type { GitHub, PullRequest } from '../../io/github.ts';
import type { RequestTexts } from './texts.ts';
import { inWorktree, removeLeftovers } from './worktree.ts';

export interface ShipOptions {
  readonly base: string;
  readonly remote: string;
  /** If absent, branches are pushed without pull requests. */
  readonly github: GitHub | undefined;
}

/** Something to put on its own branch. */
export interface Shipment {
  readonly name: string;
  readonly branch: string;
  /** Writes it into a work tree of the base. */
  readonly write: (tree: string) => Promise<Written>;
  /** Whether an existing branch, in this work tree, contains it; the branch started from a commit and may have more. */
  readonly holds: (tree: string, start: string) => Promise<Written>;
}

/** The kind of error if the base already has what would be shipped. */
export const nothingNew = 'nothing-new';

/** The description of a work tree's content, or why it cannot be shipped. */
type Written = Result<RequestTexts>;

/** The outcome for a proof. A conflict is left to the user; nothing is forced. */
export interface Shipped {
  readonly name: string;
  readonly branch: string;
  readonly result: 'opened' | 'updated' | 'unchanged' | 'pushed' | 'closed' | 'conflict' | 'failed';
  readonly message: string;
  readonly url: string | null;
}

/** The target of proofs: the commit that branches start from. A work tree with changes is refused at once. */
export async function openBase(
  git: Git,
  { base, remote }: Pick<ShipOptions, 'base' | 'remote'>,
): Promise<string> {
  const changes = await git.changes();
  if (!changes.ok)
    throw new UserError('ship-git', changes.error.message, 'Run orch ship inside a git repository.');
  const dirty = changes.value
    .split('\n')
    .filter((line) => line !== '' && !/^\?\? (?:.*\/)?\.orch\//.test(line));
  if (dirty.length > 0)
    throw new UserError(
      'ship-dirty',
      `the work tree has changes that are not committed: ${dirty.slice(0, 3).join(', ').trim()}`,
      'Commit or stash them. orch ship works in separate work trees that start from a commit.',
    );
  await removeLeftovers(git);
  // without a remote, branches start from the local base
  await git.fetch(remote);
  const found =
    (await git.commitOf(`refs/remotes/${remote}/${base}`)) ?? (await git.commitOf(`refs/heads/${base}`));
  if (found !== undefined) return found;
  throw new UserError(
    'ship-base',
    `there is no branch ${base}`,
    'Set the base branch, for example --base main.',
  );
}

/** Each shipment becomes a branch with one commit and a pull request; existing branches are never changed. */
export async function ship(
  git: Git,
  baseCommit: string,
  shipments: readonly Shipment[],
  options: ShipOptions,
): Promise<readonly Shipped[]> {
  const results: Shipped[] = [];
  for (const shipment of shipments) results.push(await shipOne(git, baseCommit, shipment, options));
  return results;
}

async function shipOne(
  git: Git,
  baseCommit: string,
  shipment: Shipment,
  options: ShipOptions,
): Promise<Shipped> {
  const { name, branch } = shipment;
  const tell = (result: Shipped['result'], message: string, url: string | null = null): Shipped => ({
    name,
    branch,
    result,
    message,
    url,
  });
  const parts = { branch, base: options.base, tell };
  const there = await git.commitOf(`refs/remotes/${options.remote}/${branch}`);
  const shipped = await inWorktree(git, there ?? baseCommit, async (tree): Promise<Shipped> => {
    if (there !== undefined) {
      const start = await git.mergeBase(there, baseCommit);
      const held = await shipment.holds(tree.folder, start ?? baseCommit);
      if (!held.ok) return tell('conflict', `${branch} exists with other content: ${held.error.message}`);
      return options.github
        ? await request({ ...parts, github: options.github, texts: held.value, hasNewCommit: false })
        : tell('unchanged', branch);
    }
    const written = await shipment.write(tree.folder);
    if (!written.ok)
      return tell(written.error.kind === nothingNew ? 'unchanged' : 'conflict', written.error.message);
    const committed = await tree.commitAll(written.value.commit);
    if (!committed.ok) return tell('failed', committed.error.message);
    // run in the repository: an address like ../remote.git is relative to it
    const pushed = await git.push(options.remote, committed.value, branch);
    if (!pushed.ok)
      return tell(
        /rejected|non-fast-forward/.test(pushed.error.message) ? 'conflict' : 'failed',
        pushed.error.message,
      );
    if (!options.github) return tell('pushed', branch);
    return await request({ ...parts, github: options.github, texts: written.value, hasNewCommit: true });
  });
  return shipped.ok ? shipped.value : tell('failed', shipped.error.message);
}

type Tell = (result: Shipped['result'], message: string, url?: string | null) => Shipped;

/** A branch before its pull request. */
interface Pushed {
  readonly github: GitHub;
  readonly branch: string;
  readonly base: string;
  readonly texts: RequestTexts;
  readonly hasNewCommit: boolean;
  readonly tell: Tell;
}

async function request(pushed: Pushed): Promise<Shipped> {
  const { github, branch, base, tell } = pushed;
  const { title, body, labels } = pushed.texts;
  const text = { title, body };
  const not = ({ error }: Failed): Shipped =>
    tell('failed', `${error.kind}: ${error.message}; the branch is pushed, run orch ship again`);
  const known = await github.pullRequestsOf(branch);
  if (!known.ok) return not(known);
  const open = known.value.find(({ state }) => state === 'open');
  if (!open && known.value[0])
    return tell('closed', `#${known.value[0].number} was closed`, known.value[0].url);
  if (open) return await update(pushed, open);
  const opened = await github.openPullRequest(branch, base, text);
  if (!opened.ok && opened.error.kind === 'exists') {
    // another process created it first
    const again = await github.pullRequestsOf(branch);
    const theirs = again.ok ? again.value.find(({ state }) => state === 'open') : undefined;
    return theirs ? await update(pushed, theirs) : not(opened);
  }
  if (!opened.ok) return not(opened);
  const labelled = labels.length === 0 ? undefined : await github.addLabels(opened.value.number, labels);
  if (labelled && !labelled.ok)
    return tell('opened', `without labels: ${labelled.error.message}`, opened.value.url);
  return tell('opened', `#${opened.value.number}`, opened.value.url);
}

async function update({ github, texts, hasNewCommit, tell }: Pushed, open: PullRequest): Promise<Shipped> {
  const { title, body, labels } = texts;
  const isSame = open.title === title && open.body === body;
  const missing = labels.filter((one) => !open.labels.includes(one));
  if (!isSame) {
    const updated = await github.updatePullRequest(open.number, { title, body });
    if (!updated.ok) return tell('failed', `${updated.error.kind}: ${updated.error.message}`, open.url);
  }
  if (missing.length > 0) {
    const labelled = await github.addLabels(open.number, missing);
    if (!labelled.ok) return tell('failed', `${labelled.error.kind}: ${labelled.error.message}`, open.url);
  }
  const isUnchanged = isSame && missing.length === 0 && !hasNewCommit;
  return tell(isUnchanged ? 'unchanged' : 'updated', `#${open.number}`, open.url);
}
