/**
 * A compiled module as data. Lean maps an `.olean` into memory and believes it; here it is untrusted bytes. Nothing in it runs, a
 * pointer must lead to the start of an earlier object, and a file that breaks a rule is refused. Reads files of 32- and 64-bit Lean.
 */
export class OleanError extends Error {
  override readonly name = 'OleanError';
}

/** An object of a file. */
export interface OleanObject {
  readonly part: Part;
  readonly at: number;
}

/** A small number, which is also a constructor without fields, or an object. */
export type OleanValue = number | OleanObject;

/** One file of a module. */
interface Part {
  readonly bytes: Buffer;
  readonly word: 4 | 8;
  readonly base: bigint;
  /** Bytes of each object, by its start. */
  readonly sizes: ReadonlyMap<number, number>;
  /** One object per place, so that places can be compared. */
  readonly places: Map<number, OleanObject>;
}

const addressAt = 80;
const tags = { constructor: 244, array: 246, scalars: 248, string: 249, number: 250 };
const maxNumberBytes = 1 << 20;
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class Olean {
  /** The version of Lean that wrote it. */
  readonly lean: string;
  readonly #parts: readonly Part[];

  /** `files`: the module, then the files beside it, which refer to those before. */
  constructor(files: readonly Buffer[]) {
    this.#parts = files.map((bytes) => partOf(bytes));
    this.lean = files[0]?.toString('latin1', 7, 40).replace(/\0.*$/s, '') ?? '';
  }

  /** The data of the last file, which has everything. */
  get root(): OleanValue {
    const part = this.#parts.at(-1);
    if (!part) throw new OleanError('there is no file');
    return this.#value(part, addressAt + part.word, part.bytes.length);
  }

  tag(value: OleanValue): number {
    if (typeof value === 'number') return value;
    const tag = tagAt(value);
    if (tag > tags.constructor) throw new OleanError('expected a constructor');
    return tag;
  }

  field(value: OleanValue, index: number): OleanValue {
    const place = objectAt(value, 'constructor');
    const { part, at } = place;
    if (index >= fieldsOf(place)) throw new OleanError(`an object has no field ${index}`);
    return this.#value(part, at + 8 + index * part.word, at);
  }

  /** A byte behind the fields of a constructor, after `skip` others. */
  byte(value: OleanValue, skip = 0): number {
    return scalarsOf(objectAt(value, 'constructor'), skip, 1).readUInt8();
  }

  word(value: OleanValue): number {
    return scalarsOf(objectAt(value, 'constructor'), 0, 4).readUInt32LE();
  }

  array(value: OleanValue): OleanValue[] {
    const { part, at } = objectAt(value, 'array');
    const first = at + 8 + 2 * part.word;
    const length = sizeAt(part, at + 8);
    return Array.from({ length }, (_, index) => this.#value(part, first + index * part.word, at));
  }

  list(value: OleanValue): OleanValue[] {
    const all: OleanValue[] = [];
    for (let rest = value; typeof rest !== 'number'; rest = this.field(rest, 1))
      all.push(this.field(rest, 0));
    return all;
  }

  string(value: OleanValue): string {
    const { part, at } = objectAt(value, 'string');
    const first = at + 8 + 3 * part.word;
    const length = sizeAt(part, at + 8);
    if (length === 0) throw new OleanError('a string has no end');
    return strict.decode(part.bytes.subarray(first, first + length - 1));
  }

  natural(value: OleanValue): bigint {
    if (typeof value === 'number') return BigInt(value);
    const { part, at } = objectAt(value, 'number');
    const { first, bytes, isNegative } = digitsAt(part, at);
    if (isNegative) throw new OleanError('a natural number is negative');
    const digits = part.bytes.subarray(first, first + bytes).toReversed();
    return BigInt(`0x0${Buffer.from(digits).toString('hex')}`);
  }

  /** A number that JavaScript can hold. */
  small(value: OleanValue): number {
    const number = this.natural(value);
    if (number > Number.MAX_SAFE_INTEGER) throw new OleanError('a number is too large');
    return Number(number);
  }

  /** The value stored at a place inside of the object `owner`. */
  #value(own: Part, stored: number, owner: number): OleanValue {
    const raw = own.word === 4 ? BigInt(own.bytes.readUInt32LE(stored)) : own.bytes.readBigUInt64LE(stored);
    if ((raw & 1n) === 1n) {
      if (raw >> 1n > Number.MAX_SAFE_INTEGER) throw new OleanError('a number is too large');
      return Number(raw >> 1n);
    }
    for (const part of this.#parts) {
      const offset = raw - part.base;
      const at = offset >= 0 && offset < part.bytes.length ? Number(offset) : -1;
      if (part.sizes.has(at) && (part !== own || at < owner)) return placeAt(part, at);
      if (part === own) break;
    }
    throw new OleanError('a pointer leads to no earlier object');
  }
}

