// Over 300 lines: one format, row by row.
import type { Limits } from './checker.ts';
import { ABBREVIATION_HEIGHT, OPAQUE_HEIGHT, type Recursor } from './environment.ts';
import { Terms, type Expr } from './expr.ts';
import type { Block } from './families.ts';
import { Kernel } from './kernel.ts';
import type { Level } from './level.ts';
import {
  jsonCount,
  flag,
  jsonList,
  malformed,
  natural,
  object,
  parse,
  jsonText,
  type JsonRow,
} from './json.ts';
import { nameText, type KernelName } from './name.ts';
import { decline, kernelRefuses } from './outcome.ts';
import { officialQuotient, requireEquality } from './quotient.ts';
import { instantiateLevels } from './substitute.ts';

/** One table of the format: rows have numbers, which may come in any order, but are defined before they are used and only once. */
class Table<T> {
  private readonly rows = new Map<number, T>();
  private readonly what: string;
  constructor(what: string) {
    this.what = what;
  }
  get(index: unknown): T {
    const at = jsonCount(index);
    return this.rows.get(at) ?? malformed(`${this.what} ${at} is used before it is defined`);
  }
  set(index: unknown, value: T): void {
    const at = jsonCount(index);
    if (this.rows.has(at)) malformed(`${this.what} ${at} is defined twice`);
    this.rows.set(at, value);
  }
}

/**
 * Reads lean4export's NDJSON, format 3.1, line by line, and checks each declaration as it comes. What the format repeats of recursors,
 * counts and flags is compared with what the kernel derives, never used.
 */
export class NdjsonReader {
  readonly kernel: Kernel;
  private readonly terms: Terms;
  private readonly names = new Table<KernelName>('name');
  private readonly levels = new Table<Level>('level');
  private readonly exprs = new Table<Expr>('expression');
  private hasMeta = false;
  declarations = 0;

  constructor(limits?: Limits) {
    this.terms = new Terms();
    this.kernel = new Kernel(this.terms, undefined, limits);
    this.names.set(0, this.terms.names.anonymous);
    this.levels.set(0, this.terms.levels.zero);
  }

  /** Read one line; throws a `Stop` if it is not accepted. */
  line(line: string): void {
    if (line.trim() === '') return;
    const row = object(parse(line));
    if (!this.hasMeta) this.meta(row);
    else if ('in' in row) this.names.set(row['in'], this.name(row));
    else if ('il' in row) this.levels.set(row['il'], this.level(row));
    else if ('ie' in row) this.exprs.set(row['ie'], this.expr(row));
    else this.declaration(row);
  }

  /** A file without a header is not an export. */
  end(): void {
    if (!this.hasMeta) malformed('it is empty');
  }

  private meta(row: JsonRow): void {
    if (!('meta' in row)) malformed('the first line does not say which format this is');
    const version = jsonText(object(object(row['meta'])['format'])['version']);
    if (!/^3\.1(?:\.|$)/.test(version)) decline(`format version ${version} is not supported`, 'unsupported');
    this.hasMeta = true;
  }

  private name(row: JsonRow): KernelName {
    if ('str' in row) {
      const { pre, str } = object(row['str']);
      return this.terms.names.child(this.names.get(pre), jsonText(str));
    }
    const { pre, i } = object(row['num']);
    return this.terms.names.child(this.names.get(pre), BigInt(jsonCount(i)));
  }

  private level(row: JsonRow): Level {
    const { levels } = this.terms;
    if ('succ' in row) return levels.succ(this.levels.get(row['succ']));
    if ('param' in row) return levels.param(this.names.get(row['param']));
    const both = jsonList(row['max'] ?? row['imax']);
    if (both.length !== 2) return malformed('max and imax take two levels');
    const [a, b] = [this.levels.get(both[0]), this.levels.get(both[1])];
    return 'max' in row ? levels.max(a, b) : levels.imax(a, b);
  }

