import { writtenName } from '../base/module-names.ts';
import type { Name } from '../base/names.ts';
import { Olean, OleanError, type OleanObject, type OleanValue } from './olean.ts';

/** A declaration of a compiled module, unread. */
export interface OleanConstant {
  readonly name: Name;
  readonly kind: Kind;
  readonly from: Olean;
  readonly value: OleanValue;
  /** Not seen by any kernel. */
  readonly isUnsafe: boolean;
}

const kinds = [
  'axiom',
  'definition',
  'theorem',
  'opaque',
  'quotient',
  'inductive',
  'constructor',
  'recursor',
] as const;
type Kind = (typeof kinds)[number];

export interface OleanModule {
  /** The version of Lean that wrote it. */
  readonly lean: string;
  readonly imports: readonly string[];
  /** By the key of their names. */
  readonly constants: ReadonlyMap<string, OleanConstant>;
  /** Declarations that run other code than their own: `implemented_by`, `extern`. */
  readonly replaced: ReadonlyMap<string, string>;
}

/** Two names are equal if their keys are. */
export function oleanKey(name: Name): string {
  return JSON.stringify(name);
}

const replacing = new Map([
  ['["Lean","Compiler","implementedByAttr"]', 'implemented_by'],
  ['["Lean","externAttr"]', 'extern'],
]);

export function readOleanModule(files: readonly Buffer[]): OleanModule {
  const olean = new Olean(files);
  const { root } = olean;
  const names = olean.array(olean.field(root, 1)).map((name) => nameOf(olean, name));
  const values = olean.array(olean.field(root, 2));
  if (names.length !== values.length) throw new OleanError('the lists of names and constants differ');
  const constants = new Map<string, OleanConstant>();
  for (const [index, value] of values.entries()) {
    const constant = constantOf(olean, value, names[index] ?? []);
    constants.set(oleanKey(constant.name), constant);
  }
  if (constants.size !== values.length) throw new OleanError('a name is declared twice');
  const replaced = new Map<string, string>();
  for (const entry of olean.array(olean.field(root, 4))) {
    const attribute = replacing.get(oleanKey(nameOf(olean, olean.field(entry, 0))));
    if (attribute === undefined) continue;
    for (const one of olean.array(olean.field(entry, 1)))
      replaced.set(oleanKey(nameOf(olean, olean.field(one, 0))), attribute);
  }
  return {
    lean: olean.lean,
    imports: olean.array(olean.field(root, 0)).map((one) => moduleName(nameOf(olean, olean.field(one, 0)))),
    constants,
    replaced,
  };
}

/** It becomes a path. */
function moduleName(name: Name): string {
  const parts = name.map((part) => {
    if (typeof part === 'number' || /[\0/\\»]|^\.{0,2}$/.test(part))
      throw new OleanError('an import has no module name');
    return part;
  });
  return writtenName(parts);
}

/** Limits that no honest module reaches; they bound the work on a forged one. */
const most = { nameParts: 200, levels: 200, levelDepth: 100 };

function nameOf(olean: Olean, value: OleanValue): Name {
  const parts: (string | number)[] = [];
  for (let rest = value; typeof rest !== 'number'; rest = olean.field(rest, 0)) {
    const part = olean.field(rest, 1);
    if (parts.length === most.nameParts) throw new OleanError('a name is too long');
    parts.push(olean.tag(rest) === 1 ? olean.string(part) : olean.small(part));
  }
  return parts.toReversed();
}

function constantOf(olean: Olean, info: OleanValue, listed: Name): OleanConstant {
  const kind = kinds[olean.tag(info)];
  if (kind === undefined) throw new OleanError('a constant of an unknown kind');
  const value = olean.field(info, 0);
  const name = nameOf(olean, olean.field(olean.field(value, 0), 0));
  if (oleanKey(name) !== oleanKey(listed)) throw new OleanError('a constant is listed under another name');
  return { name, kind, from: olean, value, isUnsafe: isUnsafeAt(olean, kind, value) };
}

