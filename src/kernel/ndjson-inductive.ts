import type { Recursor } from './environment.ts';
import type { Expr } from './expr.ts';
import type { Block } from './families.ts';
import { jsonCount, flag, jsonList, malformed, object, type JsonRow } from './json.ts';
import type { Kernel } from './kernel.ts';
import { nameText, type KernelName } from './name.ts';
import type { NdjsonTables } from './ndjson-tables.ts';
import { kernelRefuses } from './outcome.ts';
import { instantiateLevels } from './substitute.ts';

interface Header {
  readonly name: KernelName;
  readonly params: readonly KernelName[];
  readonly type: Expr;
}
interface TypeRow extends Header {
  readonly paramCount: number;
  readonly indexCount: number;
  readonly nestedCount: number;
  readonly isRecursive: boolean;
  readonly all: readonly KernelName[];
  readonly constructors: readonly KernelName[];
}
interface ConstructorRow extends Header {
  readonly inductive: KernelName;
  readonly at: number;
  readonly paramCount: number;
  readonly fieldCount: number;
}
interface RecursorRow extends Header {
  readonly all: readonly KernelName[];
  readonly counts: Pick<Recursor, 'paramCount' | 'indexCount' | 'motiveCount' | 'minorCount'>;
  readonly k: boolean;
  readonly rules: readonly {
    readonly constructor: KernelName;
    readonly fieldCount: number;
    readonly value: Expr;
  }[];
}

/**
 * The inductive types of one row, with the format's redundant data: counts, flags and recursors. The kernel receives
 * only types and constructors; the rest is compared with what it derives.
 */
export class NdjsonInductive {
  readonly types: readonly TypeRow[];
  readonly constructors: readonly ConstructorRow[];
  readonly isUnsafe: boolean;
  private readonly recursors: readonly RecursorRow[];
  private readonly tables: NdjsonTables;

  /** Reads the whole row first, so that nothing is added before all its references are defined. */
  constructor(tables: NdjsonTables, fields: JsonRow) {
    this.tables = tables;
    const types = jsonList(fields['types']).map(object);
    const constructors = jsonList(fields['ctors']).map(object);
    const recursors = jsonList(fields['recs']).map(object);
    this.isUnsafe = [...types, ...constructors, ...recursors].some((row) => flag(row['isUnsafe']));
    this.types = types.map((row) => ({
      ...this.header(row),
      paramCount: jsonCount(row['numParams']),
      indexCount: jsonCount(row['numIndices']),
      nestedCount: jsonCount(row['numNested']),
      isRecursive: flag(row['isRec']),
      all: tables.nameList(row['all']),
      constructors: tables.nameList(row['ctors']),
    }));
    this.constructors = constructors.map((row) => ({
      ...this.header(row),
      inductive: tables.name(row['induct']),
      at: jsonCount(row['cidx']),
      paramCount: jsonCount(row['numParams']),
      fieldCount: jsonCount(row['numFields']),
    }));
    this.recursors = recursors.map((row) => this.recursor(row));
  }

  private header(row: JsonRow): Header {
    const name = this.tables.name(row['name']);
    if (name.parent === null) malformed('a declaration without a name');
    return { name, params: this.tables.nameList(row['levelParams']), type: this.tables.expr(row['type']) };
  }

  private recursor(row: JsonRow): RecursorRow {
    return {
      ...this.header(row),
      all: this.tables.nameList(row['all']),
      counts: {
        paramCount: jsonCount(row['numParams']),
        indexCount: jsonCount(row['numIndices']),
        motiveCount: jsonCount(row['numMotives']),
        minorCount: jsonCount(row['numMinors']),
      },
      k: flag(row['k']),
      rules: jsonList(row['rules']).map((item) => {
        const rule = object(item);
        return {
          constructor: this.tables.name(rule['ctor']),
          fieldCount: jsonCount(rule['nfields']),
          value: this.tables.expr(rule['rhs']),
        };
      }),
    };
  }

  /** Every name declared by the row. */
  names(): KernelName[] {
    return [...this.types, ...this.constructors, ...this.recursors].map(({ name }) => name);
  }

