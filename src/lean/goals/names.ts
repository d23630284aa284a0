import { sha256 } from '../toolchain/fingerprint.ts';

/** The ledger keeps names in indexes, which hold no longer ones. */
const longest = 1000;

/** The name itself, or its beginning with a hash of the whole. */
export function shortName(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const beginning = Buffer.from(name)
    .subarray(0, longest / 2)
    .toString()
    .replace(/\ufffd+$/, '');
  return `${beginning}… ${sha256(name).slice(0, 16)}`;
}

/** The names that goals of several files go by in one run: their own, and with the file where another file had it first. */
export class GoalNames {
  readonly #owners = new Map<string, string>();

  nameIn(file: string, id: string): string {
    const owner = this.#owners.get(id) ?? file;
    this.#owners.set(id, owner);
    return shortName(owner === file ? id : `${file}: ${id}`);
  }
}
