import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { refuseLinkedState } from '../../config/trust.ts';
import { UserError } from '../../core/errors.ts';
import { gitFact } from '../../io/git-process.ts';
import { createFiles, isPlainFile, removeFiles } from '../../io/new-files.ts';
import { replaceFile } from '../../io/whole-file.ts';
import type { AdoptPlan } from './plan.ts';
import type { ProjectFacts } from './survey.ts';
import { sha256 } from '../../core/sha256.ts';

/**
 * The files that an adoption created, listed in `.orch/adopted.json` of the project so that `--undo` can remove
 * it.
 */
const Record = z.strictObject({
  version: z.literal(1),
  /** File from the top of the repository → hash of the text that was written. */
  files: z.record(z.string(), z.string()),
  folders: z.array(z.string()),
});
type Record = z.infer<typeof Record>;

const recordName = '.orch/adopted.json';

/** Creates what the plan lists as new; returns what was created. */
export function carryOut({ project, files }: AdoptPlan, root: string): readonly string[] {
  refuseLinkedState(project.folder, process.env);
  const fresh = files.filter(({ state }) => state === 'new');
  if (fresh.length === 0) return [];
  const before = readRecord(project);
  const created = createFiles(root, fresh);
  const hashes = fresh.map(({ file, text }) => [file, sha256(text)] as const);
  const record: Record = {
    version: 1,
    files: { ...before?.files, ...Object.fromEntries(hashes) },
    folders: [...(before?.folders ?? []), ...created.folders],
  };
  try {
    replaceFile(path.join(project.folder, recordName), `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    removeFiles(root, created);
    throw error;
  }
  return created.files;
}

export interface Undone {
  readonly removed: readonly string[];
  /** Files that were changed after the adoption, so they are kept. */
  readonly kept: readonly string[];
}

/** Removes the files that an adoption created, if they are unchanged. */
export function undoAdoption(project: ProjectFacts, root: string): Undone | undefined {
  refuseLinkedState(project.folder, process.env);
  const record = readRecord(project);
  if (!record) return undefined;
  const state = project.place === '' ? '.orch' : `${project.place}/.orch`;
  const ignore = `${state}/.gitignore`;
  const present = Object.keys(record.files).filter((file) => isPlainFile(root, file) && file !== ignore);
  const isUnchanged = (file: string): boolean =>
    sha256(readFileSync(path.join(root, file), 'utf8')) === record.files[file];
  const removed = present.filter(isUnchanged);
  // a ledger in .orch is kept, and git still ignores it
  const others = readdirSync(path.join(root, state)).filter((name) => !ourState.has(name));
  const last = [`${state}/adopted.json`, ...(others.length === 0 ? [ignore] : [])];
  removeFiles(root, { files: [...removed, ...last], folders: record.folders });
  return { removed, kept: present.filter((file) => !removed.includes(file)) };
}

const ourState = new Set(['adopted.json', '.gitignore']);

/** The names of the files that an adoption may write. A record with other names was not written by orch. */
const ownFile =
  /(?:^|\/)(?:orch\.toml|Makefile|\.orch\/\.gitignore)$|^\.github\/(?:workflows\/[^/]*orch-(?:ci|docs|heavy|sweep)\.yml|PULL_REQUEST_TEMPLATE\.md)$/;
const ownFolder = /^(?:\.github(?:\/workflows)?|(?:.*\/)?\.orch)$/;

/** The record of a project. One that came with the checkout could name files that orch never wrote, so it is refused. */
function readRecord({ folder }: ProjectFacts): Record | undefined {
  const file = path.join(folder, recordName);
  if (!existsSync(file)) return undefined;
  const read = Record.safeParse(parsed(file));
  const names = read.success ? Object.keys(read.data.files) : [];
  const isOurs =
    read.success &&
    names.every((name) => ownFile.test(name) && !name.split('/').includes('..') && !path.isAbsolute(name)) &&
    read.data.folders.every((name) => ownFolder.test(name) && !name.split('/').includes('..')) &&
    gitFact(folder, 'ls-files', '--', recordName) === '';
  if (isOurs) return read.data;
  throw new UserError(
    'adopt-record',
    `${file} is not a record that orch wrote here`,
    'Delete it. Then remove unwanted files yourself.',
  );
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