function isUnsafeAt(olean: Olean, kind: Kind, value: OleanValue): boolean {
  switch (kind) {
    case 'definition':
      return olean.byte(value) !== 1;
    case 'axiom':
    case 'opaque':
    case 'constructor':
      return olean.byte(value) !== 0;
    case 'inductive':
    case 'recursor':
      return olean.byte(value, 1) !== 0;
    case 'theorem':
    case 'quotient':
      return false;
  }
}

type Row = readonly (string | number | boolean | null | readonly number[])[];

/** Rows of a table, each once. */
class Table {
  readonly rows: (Row | null)[];
  readonly #known = new Map<string, number>();

  constructor(rows: (Row | null)[]) {
    this.rows = rows;
  }

  add(row: Row): number {
    const key = JSON.stringify(row);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#known.set(key, this.rows.length);
    return this.rows.push(row) - 1;
  }
}

/** Constants of compiled modules as the data that the judge reads (docs/PROTOCOL.md). Constants of Lean's library are only named. */
export class OleanExport {
  readonly #own: ReadonlyMap<string, OleanConstant>;
  readonly #names = new Table([null]);
  readonly #levels = new Table([null]);
  readonly #exprs = new Table([]);
  readonly #rowOf = new Map<OleanObject, number>();
  readonly #levelRows = new Map<OleanObject, number>();
  readonly #nameRows = new Map<OleanObject, number>();
  readonly #seen = new Set<string>();
  readonly #declarations: object[] = [];

  constructor(own: ReadonlyMap<string, OleanConstant>) {
    this.#own = own;
  }

