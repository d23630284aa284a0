/**
 * The symbol table that replaces Emscripten's `dlsym`. Lean's interpreter looks up about 200,000 compiled functions by
 * name; as shipped each look-up is a linear scan. Here it is an open-addressing hash table of (hash, hash, address)
 * triples that every thread reads from one file. Its size is a power of two with a fifth of the slots free: each thread
 * that looks up a name holds the whole table.
 */
function slotsFor(symbols: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(2, symbols * 1.25)));
}

/** Two independent 32-bit hashes; `encodeSymbols` proves at build time that no two names share both. */
function hashSymbol(bytes: ArrayLike<number>, start: number): [number, number] {
  let first = 0x811c9dc5;
  let second = 0x12345678;
  for (let index = start; ; index++) {
    const byte = bytes[index];
    if (!byte) return [first >>> 0, second >>> 0];
    first = Math.imul(first ^ byte, 0x01000193);
    second = Math.imul(second ^ byte, 0x85ebca6b);
    second ^= second >>> 13;
  }
}

export function encodeSymbols(addresses: ReadonlyMap<string, number>): Buffer {
  const slots = slotsFor(addresses.size);
  const table = new Uint32Array(slots * 3);
  for (const [name, address] of addresses) {
    const [first, second] = hashSymbol(Buffer.from(`${name}\0`, 'latin1'), 0);
    let slot = first & (slots - 1);
    while (table[slot * 3 + 2]) {
      if (table[slot * 3] === first && table[slot * 3 + 1] === second)
        throw new Error(`symbol hash collision at ${name}`);
      slot = (slot + 1) & (slots - 1);
    }
    table.set([first, second, address], slot * 3);
  }
  return Buffer.from(table.buffer);
}

/** The address of the zero-terminated name at `start`, or 0. */
export function findSymbol(table: Uint32Array, bytes: ArrayLike<number>, start: number): number {
  const [first, second] = hashSymbol(bytes, start);
  const last = table.length / 3 - 1;
  for (let slot = first & last; ; slot = (slot + 1) & last) {
    const address = table[slot * 3 + 2];
    if (!address) return 0;
    if (table[slot * 3] === first && table[slot * 3 + 1] === second) return address;
  }
}
