import { existsSync } from 'node:fs';
import path from 'node:path';
import { openLean, type Lean } from '../lean.ts';
import type { Settings } from '../../config/schema.ts';
import { UserError } from '../../core/errors.ts';
import { valueOrThrow } from '../../core/result.ts';
import { ExitCode } from '../../core/exit.ts';
import type { Verdict } from '../../lean/gate/verdict.ts';
import { Git } from '../../io/git.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import { imageOfFiles } from '../../lean/goals/files.ts';
import { graphOf, importersOf } from '../../lean/project/graph.ts';
import { findProject, packageLists } from '../../lean/project/project.ts';
import { judgeChange, type Trees } from '../../lean/ship/change.ts';
import { inWorktree } from '../../lean/ship/worktree.ts';
import { judgedBy } from '../../lean/toolchain/toolchain.ts';
import type { RequestLimits } from '../../lean/toolchain/worker.ts';
import { kernelNote } from './kernel-note.ts';
import { shiftedFiles } from './shifted.ts';
import { readText } from '../../io/text-file.ts';
import { linesForPeople, escaped, jsonForLog } from '../../shared/for-people.ts';

interface ChangedCheck {
  readonly timeout: number;
  readonly json?: boolean;
}

/**
 * Checks the Lean files that changed since the last commit, each against its old version: every theorem is still stated, with the same meaning, and no definition has changed its meaning. If more than theorems changed, the files that import them are checked too, because the same text may mean something else there. So is a file that the lakefile now compiles with other options or other imports. A `sorry` is allowed: work is in progress.
 */
export async function checkChanged(
  folder: string,
  settings: Settings,
  { timeout, json = false }: ChangedCheck,
): Promise<ExitCode> {
  const root = await new Git(folder).root();
  if (!root.ok) throw new UserError('no-git', root.error.message, root.error.fix);
  const git = new Git(root.value);
  const files = await changedFiles(git);
  const missing = files.filter((file) => !existsSync(path.join(git.folder, file)));
  const here = files.filter((file) => !missing.includes(file));
  for (const file of missing) process.stdout.write(escaped`✗ ${file}  was deleted, with all its theorems\n`);
  if (here.length === 0 && !(await hasNewSettings(git)))
    return missing.length > 0 ? ExitCode.notAll : ExitCode.done;

  const objections: Verdict[] = [];
  let note = '';
  const tell = (file: string, verdicts: readonly Verdict[]): void => {
    const found = verdicts.filter(isObjection);
    objections.push(...found);
    if (!json) note ||= kernelNote(verdicts);
    for (const verdict of json ? verdicts : found)
      process.stdout.write(json ? jsonForLog({ file, ...verdict }) : describe(file, verdict));
  };
  const tracked = namesIn(valueOrThrow(await git.run('ls-files', '-z', '--', '*.lean')));
  const looked = await inWorktree(git, 'HEAD', async ({ folder: before }) => {
    const trees = { before, tree: git.folder };
    const shifted = shiftedFiles(trees, tracked);
    const all = [...new Set([...here, ...shifted])];
    if (all.length === 0) return;
    const limits = { deadlineMs: timeout * 1000 };
    const image = imageOfFiles(all.map((file) => path.join(git.folder, file)));
    await using lean = await openLean(settings, { image, slots: 1 });
    process.stderr.write(judgedBy(lean.pool.toolchain));
    const deep: string[] = [];
    for (const file of all) {
      const { verdicts, isInTheorems } = await judgeSince(lean, trees, file, limits);
      tell(file, verdicts);
      if (!isInTheorems || shifted.includes(file)) deep.push(file);
    }
    for (const file of importersOfFiles(git.folder, deep).filter((one) => !all.includes(one)))
      tell(file, (await judgeSince(lean, trees, file, limits)).verdicts);
  });
  process.stderr.write(note);
  if (!looked.ok) throw new UserError('no-worktree', `git: ${looked.error.message}`);
  if (objections.some(({ verdict }) => verdict === 'unknown')) return ExitCode.unknown;
  return objections.length + missing.length > 0 ? ExitCode.notAll : ExitCode.done;
}

/** A new file has no old version to compare with, and nothing else depends on it. */
async function judgeSince(lean: Lean, trees: Trees, file: string, limits: RequestLimits) {
  if (existsSync(path.join(trees.before, file))) return await judgeChange(lean.gate, trees, file, limits);
  const place = path.join(trees.tree, file);
  const text = readText(place);
  const environment = environmentOfFile(place, text);
  return { verdicts: await lean.gate.checkFile({ text, environment }, limits), isInTheorems: true };
}

/** Files of the repository that import the given ones, directly or indirectly. */
function importersOfFiles(root: string, files: readonly string[]): string[] {
  const places = files.map((file) => path.join(root, file));
  const found = new Set<string>();
  for (const folder of new Set(places.map((place) => findProject(place).folder))) {
    const project = findProject(folder);
    const names = places.map((place) => project.moduleAt(place).name);
    for (const { file } of importersOf(graphOf(project, project.own()), names)) found.add(file);
  }
  return [...found].map((file) => path.relative(root, file)).filter((file) => !file.startsWith('..'));
}

/** Relative to the top of the repository; includes new files. */
async function changedFiles(git: Git): Promise<string[]> {
  const tracked = await git.edited('*.lean');
  const fresh = await git.run('ls-files', '-z', '--others', '--exclude-standard', '--', '*.lean');
  if (!tracked.ok) throw new UserError('no-commit', `git: ${tracked.error.message}`, 'Make a first commit.');
  // a sparse checkout leaves out files that git does not compare either
  const hidden = valueOrThrow(await git.hidden('*.lean')).filter((name) =>
    existsSync(path.join(git.folder, name)),
  );
  return namesIn([tracked.value, valueOrThrow(fresh), ...hidden].join('\0'));
}

/** Names of Lean files in git's answer. */
function namesIn(answer: string): string[] {
  const names = answer.split('\0');
  return [...new Set(names)].filter((name) => name !== '' && path.basename(name) !== 'lakefile.lean');
}

/** Whether a file that says how modules are compiled differs from the commit, even if git ignores or hides it. */
async function hasNewSettings(git: Git): Promise<boolean> {
  const names = ['lakefile.lean', 'lakefile.toml', ...packageLists];
  const places = names.map((name) => `:(glob)**/${name}`);
  const answers = [
    await git.edited(...places),
    await git.run('ls-files', '-z', '--others', '--', ...places, ':(exclude,glob)**/.lake/packages/**'),
  ];
  const hidden = valueOrThrow(await git.hidden(...places));
  return hidden.length > 0 || answers.some((answer) => valueOrThrow(answer) !== '');
}

/** A file without theorems has nothing to weaken. */
function isObjection({ verdict, kind }: Verdict): boolean {
  return verdict !== 'accepted' && kind !== 'sorry' && kind !== 'no-theorem';
}

function describe(file: string, { verdict, name, kind, message }: Verdict): string {
  return `${escaped`${verdict === 'unknown' ? '?' : '✗'} ${file}  ${name ?? ''}  ${kind}`}: ${linesForPeople(message)}\n`;
}