  data(more: object): object {
    const [names, levels, exprs] = [this.#names.rows, this.#levels.rows, this.#exprs.rows];
    return { format: 2, names, levels, exprs, declarations: this.#declarations, ...more };
  }

  name(name: Name): number {
    return name.reduce<number>((parent, part) => this.#names.add([parent, part]), 0);
  }

  /** A theorem without its proof. */
  statement({ name, from, value }: OleanConstant): object {
    for (const used of this.#ownIn(namesIn([typeOf(from, value)]))) this.declare(used);
    return { name: this.name(name), ...this.#signature(from, value) };
  }

  /** A constant after everything that it depends on. */
  declare(constant: OleanConstant): void {
    const waiting = [{ one: constant, isReady: false }];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { one, isReady } = next;
      const block = this.#blockOf(one);
      const key = oleanKey((block[0] ?? one).name);
      if (isReady) this.#write(one, block);
      if (isReady || this.#seen.has(key)) continue;
      this.#seen.add(key);
      waiting.push({ one, isReady: true });
      // the judge reads rows in order, so those of a constant follow those of what it uses
      const used = this.#ownIn(namesIn(this.#termsOf(one, block)));
      waiting.push(...used.toReversed().map((below) => ({ one: below, isReady: false })));
    }
  }

  /** The constants of these modules that a constant uses directly. */
  uses(constant: OleanConstant): OleanConstant[] {
    return this.#ownIn(namesIn(this.#termsOf(constant, [])));
  }

  /** Whether it uses a constant of the library. */
  names(constant: OleanConstant, library: Name): boolean {
    return namesIn(this.#termsOf(constant, [])).has(oleanKey(library));
  }

  #ownIn(names: ReadonlySet<string>): OleanConstant[] {
    return [...names].flatMap((name) => this.#own.get(name) ?? []);
  }

  #termsOf(constant: OleanConstant, block: readonly OleanConstant[]): Term[] {
    const all = [constant, ...block, ...block.flatMap((one) => this.#constructorsOf(one))];
    const types = all.map(({ from, value }) => typeOf(from, value));
    const body = hasBody(constant)
      ? { from: constant.from, value: constant.from.field(constant.value, 1) }
      : [];
    return [...types, body].flat();
  }

  /** The inductive types that a constant belongs to. */
  #blockOf({ kind, from, value }: OleanConstant): OleanConstant[] {
    if (kind === 'constructor') {
      const type = this.#constant(nameOf(from, from.field(value, 1)));
      if (type.kind !== 'inductive') throw new OleanError('a constructor without its type');
      return this.#blockOf(type);
    }
    const place = kind === 'inductive' ? 3 : kind === 'recursor' ? 1 : undefined;
    if (place === undefined) return [];
    const all = from.list(from.field(value, place)).map((name) => this.#constant(nameOf(from, name)));
    if (all.length === 0 || all.some((one) => one.kind !== 'inductive'))
      throw new OleanError('an inductive type is incomplete');
    return all;
  }

  #constructorsOf({ from, value }: OleanConstant): OleanConstant[] {
    const all = from.list(from.field(value, 4)).map((name) => this.#constant(nameOf(from, name)));
    if (all.some(({ kind }) => kind !== 'constructor')) throw new OleanError('expected a constructor');
    return all;
  }

  #constant(name: Name): OleanConstant {
    const found = this.#own.get(oleanKey(name));
    if (!found) throw new OleanError(`${name.join('.')} is missing`);
    return found;
  }

  #write(constant: OleanConstant, block: readonly OleanConstant[]): void {
    const { name, kind, from, value, isUnsafe } = constant;
    const [first] = block;
    if (first) {
      const { levels } = this.#signature(first.from, first.value);
      const types = block.map((type) => ({
        name: this.name(type.name),
        type: this.#signature(type.from, type.value).type,
        constructors: this.#constructorsOf(type).map((one) => [
          this.name(one.name),
          this.#signature(one.from, one.value).type,
        ]),
      }));
      const parameters = first.from.small(first.from.field(first.value, 1));
      this.#declarations.push({ kind: 'inductive', levels, parameters, safe: !first.isUnsafe, types });
      return;
    }
    if (kind === 'quotient') throw new OleanError('a module declares a quotient');
    this.#declarations.push({
      kind,
      name: this.name(name),
      ...this.#signature(from, value),
      ...(hasBody(constant) && { value: this.#expr(from, from.field(value, 1)) }),
      ...(kind === 'definition' && { hints: hintsOf(from, from.field(value, 2)) }),
      ...((kind === 'definition' || kind === 'opaque') && { safe: !isUnsafe }),
    });
  }

  #signature(from: Olean, value: OleanValue): { levels: number[]; type: number } {
    const head = from.field(value, 0);
    const levels = from.list(from.field(head, 1)).map((name) => this.name(nameOf(from, name)));
    return { levels, type: this.#expr(from, from.field(head, 2)) };
  }

  /** Deep terms must not exhaust the stack. */
  #expr(olean: Olean, root: OleanValue): number {
    const waiting = [root];
    for (let value = waiting.at(-1); value !== undefined; value = waiting.at(-1)) {
      if (typeof value === 'number') throw new OleanError('expected an expression');
      const lacking = this.#rowOf.has(value) ? [] : partsOf(olean, value).filter((part) => !this.#has(part));
      if (lacking.length > 0) {
        waiting.push(...lacking);
        continue;
      }
      if (!this.#rowOf.has(value)) this.#rowOf.set(value, this.#exprRow(olean, value));
      waiting.pop();
    }
    return this.#known(root);
  }

  #has(value: OleanValue): boolean {
    return typeof value !== 'number' && this.#rowOf.has(value);
  }

  #known(value: OleanValue): number {
    const row = typeof value === 'number' ? undefined : this.#rowOf.get(value);
    if (row === undefined) throw new OleanError('expected an expression');
    return row;
  }

  #exprRow(olean: Olean, value: OleanObject): number {
    const field = (index: number): OleanValue => olean.field(value, index);
    const part = (index: number): number => this.#known(field(index));
    const tag = olean.tag(value);
    if (tag === 10) return part(1);
    return this.#add(olean, value, tag, field, part);
  }

