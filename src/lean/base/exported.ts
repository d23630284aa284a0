import * as z from 'zod';
import { sha256 } from '../../core/sha256.ts';

/** The parts of an export (docs/PROTOCOL.md) used here: constants mentioned by a declaration, and its statement. */
const Export = z.object({
  names: z.array(z.union([z.null(), z.tuple([z.number(), z.union([z.string(), z.number()])])])),
  exprs: z.array(z.array(z.unknown())),
  declarations: z.array(
    z.object({
      kind: z.string(),
      name: z.number().optional(),
      type: z.number().optional(),
      value: z.number().optional(),
      types: z
        .array(
          z.object({
            name: z.number(),
            type: z.number(),
            constructors: z.array(z.tuple([z.number(), z.number()])),
          }),
        )
        .default([]),
    }),
  ),
});
type Export = z.infer<typeof Export>;

export interface ExportedDeclaration {
  /** All constants that its type mentions. */
  readonly inType: ReadonlySet<string>;
  readonly inValue: ReadonlySet<string>;
  readonly isTheorem: boolean;
  readonly isAxiom: boolean;
  /** SHA-256 of its type, and of everything that this text declares and the type reaches. Binder names do not count. */
  readonly statement: string;
}

/** The declarations of an export by name; empty for malformed input. */
export function readExport(data: unknown): ReadonlyMap<string, ExportedDeclaration> {
  const parsed = Export.safeParse(data);
  return parsed.success ? new Exported(parsed.data).declarations() : new Map();
}

interface Parts {
  readonly kind: string;
  /** Expressions of the statement: its type; of an inductive type, its constructors too. */
  readonly type: readonly number[];
  readonly value: readonly number[];
}

class Exported {
  readonly #names: readonly string[];
  readonly #parts = new Map<string, Parts>();
  /** Each expression as text that names its parts. */
  readonly #digests: string[] = [];
  readonly #constants: ReadonlySet<string>[] = [];

  constructor(data: Export) {
    const names: string[] = [];
    for (const row of data.names)
      names.push(
        row === null ? '' : [names[row[0]] ?? '', String(row[1])].filter((part) => part !== '').join('.'),
      );
    this.#names = names;
    for (const row of data.exprs) this.#addExpression(row);
    for (const { kind, name, type, value, types } of data.declarations) {
      if (name !== undefined)
        this.#parts.set(this.#name(name), { kind, type: numbers(type), value: numbers(value) });
      for (const one of types)
        this.#parts.set(this.#name(one.name), {
          kind,
          type: [one.type, ...one.constructors.map(([, constructor]) => constructor)],
          value: [],
        });
    }
  }

  declarations(): ReadonlyMap<string, ExportedDeclaration> {
    const statements = new Map<string, string>();
    return new Map(
      Array.from(this.#parts, ([name, { kind, type, value }]) => [
        name,
        {
          isTheorem: kind === 'theorem',
          isAxiom: kind === 'axiom',
          inType: this.#constantsOf(type),
          inValue: this.#constantsOf(value),
          statement: this.#statementOf(name, statements),
        },
      ]),
    );
  }

  /** The meaning of a statement depends on the definitions it reaches, never on proofs. */
  #statementOf(name: string, known: Map<string, string>): string {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, name);
    const parts = this.#parts.get(name);
    const meant = parts ? [...parts.type, ...(parts.kind === 'theorem' ? [] : parts.value)] : [];
    const reached = [...this.#constantsOf(meant)]
      .filter((other) => other !== name && this.#parts.has(other))
      .toSorted();
    const text = [
      ...meant.map((expression) => this.#digests[expression]),
      ...reached.map((other) => `${other} ${this.#statementOf(other, known)}`),
    ];
    const hash = sha256(text.join('\n'));
    known.set(name, hash);
    return hash;
  }

  #constantsOf(expressions: readonly number[]): ReadonlySet<string> {
    return new Set(expressions.flatMap((expression) => [...(this.#constants[expression] ?? [])]));
  }

  #addExpression(row: readonly unknown[]): void {
    const [tag, ...operands] = row;
    const below = expressionsOf(tag, operands);
    const constants = new Set(below.flatMap((expression) => [...(this.#constants[expression] ?? [])]));
    if (tag === 'c') constants.add(this.#name(operands[0]));
    if (tag === 'j') constants.add(this.#name(operands[0]));
    this.#constants.push(constants);
    const own =
      tag === 'c' || tag === 'j'
        ? this.#name(operands[0])
        : ['b', 'n', 't'].includes(String(tag))
          ? operands[0]
          : '';
    this.#digests.push(
      sha256(
        JSON.stringify([
          tag,
          own,
          tag === 'j' ? operands[1] : null,
          ...below.map((one) => this.#digests[one]),
        ]),
      ),
    );
  }

  #name(index: unknown): string {
    return this.#names[Number(index)] ?? '';
  }
}

/** The operands of an expression that are expressions themselves. */
function expressionsOf(tag: unknown, operands: readonly unknown[]): number[] {
  switch (tag) {
    case 'a':
      return operands.map(Number);
    case 'l':
    case 'p':
      return operands.slice(2, 4).map(Number);
    case 'd':
      return operands.slice(1, 4).map(Number);
    case 'j':
      return [Number(operands[2])];
    default:
      return [];
  }
}

const numbers = (one: number | undefined): number[] => (one === undefined ? [] : [one]);
