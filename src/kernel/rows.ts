import { ABBREVIATION_HEIGHT, OPAQUE_HEIGHT } from './environment.ts';
import type { Expr, Terms } from './expr.ts';
import { count, list, malformed, natural, text, type Row } from './json.ts';
import type { Level } from './level.ts';
import type { Name } from './name.ts';

/**
 * The tables of an export in our own format (docs/PROTOCOL.md): names, levels and expressions, each row referring to earlier ones.
 * Expressions are read when a declaration needs them, because `resolve` says by then what the names in them stand for.
 */
export class Rows {
  readonly names: readonly Name[];
  private readonly terms: Terms;
  private readonly levels: readonly Level[];
  private readonly rows: readonly unknown[];
  private readonly exprs: Expr[] = [];
  private readonly resolve: (name: Name) => Name;

  constructor(terms: Terms, data: Row, resolve: (name: Name) => Name) {
    if (data['format'] !== 2) malformed('an unknown format version');
    this.terms = terms;
    this.resolve = resolve;
    this.names = readNames(terms, list(data['names']));
    this.levels = readLevels(terms, this.names, list(data['levels']));
    this.rows = list(data['exprs']);
  }

  name(reference: unknown): Name {
    return this.names[count(reference)] ?? malformed('a reference to a missing name');
  }

  nameList(references: unknown): Name[] {
    return list(references).map((reference) => this.name(reference));
  }

  private level(reference: unknown): Level {
    return this.levels[count(reference)] ?? malformed('a reference to a missing level');
  }

  /** A closed expression. */
  expr(reference: unknown): Expr {
    const at = count(reference);
    while (this.exprs.length <= at) {
      const row = this.rows[this.exprs.length];
      if (row === undefined) return malformed('a reference to a missing expression');
      this.exprs.push(this.read(list(row)));
    }
    const e = this.earlier(at);
    return e.loose > 0 ? malformed('a type or value has a loose bound variable') : e;
  }

  /** How many expressions have been read; `rewind` forgets those after the mark, because names in them stand for something else now. */
  mark(): number {
    return this.exprs.length;
  }
  rewind(mark: number): void {
    this.exprs.length = mark;
  }

  private earlier(reference: unknown): Expr {
    return this.exprs[count(reference)] ?? malformed('a reference to a later expression');
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
        return terms.bound(count(a));
      case 's':
        return terms.sort(this.level(a));
      case 'c':
        return terms.constant(
          this.resolve(this.name(a)),
          terms.levels.list(list(b).map((level) => this.level(level))),
        );
      case 'l':
      case 'p': {
        this.name(a);
        if (count(b) > 3) return malformed('an unknown kind of binder');
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
        return terms.text(text(a));
      default:
        return terms.projection(this.resolve(this.name(a)), count(b), this.earlier(c));
    }
  }
}

function readNames(terms: Terms, rows: readonly unknown[]): Name[] {
  const names: Name[] = [terms.names.anonymous];
  for (const row of rows.slice(1)) {
    const [parent, part, ...rest] = list(row);
    if (rest.length > 0) return malformed('a name row is a pair');
    const above = names[count(parent)] ?? malformed('a reference to a later name');
    names.push(terms.names.child(above, typeof part === 'number' ? BigInt(count(part)) : text(part)));
  }
  return names;
}

function readLevels(terms: Terms, names: readonly Name[], rows: readonly unknown[]): Level[] {
  const { levels } = terms;
  const known: Level[] = [levels.zero];
  const at = (reference: unknown): Level =>
    known[count(reference)] ?? malformed('a reference to a later level');
  for (const row of rows.slice(1)) {
    const [tag, a, b] = list(row);
    if (tag === 's') known.push(levels.succ(at(a)));
    else if (tag === 'm') known.push(levels.max(at(a), at(b)));
    else if (tag === 'i') known.push(levels.imax(at(a), at(b)));
    else if (tag === 'p')
      known.push(levels.param(names[count(a)] ?? malformed('a reference to a missing name')));
    else malformed('a level row has an unknown shape');
  }
  return known;
}

export function readHeight(hints: unknown): number {
  if (hints === 'opaque') return OPAQUE_HEIGHT;
  return hints === 'abbrev' ? ABBREVIATION_HEIGHT : count(hints);
}