  private expr(row: JsonRow): Expr {
    const { terms } = this;
    if ('app' in row) {
      const { fn, arg } = object(row['app']);
      return terms.apply(this.exprs.get(fn), this.exprs.get(arg));
    }
    if ('const' in row) {
      const { name, us } = object(row['const']);
      return terms.constant(
        this.names.get(name),
        terms.levels.list(jsonList(us).map((level) => this.levels.get(level))),
      );
    }
    if ('bvar' in row) return terms.bound(jsonCount(row['bvar']));
    if ('lam' in row || 'forallE' in row) {
      const { type, body, name } = object(row['lam'] ?? row['forallE']);
      this.names.get(name);
      const [domain, inside] = [this.exprs.get(type), this.exprs.get(body)];
      return 'lam' in row ? terms.lambda(domain, inside) : terms.pi(domain, inside);
    }
    if ('sort' in row) return terms.sort(this.levels.get(row['sort']));
    if ('letE' in row) {
      const { type, value, body } = object(row['letE']);
      return terms.let(this.exprs.get(type), this.exprs.get(value), this.exprs.get(body));
    }
    if ('proj' in row) {
      const { typeName, idx, struct } = object(row['proj']);
      return terms.projection(this.names.get(typeName), jsonCount(idx), this.exprs.get(struct));
    }
    if ('natVal' in row) return terms.number(natural(row['natVal']));
    if ('strVal' in row) return terms.text(jsonText(row['strVal']));
    if ('mdata' in row) return this.exprs.get(object(row['mdata'])['expr']);
    return malformed('an expression of an unknown kind');
  }

  private declaration(row: JsonRow): void {
    this.declarations++;
    const before = this.terms.size;
    if ('inductive' in row) return this.inductive(object(row['inductive']));
    if ('quot' in row) return this.quotient(object(row['quot']));
    if ('axiom' in row) {
      const { name, params, type, unsafe } = this.header(object(row['axiom']));
      if (unsafe) decline(`${nameText(name)} is unsafe`, 'unsafe');
      this.kernel.add({ kind: 'axiom', name, params, type });
    } else if ('def' in row) {
      const fields = object(row['def']);
      const header = this.header(fields);
      if (jsonText(fields['safety']) !== 'safe')
        decline(`${nameText(header.name)} is ${jsonText(fields['safety'])}`, 'unsafe');
      const value = this.exprs.get(fields['value']);
      this.kernel.add({ kind: 'definition', ...header, value, height: readHints(fields['hints']) });
    } else if ('thm' in row || 'opaque' in row) {
      const fields = object(row['thm'] ?? row['opaque']);
      const header = this.header(fields);
      if (header.unsafe) decline(`${nameText(header.name)} is unsafe`, 'unsafe');
      const value = this.exprs.get(fields['value']);
      this.kernel.add({ kind: 'thm' in row ? 'theorem' : 'opaque', ...header, value, height: OPAQUE_HEIGHT });
    } else malformed('a line of an unknown kind');
    // What checking made is not needed any more: a file of any length takes no more memory than its own terms.
    this.kernel.checker.forget();
    this.terms.truncate(before);
  }

  private header(fields: JsonRow): { name: KernelName; params: KernelName[]; type: Expr; unsafe: boolean } {
    const name = this.names.get(fields['name']);
    if (name.parent === null) malformed('a declaration without a name');
    return {
      name,
      params: jsonList(fields['levelParams']).map((param) => this.names.get(param)),
      type: this.exprs.get(fields['type']),
      unsafe: 'isUnsafe' in fields && flag(fields['isUnsafe']),
    };
  }

  private quotient(fields: JsonRow): void {
    const { name, params, type } = this.header(fields);
    const official = officialQuotient(this.kernel.checker, name);
    const role = { type: 'type', ctor: 'constructor', lift: 'lift', ind: 'induction' }[
      jsonText(fields['kind'])
    ];
    if (role !== official.role || params.length !== official.params.length)
      kernelRefuses(`${nameText(name)} is not declared as it should be`);
    this.kernel.checker.checkParams(params);
    const levels = params.map((param) => this.terms.levels.param(param));
    if (instantiateLevels(this.terms, official.type, official.params, levels) !== type)
      kernelRefuses(`${nameText(name)} has another type than it should have`);
    if (official.role === 'lift') requireEquality(this.kernel.checker);
    this.kernel.checker.restart();
    this.kernel.checker.checkType(type);
    this.kernel.environment.add({ ...official, params, type });
  }

