import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import { readSmall } from '../../config/trust.ts';
import { success, type Result } from '../../core/result.ts';
import { Git } from '../../io/git.ts';
import { isRunning } from '../../io/owner.ts';
import { packageLists, packagePlaces } from '../project/project.ts';
import { noteWorkTree } from '../project/work-trees.ts';

/** A temporary work tree at a commit. */
export async function inWorktree<Value>(
  git: Git,
  commit: string,
  work: (tree: Git) => Promise<Value>,
): Promise<Result<Value>> {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), `orch-ship-${process.pid}-`)));
  const tree = new Git(path.join(folder, 'tree'));
  try {
    const added = await git.addWorktree(tree.folder, commit);
    if (!added.ok) return added;
    await lendPackages(git, tree);
    const root = await git.root();
    using _ = noteWorkTree(tree.folder, root.ok ? root.value : git.folder);
    return success(await work(tree));
  } finally {
    await git.removeWorktree(tree.folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packages are not in any commit, so the tree borrows those of the original work tree. */
async function lendPackages(git: Git, tree: Git): Promise<void> {
  const root = await git.root();
  const manifests = await tree.run('ls-files', '-z', '--', '*lake-manifest.json');
  if (!root.ok || !manifests.ok) return;
  for (const manifest of manifests.value.split('\0').filter((name) => name !== '')) {
    const project = path.dirname(manifest);
    await lendOverrides(tree, root.value, project);
    for (const place of packagePlaces(path.join(tree.folder, project))) {
      const [here, there] = [root.value, tree.folder].map((folder) => path.join(folder, project, place));
      if (here === undefined || there === undefined || !existsSync(here) || existsSync(there)) continue;
      if (!(await isApart(tree, there))) continue;
      makeFolders(path.dirname(there));
      symlinkSync(here, there, 'dir');
    }
  }
}

/** Lake's file of replaced packages belongs to the machine, unless it is in the commit. */
async function lendOverrides(tree: Git, root: string, project: string): Promise<void> {
  const [here, there] = [root, tree.folder].map((folder) => path.join(folder, project, packageLists[1]));
  if (here === undefined || there === undefined || existsSync(there)) return;
  const text = readSmall(here);
  if (text === undefined || !(await isApart(tree, there))) return;
  makeFolders(path.dirname(there));
  writeFileSync(there, text);
}

/** Inside the folder that is deleted at the end, and ignored by git. */
async function isApart(tree: Git, place: string): Promise<boolean> {
  const isBelow = (folder: string): boolean => !path.relative(folder, place).startsWith('..');
  if (!isBelow(path.dirname(tree.folder))) return false;
  return !isBelow(tree.folder) || (await tree.run('check-ignore', '--quiet', place)).ok;
}

/** Removes work trees left behind by dead processes of this machine. */
export async function removeLeftovers(git: Git): Promise<void> {
  for (const tree of await git.worktrees()) {
    const [folder, pid] = /^.*\/orch-ship-(\d+)-\w+(?=\/tree$)/.exec(tree) ?? [];
    if (folder === undefined || !existsSync(tree) || isRunning(Number(pid))) continue;
    await git.removeWorktree(tree);
    rmSync(folder, { recursive: true, force: true });
  }
}
