/** The parts of the WebAssembly binary format that are needed to patch Lean. Numbers below 2^32 only. */

export const SectionId = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  global: 6,
  export: 7,
  element: 9,
  code: 10,
} as const;

export const ExternalKind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const;

export interface Section {
  readonly id: number;
  /** Where the section starts (its id byte), its content starts, and it ends. */
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

export class WasmReader {
  position: number;
  readonly bytes: Buffer;

  constructor(bytes: Buffer, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  byte(): number {
    return this.bytes.readUInt8(this.position++);
  }

  /** An unsigned LEB128 number. */
  unsigned(): number {
    let result = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      result += (byte & 127) * factor;
      if (byte < 128) return result;
    }
  }

  /** A signed LEB128 number, as 32 bits. */
  signed(): number {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) {
        if (byte & 64) result |= -1n << (shift + 7n);
        return Number(BigInt.asIntN(32, result));
      }
    }
  }

  name(): string {
    const length = this.unsigned();
    const text = this.bytes.toString('latin1', this.position, this.position + length);
    this.position += length;
    return text;
  }

  expect(byte: number, what: string): void {
    const found = this.byte();
    if (found !== byte)
      throw new Error(`wasm: expected ${what} (${byte}), found ${found} at ${this.position - 1}`);
  }

  skipLimits(): void {
    const flags = this.unsigned();
    this.unsigned();
    if (flags & 1) this.unsigned();
  }
}

export function readSections(bytes: Buffer): Section[] {
  const reader = new WasmReader(bytes, 8);
  const sections: Section[] = [];
  while (reader.position < bytes.length) {
    const start = reader.position;
    const id = reader.byte();
    const size = reader.unsigned();
    const content = reader.position;
    sections.push({ id, start, content, end: content + size });
    reader.position = content + size;
  }
  return sections;
}

export function unsigned(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest ? low | 128 : low);
  } while (rest);
  return Buffer.from(bytes);
}

/** A signed LEB128 number of 32 bits. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ;) {
    const low = rest & 127;
    rest >>= 7;
    if ((rest === 0 && !(low & 64)) || (rest === -1 && low & 64)) return [...bytes, low];
    bytes.push(low | 128);
  }
}

export function section(id: number, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([id]), unsigned(content.length), content]);
}