  private inductive(fields: JsonRow): void {
    const types = jsonList(fields['types']).map(object);
    const constructors = new Map(
      jsonList(fields['ctors']).map((row) => [this.names.get(object(row)['name']), object(row)]),
    );
    if (constructors.size !== jsonList(fields['ctors']).length)
      kernelRefuses('two constructors have one name');
    const [first] = types;
    if (first === undefined) return kernelRefuses('an inductive declaration without types');
    const { params } = this.header(first);
    const paramCount = jsonCount(first['numParams']);
    const used = new Set<KernelName>();
    const block: Block = {
      params,
      paramCount,
      types: types.map((row) => {
        const { name, type } = this.sameParams(row, params, paramCount);
        const own = jsonList(row['ctors']).map((reference, i) => {
          const constructor = this.names.get(reference);
          const found = constructors.get(constructor);
          if (found === undefined || used.has(constructor))
            return kernelRefuses(`${nameText(constructor)} is not a constructor`);
          used.add(constructor);
          if (this.names.get(found['induct']) !== name || jsonCount(found['cidx']) !== i)
            kernelRefuses(`${nameText(constructor)} is declared for another place`);
          return { name: constructor, type: this.sameParams(found, params, paramCount).type };
        });
        return { name, type, constructors: own };
      }),
    };
    if (used.size !== constructors.size) kernelRefuses('a constructor of no type');
    this.kernel.add({ kind: 'inductive', block });
    for (const row of types) this.compareCounts(row);
    for (const row of constructors.values()) this.compareCounts(row);
    const seen = new Set<KernelName>();
    for (const row of jsonList(fields['recs'])) {
      const { name } = this.header(object(row));
      if (seen.has(name)) kernelRefuses(`${nameText(name)} is declared twice`);
      seen.add(name);
      this.compareRecursor(block, object(row));
    }
  }

  private sameParams(
    row: JsonRow,
    params: readonly KernelName[],
    paramCount: number,
  ): { name: KernelName; type: Expr } {
    const header = this.header(row);
    if (header.unsafe) decline(`${nameText(header.name)} is unsafe`, 'unsafe');
    if (header.params.length !== params.length || header.params.some((param, i) => param !== params[i]))
      kernelRefuses(`${nameText(header.name)} has other universe parameters than its type`);
    if (jsonCount(row['numParams']) !== paramCount)
      kernelRefuses(`${nameText(header.name)} has another number of parameters than its type`);
    return header;
  }

  private compareCounts(row: JsonRow): void {
    const info = this.kernel.environment.get(this.names.get(row['name']));
    const wrong = (): never => kernelRefuses(`${nameText(info.name)} is not what the export says`);
    if (info.kind === 'inductive' && info.indexCount !== jsonCount(row['numIndices'])) wrong();
    if (info.kind === 'constructor' && info.fieldCount !== jsonCount(row['numFields'])) wrong();
  }

  /** What the export says about a recursor must be what was derived. */
  private compareRecursor(block: Block, row: JsonRow): void {
    const { name, params, type } = this.header(row);
    const { checker, environment } = this.kernel;
    const wrong = (what: string): never => kernelRefuses(`${nameText(name)} is not the recursor: ${what}`);
    const derived = environment.find(name);
    if (derived?.kind !== 'recursor' || !isOfBlock(block, derived, name))
      return wrong('no recursor has this name');
    checker.restart();
    if (params.length !== derived.params.length) wrong('universe parameters');
    checker.checkParams(params);
    const levels = params.map((param) => this.terms.levels.param(param));
    const same = (mine: Expr, other: Expr): boolean => {
      checker.checkForm(other, params);
      const expected = instantiateLevels(this.terms, mine, derived.params, levels);
      return expected === other || (checker.check(other) !== null && checker.equal(expected, other));
    };
    if (!same(derived.type, type)) wrong('type');
    if (derived.paramCount !== jsonCount(row['numParams'])) wrong('number of parameters');
    if (derived.indexCount !== jsonCount(row['numIndices'])) wrong('number of indices');
    if (derived.motiveCount !== jsonCount(row['numMotives'])) wrong('number of motives');
    if (derived.minorCount !== jsonCount(row['numMinors'])) wrong('number of minor premises');
    if (derived.k !== flag(row['k'])) wrong('k');
    const rules = jsonList(row['rules']).map(object);
    if (rules.length !== derived.rules.length) wrong('number of rules');
    for (const [i, rule] of derived.rules.entries()) {
      const given = rules[i] ?? wrong('number of rules');
      if (this.names.get(given['ctor']) !== rule.constructor) wrong('constructor of a rule');
      if (jsonCount(given['nfields']) !== rule.fieldCount) wrong('number of fields of a rule');
      if (!same(rule.value, this.exprs.get(given['rhs']))) wrong('value of a rule');
    }
  }
}

function isOfBlock(block: Block, recursor: Recursor, name: KernelName): boolean {
  return block.types.some((type) => name.parent === type.name) && recursor.name === name;
}

function readHints(hints: unknown): number {
  if (hints === 'opaque') return OPAQUE_HEIGHT;
  if (hints === 'abbrev') return ABBREVIATION_HEIGHT;
  return jsonCount(object(hints)['regular']);
}