function placeAt(part: Part, at: number): OleanObject {
  const known = part.places.get(at);
  if (known) return known;
  const place = { part, at };
  part.places.set(at, place);
  return place;
}

/** Objects follow each other without gaps. */
function partOf(bytes: Buffer): Part {
  if (bytes.toString('latin1', 0, 5) !== 'olean' || bytes.readUInt8(5) !== 2)
    throw new OleanError('not a compiled module of a known format');
  const word = wordOf(bytes);
  const base = word === 4 ? BigInt(bytes.readUInt32LE(addressAt)) : bytes.readBigUInt64LE(addressAt);
  const sizes = new Map<number, number>();
  const part: Part = { bytes, word, base, sizes, places: new Map() };
  for (let at = addressAt + 2 * word; at < bytes.length;) {
    const size = Math.ceil(bytesAt(part, at) / word) * word;
    if (at + size > bytes.length) throw new OleanError('an object is cut off');
    sizes.set(at, size);
    at += size;
  }
  return part;
}

/** The root's address follows the address for the file, in the same width. */
function wordOf(bytes: Buffer): 4 | 8 {
  if (bytes.length < addressAt + 24) throw new OleanError('the file is cut off');
  const isInside = (offset: number | bigint): boolean => offset > 0 && offset < bytes.length;
  if (isInside(bytes.readBigUInt64LE(addressAt + 8) - bytes.readBigUInt64LE(addressAt))) return 8;
  if (isInside(bytes.readUInt32LE(addressAt + 4) - bytes.readUInt32LE(addressAt))) return 4;
  throw new OleanError('the file has no root');
}

function tagAt({ part, at }: OleanObject): number {
  return part.bytes.readUInt8(at + 7);
}

function fieldsOf({ part, at }: OleanObject): number {
  return part.bytes.readUInt8(at + 6);
}

function objectAt(value: OleanValue, kind: keyof typeof tags): OleanObject {
  const tag = typeof value === 'number' ? undefined : tagAt(value);
  const isKind = tag !== undefined && (kind === 'constructor' ? tag <= tags.constructor : tag === tags[kind]);
  if (typeof value === 'number' || !isKind) throw new OleanError(`expected a ${kind}`);
  return value;
}

function scalarsOf(place: OleanObject, skip: number, length: number): Buffer {
  const { part, at } = place;
  const first = at + 8 + fieldsOf(place) * part.word + skip;
  if (first + length > at + (part.sizes.get(at) ?? 0)) throw new OleanError('an object is too short');
  return part.bytes.subarray(first, first + length);
}

/** A size as Lean writes it, no larger than the file. */
function sizeAt({ bytes, word }: Part, at: number): number {
  if (at + word > bytes.length) throw new OleanError('an object is cut off');
  const size = word === 4 ? BigInt(bytes.readUInt32LE(at)) : bytes.readBigUInt64LE(at);
  if (size > bytes.length) throw new OleanError('an object is larger than its file');
  return Number(size);
}

function bytesAt(part: Part, at: number): number {
  const { bytes, word } = part;
  if (at + 8 > bytes.length) throw new OleanError('an object is cut off');
  const tag = bytes.readUInt8(at + 7);
  if (tag <= tags.constructor) {
    const size = bytes.readUInt16LE(at + 4);
    if (size < 8 + bytes.readUInt8(at + 6) * word) throw new OleanError('an object is too short');
    return size;
  }
  if (tag === tags.array) return 8 + 2 * word + sizeAt(part, at + 8) * word;
  if (tag === tags.scalars) return 8 + 2 * word + sizeAt(part, at + 8) * bytes.readUInt8(at + 6);
  if (tag === tags.string) return 8 + 3 * word + sizeAt(part, at + 8);
  if (tag !== tags.number) throw new OleanError(`an object of kind ${tag}`);
  const digits = digitsAt(part, at);
  return digits.first + digits.bytes - at;
}

/** A large number. Lean with GMP, which the header says, keeps count and sign in one field. */
function digitsAt(part: Part, at: number): { first: number; bytes: number; isNegative: boolean } {
  const { bytes, word } = part;
  if (at + 8 + 3 * word > bytes.length) throw new OleanError('an object is cut off');
  const isGmp = (bytes.readUInt8(6) & 1) === 1;
  const signed = bytes.readInt32LE(at + 12);
  const count = isGmp ? Math.abs(signed) : sizeAt(part, at + 8 + word);
  const length = count * (isGmp ? word : 4);
  if (length > maxNumberBytes) throw new OleanError('a number is too large');
  return {
    first: at + 8 + (isGmp ? 8 + word : 3 * word),
    bytes: length,
    isNegative: isGmp ? signed < 0 : bytes.readUInt8(at + 8) !== 0,
  };
}
