import type { Expr, Terms } from './expr.ts';
import {
  flag,
  jsonCount,
  jsonList,
  jsonText,
  kindOf,
  malformed,
  natural,
  object,
  type JsonRow,
} from './json.ts';
import type { Level } from './level.ts';
import type { KernelName } from './name.ts';
import { Stop } from './outcome.ts';

/** One table of the format. Rows are numbered, in any order and with gaps. */
class Table<T> {
  private readonly rows = new Map<number, T>();
  private readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
  get(index: unknown): T {
    const at = jsonCount(index);
    const row = this.rows.get(at);
    if (row !== undefined) return row;
    const message = `the export is malformed: ${this.what} ${at} is not defined, or by way of itself`;
    throw new Stop('refuse', 'malformed', message, `${this.what} ${at}`);
  }
  /** Defines a row; returns its id as used in `Stop.missing`. */
  set(index: unknown, value: T): string {
    const at = jsonCount(index);
    if (this.rows.has(at)) malformed(`${this.what} ${at} is defined twice`);
    this.rows.set(at, value);
    return `${this.what} ${at}`;
  }
}

const binderKinds: ReadonlySet<unknown> = new Set(['default', 'implicit', 'strictImplicit', 'instImplicit']);

/** The names, levels and expressions of a lean4export file. */
export class NdjsonTables {
  private readonly terms: Terms;
  private readonly names = new Table<KernelName>('name');
  private readonly levels = new Table<Level>('level');
  private readonly exprs = new Table<Expr>('expression');

  constructor(terms: Terms) {
    this.terms = terms;
    this.names.set(0, terms.names.anonymous);
    this.levels.set(0, terms.levels.zero);
  }

  name(reference: unknown): KernelName {
    return this.names.get(reference);
  }
  nameList(references: unknown): KernelName[] {
    return jsonList(references).map((reference) => this.names.get(reference));
  }
  expr(reference: unknown): Expr {
    return this.exprs.get(reference);
  }

  defineName(row: JsonRow): string {
    const { names } = this.terms;
    if (kindOf(row, ['str', 'num']) === 'str') {
      const { pre, str } = object(row['str']);
      return this.names.set(row['in'], names.child(this.names.get(pre), jsonText(str)));
    }
    const { pre, i } = object(row['num']);
    return this.names.set(row['in'], names.child(this.names.get(pre), BigInt(jsonCount(i))));
  }

  defineLevel(row: JsonRow): string {
    return this.levels.set(row['il'], this.readLevel(row));
  }

  private readLevel(row: JsonRow): Level {
    const { levels } = this.terms;
    const kind = kindOf(row, ['succ', 'max', 'imax', 'param']);
    if (kind === 'succ') return levels.succ(this.levels.get(row['succ']));
    if (kind === 'param') return levels.param(this.names.get(row['param']));
    const [a, b, ...rest] = jsonList(row[kind]).map((reference) => this.levels.get(reference));
    if (a === undefined || b === undefined || rest.length > 0)
      return malformed('max and imax take two levels');
    return kind === 'max' ? levels.max(a, b) : levels.imax(a, b);
  }

  defineExpr(row: JsonRow): string {
    return this.exprs.set(row['ie'], this.readExpr(row));
  }

  private readExpr(row: JsonRow): Expr {
    const { terms } = this;
    const kind = kindOf(row, [
      'app',
      'const',
      'bvar',
      'lam',
      'forallE',
      'sort',
      'letE',
      'proj',
      'natVal',
      'strVal',
      'mdata',
    ]);
    switch (kind) {
      case 'app': {
        const { fn, arg } = object(row['app']);
        return terms.apply(this.exprs.get(fn), this.exprs.get(arg));
      }
      case 'const': {
        const { name, us } = object(row['const']);
        const levels = jsonList(us).map((level) => this.levels.get(level));
        return terms.constant(this.names.get(name), terms.levels.list(levels));
      }
      case 'bvar':
        return terms.bound(jsonCount(row['bvar']));
      case 'lam':
      case 'forallE': {
        const { type, body, name, binderInfo } = object(row[kind]);
        this.names.get(name);
        if (!binderKinds.has(binderInfo)) malformed('an unknown kind of binder');
        const [domain, inside] = [this.exprs.get(type), this.exprs.get(body)];
        return kind === 'lam' ? terms.lambda(domain, inside) : terms.pi(domain, inside);
      }
      case 'sort':
        return terms.sort(this.levels.get(row['sort']));
      case 'letE': {
        const { name, type, value, body, nondep } = object(row['letE']);
        this.names.get(name);
        flag(nondep);
        return terms.let(this.exprs.get(type), this.exprs.get(value), this.exprs.get(body));
      }
      case 'proj': {
        const { typeName, idx, struct } = object(row['proj']);
        return terms.projection(this.names.get(typeName), jsonCount(idx), this.exprs.get(struct));
      }
      case 'natVal':
        return terms.number(natural(row['natVal']));
      case 'strVal':
        return terms.text(jsonText(row['strVal']));
      case 'mdata': {
        const { expr, data } = object(row['mdata']);
        object(data);
        return this.exprs.get(expr);
      }
    }
  }
}
