import { ABBREVIATION_HEIGHT, OPAQUE_HEIGHT } from './environment.ts';
import type { Expr, Terms } from './expr.ts';
import { jsonCount, jsonList, malformed, natural, jsonText, type JsonRow } from './json.ts';
import type { Level } from './level.ts';
import type { KernelName } from './name.ts';

/** The constant that a name stands for; it was given this many universes, unless it is the type of a projection. */
type ResolveName = (name: KernelName, universes?: number) => KernelName;

/**
 * The tables of an export in our own format (docs/PROTOCOL.md): names, levels and expressions, where each row refers
 * to earlier ones. Expressions are read when a declaration needs them, because only then does `resolve` map the names
 * in them.
 */
export class ExportRows {
  readonly names: readonly KernelName[];
  private readonly terms: Terms;
  private readonly levels: readonly Level[];
  private readonly rows: readonly unknown[];
  private readonly exprs: Expr[] = [];
  private readonly resolve: ResolveName;

  constructor(terms: Terms, data: JsonRow, resolve: ResolveName) {
    if (data['format'] !== 2) malformed('an unknown format version');
    this.terms = terms;
    this.resolve = resolve;
    this.names = readNames(terms, jsonList(data['names']));
    this.levels = readLevels(terms, this.names, jsonList(data['levels']));
    this.rows = jsonList(data['exprs']);
  }

  name(reference: unknown): KernelName {
    return this.names[jsonCount(reference)] ?? malformed('a reference to a missing name');
  }

  nameList(references: unknown): KernelName[] {
    return jsonList(references).map((reference) => this.name(reference));
  }

  private level(reference: unknown): Level {
    return this.levels[jsonCount(reference)] ?? malformed('a reference to a missing level');
  }

  /** A closed expression. */
  expr(reference: unknown): Expr {
    const at = jsonCount(reference);
    while (this.exprs.length <= at) {
      const row = this.rows[this.exprs.length];
      if (row === undefined) return malformed('a reference to a missing expression');
      this.exprs.push(this.read(jsonList(row)));
    }
    const e = this.earlier(at);
    return e.loose > 0 ? malformed('a type or value has a loose bound variable') : e;
  }

  /**
   * The number of expressions read so far; `rewind` drops those after the mark, because names in them now map to
   * other constants.
   */
  mark(): number {
    return this.exprs.length;
  }
  rewind(mark: number): void {
    this.exprs.length = mark;
  }

  private earlier(reference: unknown): Expr {
    return this.exprs[jsonCount(reference)] ?? malformed('a reference to a later expression');
  }

  private read(row: readonly unknown[]): Expr {
    const { terms } = this;
    const [tag, a, b, c, d, e] = row;
    if (tag === 'a') {
      if (row.length < 3) return malformed('an application without arguments');
      let result = this.earlier(a);
      for (let i = 2; i < row.length; i++) result = terms.apply(result, this.earlier(row[i]));
      return result;
    }
    const size = { b: 2, s: 2, c: 3, l: 5, p: 5, d: 6, n: 2, t: 2, j: 4 }[String(tag)];
    if (row.length !== size) return malformed('an expression row has an unknown shape');
    switch (tag) {
      case 'b':
        return terms.bound(jsonCount(a));
      case 's':
        return terms.sort(this.level(a));
      case 'c': {
        const levels = jsonList(b).map((level) => this.level(level));
        return terms.constant(this.resolve(this.name(a), levels.length), terms.levels.list(levels));
      }
      case 'l':
      case 'p': {
        this.name(a);
        if (jsonCount(b) > 3) return malformed('an unknown kind of binder');
        const [domain, body] = [this.earlier(c), this.earlier(d)];
        return tag === 'l' ? terms.lambda(domain, body) : terms.pi(domain, body);
      }
      case 'd':
        this.name(a);
        if (typeof e !== 'boolean') return malformed('an expression row has an unknown shape');
        return terms.let(this.earlier(b), this.earlier(c), this.earlier(d));
      case 'n':
        return terms.number(natural(a));
      case 't':
        return terms.text(jsonText(a));
      default:
        return terms.projection(this.resolve(this.name(a)), jsonCount(b), this.earlier(c));
    }
  }
}

function readNames(terms: Terms, rows: readonly unknown[]): KernelName[] {
  const names: KernelName[] = [terms.names.anonymous];
  for (const row of rows.slice(1)) {
    const [parent, part, ...rest] = jsonList(row);
    if (rest.length > 0) return malformed('a name row is a pair');
    const above = names[jsonCount(parent)] ?? malformed('a reference to a later name');
    names.push(terms.names.child(above, typeof part === 'number' ? BigInt(jsonCount(part)) : jsonText(part)));
  }
  return names;
}

function readLevels(terms: Terms, names: readonly KernelName[], rows: readonly unknown[]): Level[] {
  const { levels } = terms;
  const known: Level[] = [levels.zero];
  const at = (reference: unknown): Level =>
    known[jsonCount(reference)] ?? malformed('a reference to a later level');
  for (const row of rows.slice(1)) {
    const [tag, a, b] = jsonList(row);
    if (tag === 's') known.push(levels.succ(at(a)));
    else if (tag === 'm') known.push(levels.max(at(a), at(b)));
    else if (tag === 'i') known.push(levels.imax(at(a), at(b)));
    else if (tag === 'p')
      known.push(levels.param(names[jsonCount(a)] ?? malformed('a reference to a missing name')));
    else malformed('a level row has an unknown shape');
  }
  return known;
}

export function readHeight(hints: unknown): number {
  if (hints === 'opaque') return OPAQUE_HEIGHT;
  return hints === 'abbrev' ? ABBREVIATION_HEIGHT : jsonCount(hints);
}
