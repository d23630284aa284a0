import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import { makeFolders } from '../../core/folders.ts';
import type { ConstantKey } from './messages.ts';

/**
 * Constants as data in a file that several processes add to, one per line: the parts of the name as JSON, a tab, the
 * data, a tab. Whatever a crash left incomplete is skipped on reading, because it lacks its last tab.
 */
export class ConstantsFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  async read(): Promise<Map<ConstantKey, string | null>> {
    const known = new Map<ConstantKey, string | null>();
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    for (const line of text.split('\n')) {
      const [key, data, end, ...more] = line.split('\t');
      if (key !== undefined && data !== undefined && end === '' && more.length === 0) known.set(key, data);
    }
    return known;
  }

  /** In one write, which other processes cannot divide, and below any line that was left incomplete. */
  async append(entries: readonly (readonly [ConstantKey, string])[]): Promise<void> {
    makeFolders(path.dirname(this.#file), 0o700);
    await using file = await open(this.#file, 'a', 0o600);
    await file.write(Buffer.from(`\n${entries.map(([key, data]) => `${key}\t${data}\t\n`).join('')}`));
  }
}
