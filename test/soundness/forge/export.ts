/** An export of docs/PROTOCOL.md written by a forger: any rows, in any order, without checks. */

type Part = string | number;
export type Name = readonly Part[];

export type Level =
  | { readonly level: 'zero' }
  | { readonly level: 'succ'; readonly of: Level }
  | { readonly level: 'max' | 'imax'; readonly left: Level; readonly right: Level }
  | { readonly level: 'param'; readonly name: Name };

export type Term =
  | { readonly term: 'bound'; readonly index: number }
  | { readonly term: 'sort'; readonly level: Level }
  | { readonly term: 'constant'; readonly name: Name; readonly levels: readonly Level[] }
  | { readonly term: 'apply'; readonly head: Term; readonly argument: Term }
  | { readonly term: 'lambda' | 'pi'; readonly type: Term; readonly body: Term }
  | { readonly term: 'let'; readonly type: Term; readonly value: Term; readonly body: Term }
  | { readonly term: 'number'; readonly digits: string }
  | { readonly term: 'text'; readonly text: string }
  | { readonly term: 'project'; readonly structure: Name; readonly index: number; readonly of: Term };

interface Head {
  readonly name: Name;
  readonly levels?: readonly Name[];
  readonly type: Term;
}
interface DataType {
  readonly name: Name;
  readonly type: Term;
  readonly constructors: readonly { readonly name: Name; readonly type: Term }[];
}
export type Declaration =
  | (Head & { readonly kind: 'theorem'; readonly value: Term })
  | (Head & {
      readonly kind: 'definition';
      readonly value: Term;
      readonly hints?: unknown;
      readonly safe?: unknown;
    })
  | (Head & { readonly kind: 'opaque'; readonly value: Term; readonly safe?: unknown })
  | (Head & { readonly kind: 'axiom' })
  | {
      readonly kind: 'inductive';
      readonly levels?: readonly Name[];
      readonly parameters: number;
      readonly safe?: unknown;
      readonly types: readonly DataType[];
    };

export const zero: Level = { level: 'zero' };
export const levelOne: Level = { level: 'succ', of: zero };
export const prop: Term = { term: 'sort', level: zero };
export const type: Term = { term: 'sort', level: levelOne };
export const bound = (index: number): Term => ({ term: 'bound', index });
export const constant = (name: string | Name, ...levels: Level[]): Term => ({
  term: 'constant',
  name: typeof name === 'string' ? name.split('.') : name,
  levels,
});
export const apply = (head: Term, ...given: Term[]): Term =>
  given.reduce<Term>((built, argument) => ({ term: 'apply', head: built, argument }), head);

/** The function and its arguments, however many. */
const spine = (term: Term): Term[] => (term.term === 'apply' ? [...spine(term.head), term.argument] : [term]);
export const lambda = (of: Term, body: Term): Term => ({ term: 'lambda', type: of, body });
export const pi = (of: Term, body: Term): Term => ({ term: 'pi', type: of, body });

export const equal = (of: Term, left: Term, right: Term): Term =>
  apply(constant('Eq', levelOne), of, left, right);

/** The parts besides the tables: `statements` and `definitions` of a statement, `theorems` of a candidate. */
export interface Content {
  readonly declarations: readonly Declaration[];
  readonly theorems?: readonly Name[];
  readonly statements?: readonly (Required<Omit<Head, 'levels'>> & { readonly levels?: readonly Name[] })[];
}

export function write(content: Content): Record<string, unknown> {
  const tables = new Tables();
  const declarations = content.declarations.map((one) => tables.declaration(one));
  const names = (all: readonly Name[]): number[] => all.map((one) => tables.name(one));
  const sides =
    content.statements === undefined
      ? { theorems: names(content.theorems ?? []) }
      : {
          statements: content.statements.map(({ name, levels = [], type: of }) => ({
            name: tables.name(name),
            levels: names(levels),
            type: tables.term(of),
          })),
          definitions: [],
        };
  return { format: 2, ...tables.rows, declarations, ...sides };
}

/** The tables; equal rows are written once. */
class Tables {
  readonly rows = { names: [null] as unknown[], levels: [null] as unknown[], exprs: [] as unknown[] };
  readonly #seen = new Map<string, number>();

  #add(table: keyof Tables['rows'], row: unknown): number {
    const key = `${table} ${JSON.stringify(row)}`;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const place = this.rows[table].push(row) - 1;
    this.#seen.set(key, place);
    return place;
  }

  name(name: Name): number {
    return name.reduce<number>((parent, part) => this.#add('names', [parent, part]), 0);
  }

  level(level: Level): number {
    switch (level.level) {
      case 'zero':
        return 0;
      case 'succ':
        return this.#add('levels', ['s', this.level(level.of)]);
      case 'max':
      case 'imax':
        return this.#add('levels', [level.level[0], this.level(level.left), this.level(level.right)]);
      case 'param':
        return this.#add('levels', ['p', this.name(level.name)]);
    }
  }

  term(term: Term): number {
    switch (term.term) {
      case 'bound':
        return this.#add('exprs', ['b', term.index]);
      case 'sort':
        return this.#add('exprs', ['s', this.level(term.level)]);
      case 'constant':
        return this.#add('exprs', ['c', this.name(term.name), term.levels.map((one) => this.level(one))]);
      case 'apply':
        return this.#add('exprs', ['a', ...spine(term).map((one) => this.term(one))]);
      case 'lambda':
      case 'pi':
        return this.#add('exprs', [term.term[0], 0, 0, this.term(term.type), this.term(term.body)]);
      case 'let': {
        const parts = [term.type, term.value, term.body].map((one) => this.term(one));
        return this.#add('exprs', ['d', 0, ...parts, false]);
      }
      case 'number':
        return this.#add('exprs', ['n', term.digits]);
      case 'text':
        return this.#add('exprs', ['t', term.text]);
      case 'project':
        return this.#add('exprs', ['j', this.name(term.structure), term.index, this.term(term.of)]);
    }
  }

  declaration(row: Declaration): Record<string, unknown> {
    const levels = (row.levels ?? []).map((one) => this.name(one));
    if (row.kind === 'inductive')
      return {
        kind: row.kind,
        levels,
        parameters: row.parameters,
        safe: row.safe ?? true,
        types: row.types.map(({ name, type: of, constructors }) => ({
          name: this.name(name),
          type: this.term(of),
          constructors: constructors.map((made) => [this.name(made.name), this.term(made.type)]),
        })),
      };
    const head = { kind: row.kind, name: this.name(row.name), levels, type: this.term(row.type) };
    if (row.kind === 'axiom') return head;
    const value = this.term(row.value);
    if (row.kind === 'theorem') return { ...head, value };
    const safe = row.safe ?? true;
    return row.kind === 'opaque'
      ? { ...head, value, safe }
      : { ...head, value, safe, hints: row.hints ?? 'abbrev' };
  }
}
