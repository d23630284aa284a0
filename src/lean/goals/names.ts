import { sha256 } from '../../core/sha256.ts';

/** Longest name that the ledger's indexes can hold. */
const longest = 1000;

/** The name itself, or its beginning plus a hash of the whole name. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const beginning = Buffer.from(name)
    .subarray(0, longest / 2)
    .toString()
    .replace(/\ufffd+$/, '');
  return `${beginning}… ${sha256(name).slice(0, 16)}`;
}

/** Names for goals of several files in one run: their own, prefixed with the file if already taken. */
export class GoalNames {
  readonly #owners = new Map<string, string>();

  nameIn(file: string, id: string): string {
    const owner = this.#owners.get(id) ?? file;
    this.#owners.set(id, owner);
    return shortName(owner === file ? id : `${file}: ${id}`);
  }
}