  #add(
    olean: Olean,
    value: OleanObject,
    tag: number,
    field: (index: number) => OleanValue,
    part: (index: number) => number,
  ): number {
    const name = (index: number): number => this.#nameAt(olean, field(index));
    switch (tag) {
      case 0:
        return this.#exprs.add(['b', olean.small(field(0))]);
      case 3:
        return this.#exprs.add(['s', this.#level(olean, field(0))]);
      case 4: {
        const levels = olean.list(field(1));
        if (levels.length > most.levels) throw new OleanError('a constant has too many universes');
        return this.#exprs.add(['c', name(0), levels.map((level) => this.#level(olean, level))]);
      }
      case 5:
        return this.#exprs.add(['a', part(0), part(1)]);
      case 6:
      case 7:
        return this.#exprs.add([tag === 6 ? 'l' : 'p', name(0), olean.byte(value, 8), part(1), part(2)]);
      case 8:
        return this.#exprs.add(['d', name(0), part(1), part(2), part(3), olean.byte(value, 8) === 1]);
      case 9: {
        const literal = field(0);
        const content = olean.field(literal, 0);
        return olean.tag(literal) === 0
          ? this.#exprs.add(['n', String(olean.natural(content))])
          : this.#exprs.add(['t', olean.string(content)]);
      }
      case 11:
        return this.#exprs.add(['j', name(0), olean.small(field(1)), part(2)]);
      default:
        throw new OleanError('a free variable is left');
    }
  }

  #nameAt(olean: Olean, value: OleanValue): number {
    if (typeof value === 'number') return 0;
    const row = this.#nameRows.get(value) ?? this.name(nameOf(olean, value));
    this.#nameRows.set(value, row);
    return row;
  }

  #level(olean: Olean, value: OleanValue, depth = 0): number {
    if (depth > most.levelDepth) throw new OleanError('a universe level is too deep');
    const known = typeof value === 'number' ? 0 : this.#levelRows.get(value);
    if (known !== undefined) return known;
    const row = this.#levelRow(olean, value, (index) =>
      this.#level(olean, olean.field(value, index), depth + 1),
    );
    if (typeof value !== 'number') this.#levelRows.set(value, row);
    return row;
  }

  #levelRow(olean: Olean, value: OleanValue, level: (index: number) => number): number {
    switch (olean.tag(value)) {
      case 0:
        return 0;
      case 1:
        return this.#levels.add(['s', level(0)]);
      case 2:
        return this.#levels.add(['m', level(0), level(1)]);
      case 3:
        return this.#levels.add(['i', level(0), level(1)]);
      case 4:
        return this.#levels.add(['p', this.#nameAt(olean, olean.field(value, 0))]);
      default:
        throw new OleanError('a universe metavariable is left');
    }
  }
}

interface Term {
  readonly from: Olean;
  readonly value: OleanValue;
}

function typeOf(from: Olean, constant: OleanValue): Term {
  return { from, value: from.field(from.field(constant, 0), 2) };
}

function hasBody({ kind }: OleanConstant): boolean {
  return kind === 'theorem' || kind === 'definition' || kind === 'opaque';
}

/** The keys of the constants that terms name. */
function namesIn(terms: readonly Term[]): Set<string> {
  const [found, seen] = [new Set<string>(), new Map<OleanObject, Olean>()];
  for (const { from, value } of terms) if (typeof value !== 'number') seen.set(value, from);
  for (const [value, from] of seen) {
    if (from.tag(value) === 4) found.add(oleanKey(nameOf(from, from.field(value, 0))));
    for (const part of partsOf(from, value)) if (typeof part !== 'number') seen.set(part, from);
  }
  return found;
}

/** The parts of an expression that are expressions. */
function partsOf(olean: Olean, value: OleanObject): OleanValue[] {
  const places =
    [[], [], [], [], [], [0, 1], [1, 2], [1, 2], [1, 2, 3], [], [1], [2]][olean.tag(value)] ?? [];
  return places.map((index) => olean.field(value, index));
}

function hintsOf(olean: Olean, hints: OleanValue): string | number {
  if (typeof hints === 'number') return hints === 0 ? 'opaque' : 'abbrev';
  return olean.word(hints);
}
