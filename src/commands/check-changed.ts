import { existsSync } from 'node:fs';
import path from 'node:path';
import { openLean } from '../app.ts';
import type { Settings } from '../config/schema.ts';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { Verdict } from '../core/verdict.ts';
import { Git } from '../io/git.ts';
import { environmentOfFile } from '../lean/environment.ts';
import { imageOfFiles } from '../lean/goals/files.ts';
import { readText } from './options.ts';

interface ChangedCheck {
  readonly timeout: number;
  readonly json: boolean;
}

/**
 * The Lean files that have changed since the last commit, each against what it was then: every theorem that was stated is still
 * stated, word for word what it was, and nothing that was defined means something else. A `sorry` is no objection here: work goes on.
 */
export async function checkChanged(
  folder: string,
  settings: Settings,
  { timeout, json }: ChangedCheck,
): Promise<ExitCode> {
  const git = new Git(folder);
  const root = await git.root();
  if (!root.ok) throw new UserError('no-git', `${folder} is in no git repository`, 'git init, and commit.');
  const files = await changedFiles(new Git(root.text));
  const missing = files.filter((file) => !existsSync(path.join(root.text, file)));
  const here = files.filter((file) => !missing.includes(file)).map((file) => path.join(root.text, file));
  for (const file of missing) process.stdout.write(`✗ ${file}  is gone, and what it stated with it\n`);
  if (here.length === 0) return missing.length > 0 ? ExitCode.notAll : ExitCode.done;
  const objections: Verdict[] = [];
  await using lean = await openLean(settings, { image: imageOfFiles(here), slots: 1 });
  for (const file of here) {
    const text = readText(file);
    const name = path.relative(root.text, file);
    const before = await git.fileIn('HEAD', name);
    const verdicts = await lean.gate.checkFile(
      { text, environment: environmentOfFile(file, text), ...(before !== undefined && { against: before }) },
      { deadlineMs: timeout * 1000 },
    );
    const found = verdicts.filter(isObjection);
    objections.push(...found);
    for (const verdict of json ? verdicts : found)
      process.stdout.write(
        json ? `${JSON.stringify({ file: name, ...verdict })}\n` : describe(name, verdict),
      );
  }
  if (objections.some(({ verdict }) => verdict === 'unknown')) return ExitCode.unknown;
  return objections.length + missing.length > 0 ? ExitCode.notAll : ExitCode.done;
}

/** From the top of the repository; new ones too. */
async function changedFiles(git: Git): Promise<string[]> {
  const tracked = await git.run('diff', '--name-only', '--no-renames', 'HEAD', '--', '*.lean');
  const fresh = await git.run('ls-files', '--others', '--exclude-standard', '--', '*.lean');
  if (!tracked.ok)
    throw new UserError('no-commit', `git: ${tracked.message}`, 'There must be a first commit.');
  const names = [tracked.text, fresh.ok ? fresh.text : ''].join('\n').split('\n');
  return names.filter((name) => name !== '' && path.basename(name) !== 'lakefile.lean');
}

/** A file that states nothing has nothing to weaken. */
function isObjection({ verdict, kind }: Verdict): boolean {
  return verdict !== 'accepted' && kind !== 'sorry' && kind !== 'no-theorem';
}

function describe(file: string, { verdict, name, kind, message }: Verdict): string {
  return `${verdict === 'unknown' ? '?' : '✗'} ${file}  ${name ?? ''}  ${kind}: ${message}\n`;
}
