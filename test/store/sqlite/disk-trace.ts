import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SeededRandom } from '../../helpers/random.ts';

const writer = fileURLToPath(new URL('../../fixtures/ledger-writer.ts', import.meta.url));
const calls = ['pwrite64', 'ftruncate', 'fsync', 'fdatasync', 'unlink', 'write'];

/** The file system calls of the ledger's process in order, with its announcements in between. */
export type Step =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly length: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'remove'; readonly file: string }
  | { readonly kind: 'told'; readonly text: string };

export interface Recorded {
  readonly code: number | null;
  readonly told: readonly string[];
}

/** Runs the writer of ledgers under strace; `inject` makes calls fail. */
export function recordWriter(
  file: string,
  goals: number,
  trace: string,
  inject: readonly string[] = [],
): Recorded {
  const flags = ['-qq', '-y', '-xx', '-s', '10000000', '-o', trace, '-e', `trace=${calls.join(',')}`];
  const command = [process.execPath, writer, file, 'run-1', String(goals)];
  const { status, stdout, stderr, error } = spawnSync('strace', [...flags, ...inject, ...command], {
    encoding: 'utf8',
  });
  if (error || !stdout.startsWith('ready\n'))
    throw new Error(
      `strace cannot follow the writer (test/provide.ts installs it): ${error?.message ?? stderr}`,
    );
  return { code: status, told: stdout.split('\n').slice(1, -1) };
}

/** Only the main thread is traced: SQLite works there. */
export function readTrace(trace: string, folder: string): Step[] {
  const steps: Step[] = [];
  for (const line of readFileSync(trace, 'latin1').split('\n')) {
    const call = /^(\w+)\((.*)\) += (-?\d+)/.exec(line);
    if (!call || Number(call[3]) < 0) continue;
    const [, name = '', text = ''] = call;
    const file = unhex(/^\d+<((?:\\x..)+|[^>]*)>/.exec(text)?.[1] ?? '').toString();
    const named = path.relative(folder, file);
    const bytes = (): Buffer => unhex(/"((?:\\x..)*)"/.exec(text)?.[1] ?? '');
    const numbers =
      text
        .replace(/"[^"]*"/, '')
        .match(/\d+/g)
        ?.map(Number) ?? [];
    if (name === 'write') {
      if (text.startsWith('1<')) steps.push({ kind: 'told', text: bytes().toString().trim() });
      else if (!named.startsWith('..') && named !== '')
        throw new Error(`a write without an offset: ${line.slice(0, 200)}`);
    } else if (name === 'unlink') {
      steps.push({ kind: 'remove', file: path.relative(folder, bytes().toString()) });
    } else if (named.startsWith('..')) continue;
    else if (name === 'pwrite64')
      steps.push({ kind: 'write', file: named, offset: numbers.at(-1) ?? 0, bytes: bytes() });
    else if (name === 'ftruncate') steps.push({ kind: 'truncate', file: named, length: numbers.at(-1) ?? 0 });
    else steps.push({ kind: 'sync', file: named });
  }
  return steps;
}

function unhex(text: string): Buffer {
  return text.startsWith('\\x') ? Buffer.from(text.replaceAll('\\x', ''), 'hex') : Buffer.from(text);
}

const sector = 512;

/**
 * The content of a disk when the power fails after a number of steps. Everything before the last sync of a file is stored. Of
 * later writes any part may be stored, in any order: a complete write, some of its sectors, or nothing.
 */
export function afterPowerCut(
  steps: readonly Step[],
  count: number,
  random: SeededRandom,
): Map<string, Buffer> {
  const disk = new Map<string, Content>();
  const done = steps.slice(0, count);
  const synced = new Map<string, number>();
  for (const [index, step] of done.entries()) if (step.kind === 'sync') synced.set(step.file, index);
  for (const [index, step] of done.entries()) {
    if (step.kind === 'told' || step.kind === 'sync') continue;
    const isDurable = index < (synced.get(step.file) ?? -1) || index < (synced.get('') ?? -1);
    const fate = isDurable ? 0 : random.next();
    if (step.kind === 'remove') {
      if (fate < 0.5) disk.delete(step.file);
      continue;
    }
    if (fate >= (step.kind === 'truncate' ? 0.5 : 0.7)) continue;
    const content = disk.get(step.file) ?? new Content();
    disk.set(step.file, content);
    if (step.kind === 'truncate') content.resize(step.length);
    else {
      content.resize(Math.max(content.length, step.offset + step.bytes.length));
      for (let from = 0; from < step.bytes.length; from += sector)
        if (fate < 0.4 || random.next() < 0.5)
          content.write(step.bytes.subarray(from, from + sector), step.offset + from);
    }
  }
  return new Map([...disk].map(([file, content]) => [file, content.bytes()]));
}

/** A file that grows without being copied for each write. */
class Content {
  length = 0;
  #room = Buffer.alloc(1 << 16);

  resize(length: number): void {
    if (length > this.#room.length) this.#room = Buffer.concat([this.#room, Buffer.alloc(2 * length)]);
    this.#room.fill(0, length, Math.max(length, this.length));
    this.length = length;
  }

  write(bytes: Buffer, offset: number): void {
    bytes.copy(this.#room, offset);
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.length);
  }
}

/** The files of such a disk, in a folder. */
export function restore(disk: ReadonlyMap<string, Buffer>, folder: string): void {
  for (const [file, bytes] of disk) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
}