  /** The input of the kernel. */
  block(): Block {
    const [first] = this.types;
    if (first === undefined) return kernelRefuses('an inductive declaration without types');
    const { params, paramCount } = first;
    const byName = new Map(this.constructors.map((row) => [row.name, row]));
    if (byName.size !== this.constructors.length) kernelRefuses('two constructors have one name');
    const check = (row: TypeRow | ConstructorRow): void => {
      if (row.params.length !== params.length || row.params.some((param, i) => param !== params[i]))
        kernelRefuses(`${nameText(row.name)} has other universe parameters than its type`);
      if (row.paramCount !== paramCount)
        kernelRefuses(`${nameText(row.name)} has another number of parameters than its type`);
    };
    const types = this.types.map((type) => {
      check(type);
      const constructors = type.constructors.map((name, i) => {
        const row = byName.get(name);
        byName.delete(name);
        if (row === undefined) return kernelRefuses(`${nameText(name)} is no constructor`);
        if (row.inductive !== type.name || row.at !== i)
          kernelRefuses(`${nameText(name)} is declared for another place`);
        check(row);
        return { name, type: row.type };
      });
      return { name: type.name, type: type.type, constructors };
    });
    if (byName.size > 0) kernelRefuses('a constructor of no type');
    return { params, paramCount, types };
  }

  /** Compares the row with what the kernel derived. */
  compare(kernel: Kernel): void {
    const own = this.types.map(({ name }) => name);
    const derived = own.flatMap((name) => recursorsOf(kernel, name));
    const nested = derived.length - own.length;
    for (const row of this.types) {
      const info = kernel.environment.get(row.name);
      const wrong = (what: string): never =>
        kernelRefuses(`${nameText(row.name)} is not what the export says: ${what}`);
      if (info.kind !== 'inductive') return wrong('kind');
      if (info.indexCount !== row.indexCount) wrong('number of indices');
      if (info.isRecursive !== row.isRecursive) wrong('whether it is recursive');
      if (nested !== row.nestedCount) wrong('number of nested types');
      if (!sameNames(row.all, own)) wrong('the types declared together');
    }
    for (const { name, fieldCount } of this.constructors) {
      const info = kernel.environment.get(name);
      if (info.kind !== 'constructor' || info.fieldCount !== fieldCount)
        kernelRefuses(`${nameText(name)} is not what the export says: number of fields`);
    }
    const seen = new Set<KernelName>();
    for (const row of this.recursors) {
      if (seen.has(row.name)) kernelRefuses(`${nameText(row.name)} is declared twice`);
      seen.add(row.name);
      const found = derived.find(({ name }) => name === row.name);
      if (found === undefined)
        kernelRefuses(`${nameText(row.name)} is not the recursor: no recursor has this name`);
      else this.compareRecursor(kernel, row, found);
    }
  }

  private compareRecursor(kernel: Kernel, row: RecursorRow, derived: Recursor): void {
    const { name, params, type, counts, k, rules } = row;
    const { checker, terms } = kernel;
    const wrong = (what: string): never => kernelRefuses(`${nameText(name)} is not the recursor: ${what}`);
    checker.restart();
    if (params.length !== derived.params.length) wrong('universe parameters');
    checker.checkParams(params);
    const levels = params.map((param) => terms.levels.param(param));
    const same = (mine: Expr, other: Expr): boolean => {
      checker.checkForm(other, params);
      const expected = instantiateLevels(terms, mine, derived.params, levels);
      if (expected === other) return true;
      checker.check(other);
      return checker.equal(expected, other);
    };
    if (!same(derived.type, type)) wrong('type');
    if (derived.paramCount !== counts.paramCount) wrong('number of parameters');
    if (derived.indexCount !== counts.indexCount) wrong('number of indices');
    if (derived.motiveCount !== counts.motiveCount) wrong('number of motives');
    if (derived.minorCount !== counts.minorCount) wrong('number of minor premises');
    if (derived.k !== k) wrong('k');
    if (
      !sameNames(
        row.all,
        this.types.map((one) => one.name),
      )
    )
      wrong('the types declared together');
    if (rules.length !== derived.rules.length) wrong('number of rules');
    for (const [i, rule] of derived.rules.entries()) {
      const given = rules[i] ?? wrong('number of rules');
      if (given.constructor !== rule.constructor) wrong('constructor of a rule');
      if (given.fieldCount !== rule.fieldCount) wrong('number of fields of a rule');
      if (!same(rule.value, given.value)) wrong('value of a rule');
    }
  }
}

/** The recursors of a type, including those of nested occurrences. */
function recursorsOf({ environment, terms }: Kernel, type: KernelName): Recursor[] {
  const found: Recursor[] = [];
  for (let i = 0; ; i++) {
    const info = environment.find(terms.names.child(type, i === 0 ? 'rec' : `rec_${i}`));
    if (info?.kind !== 'recursor') return found;
    found.push(info);
  }
}

function sameNames(a: readonly KernelName[], b: readonly KernelName[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
