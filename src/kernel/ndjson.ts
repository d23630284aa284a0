import { constantsOf, leavesProofsOut } from './axioms.ts';
import type { Limits } from './checker.ts';
import { ABBREVIATION_HEIGHT, OPAQUE_HEIGHT } from './environment.ts';
import { Terms, type Expr } from './expr.ts';
import { jsonCount, flag, jsonText, kindOf, malformed, object, parseRow, type JsonRow } from './json.ts';
import { Kernel, type Declaration } from './kernel.ts';
import { nameText, type KernelName } from './name.ts';
import { NdjsonInductive } from './ndjson-inductive.ts';
import { NdjsonTables } from './ndjson-tables.ts';
import { Stop, decline, kernelRefuses, type WantedConstant } from './outcome.ts';
import { officialQuotient, requireEquality } from './quotient.ts';
import { instantiateLevels } from './substitute.ts';

const declarationKinds = ['axiom', 'def', 'thm', 'opaque', 'quot', 'inductive'] as const;
/**
 * Most rows between two declarations, and most rows that wait for others. Reading a row costs up to 16 µs, and lean4export writes the
 * rows of a declaration right before it.
 */
const rowLimits = { between: 1_000_000, waiting: 200_000 };

const rowKinds = ['in', 'il', 'ie', ...declarationKinds] as const;

/**
 * Reads lean4export's NDJSON, format 3.1, line by line, and checks each declaration as it arrives. Rows may come in
 * any order: a row with an undefined reference waits for it. Circular rows wait until the end, where they are
 * refused.
 *
 * Unsafe and partial declarations are not part of the theory: they are skipped, and anything that mentions them is
 * refused.
 */
export class NdjsonReader {
  readonly kernel: Kernel;
  private readonly terms = new Terms();
  private readonly tables = new NdjsonTables(this.terms);
  private readonly waiting = new Map<WantedConstant, { row: JsonRow; why: Stop }[]>();
  private readonly leftOut = new Set<KernelName>();
  /** constants that depend on `sorry` or on compiled code, with that dependency */
  private readonly unproved = new Map<KernelName, KernelName>();
  private firstUnproved: KernelName | undefined;
  private hasMeta = false;
  private readonly most: typeof rowLimits;
  private rowsSince = 0;
  private held = 0;
  declarations = 0;
  /** the axioms that the file declares */
  readonly axioms: string[] = [];

  constructor(limits?: Limits, most = rowLimits) {
    this.kernel = new Kernel(this.terms, undefined, limits);
    this.most = most;
  }

  /** Operations on numbers that are axioms of the file but were computed. */
  get assumed(): readonly string[] {
    return [...this.kernel.checker.literals.assumed].sort();
  }

  /** The number of unsafe or partial declarations, which were not checked. */
  get unchecked(): number {
    return this.leftOut.size;
  }

  /** Reads one line; throws a `Stop` if it is not accepted. */
  line(line: string): void {
    if (line.trim() === '') return;
    const row = parseRow(line);
    if (!this.hasMeta) return this.meta(row);
    if (++this.rowsSince > this.most.between) decline(`over ${this.most.between} rows without a declaration`);
    const rows = [row];
    for (let next = rows.pop(); next !== undefined; next = rows.pop())
      for (const defined of this.attempt(next)) {
        const freed = this.waiting.get(defined) ?? [];
        for (const one of freed) rows.push(one.row);
        this.held -= freed.length;
        this.waiting.delete(defined);
      }
  }

  /** Throws a `Stop` if something is missing at the end of the file, or proves nothing. */
  end(): void {
    if (!this.hasMeta) malformed('it is empty');
    for (const [missing, [first]] of this.waiting) {
      if (first === undefined) continue;
      if (typeof missing !== 'string' && this.leftOut.has(missing))
        throw new Stop('refuse', 'unsafe', `${first.why.message}, which is unsafe or partial`);
      throw first.why;
    }
    const name = this.firstUnproved;
    const axiom = name && this.unproved.get(name);
    if (name && axiom) decline(`${nameText(name)} depends on ${nameText(axiom)}`, 'sorry');
  }

  private meta(row: JsonRow): void {
    if (!Object.hasOwn(row, 'meta')) malformed('the first line does not say which format this is');
    const version = jsonText(object(object(row['meta'])['format'])['version']);
    if (!/^3\.1(?:\.\d+)?$/.test(version))
      decline(`format version ${version} is not supported`, 'unsupported');
    this.hasMeta = true;
  }

  /** The constants defined by a row; empty if it has to wait. */
  private attempt(row: JsonRow): readonly WantedConstant[] {
    try {
      return this.define(row);
    } catch (why) {
      if (!(why instanceof Stop) || why.missing === undefined) throw why;
      if (++this.held > this.most.waiting) decline(`over ${this.most.waiting} rows wait for others`);
      const others = this.waiting.get(why.missing);
      if (others === undefined) this.waiting.set(why.missing, [{ row, why }]);
      else others.push({ row, why });
      return [];
    }
  }

  private define(row: JsonRow): readonly WantedConstant[] {
    const kind = kindOf(row, rowKinds);
    if (kind === 'in') return [this.tables.defineName(row)];
    if (kind === 'il') return [this.tables.defineLevel(row)];
    if (kind === 'ie') return [this.tables.defineExpr(row)];
    const names = this.declaration(kind, object(row[kind]));
    this.declarations++;
    this.rowsSince = 0;
    return names;
  }

  private declaration(kind: (typeof declarationKinds)[number], fields: JsonRow): readonly KernelName[] {
    if (kind === 'inductive') return this.inductive(fields);
    const { name, params, type } = this.header(fields);
    if (kind === 'quot') return this.quotient(name, params, type, jsonText(fields['kind']));
    if (kind !== 'axiom') this.tables.nameList(fields['all']);
    const value = kind === 'axiom' ? type : this.tables.expr(fields['value']);
    const isSafe =
      kind === 'def' ? isSafeDefinition(fields['safety']) : kind === 'thm' || !flag(fields['isUnsafe']);
    const height = kind === 'def' ? readHints(fields['hints']) : OPAQUE_HEIGHT;
    if (!isSafe) return this.leaveOut([name]);
    const before = this.terms.size;
    if (kind === 'axiom') {
      this.add({ kind, name, params, type }, [name]);
      this.axioms.push(nameText(name));
    } else {
      const as = ({ def: 'definition', thm: 'theorem', opaque: 'opaque' } as const)[kind];
      this.add({ kind: as, name, params, type, value, height }, [name]);
    }
    // drops cached results of the check, so memory grows only with the terms of the file
    this.kernel.checker.forget();
    this.terms.truncate(before);
    return [name];
  }

  private header(fields: JsonRow): { name: KernelName; params: KernelName[]; type: Expr } {
    const name = this.tables.name(fields['name']);
    if (name.parent === null) malformed('a declaration without a name');
    return {
      name,
      params: this.tables.nameList(fields['levelParams']),
      type: this.tables.expr(fields['type']),
    };
  }

  private add(declaration: Declaration, names: readonly KernelName[]): void {
    this.requireNew(names);
    this.kernel.add(declaration);
    for (const constant of constantsOf(declaration)) {
      const axiom = leavesProofsOut(constant) ? constant : this.unproved.get(constant);
      if (axiom === undefined) continue;
      for (const name of names) this.unproved.set(name, axiom);
      if (declaration.kind === 'theorem' || declaration.kind === 'definition')
        this.firstUnproved ??= names[0];
      return;
    }
  }

  private requireNew(names: readonly KernelName[]): void {
    for (const name of names)
      if (this.leftOut.has(name) || this.kernel.environment.find(name) !== undefined)
        kernelRefuses(`${nameText(name)} is declared twice`);
  }

  private leaveOut(names: readonly KernelName[]): readonly KernelName[] {
    this.requireNew(names);
    for (const name of names) this.leftOut.add(name);
    return [];
  }

  private quotient(name: KernelName, params: readonly KernelName[], type: Expr, kind: string): KernelName[] {
    const { checker, environment } = this.kernel;
    const official = officialQuotient(checker, name);
    const role = new Map([
      ['type', 'type'],
      ['ctor', 'constructor'],
      ['lift', 'lift'],
      ['ind', 'induction'],
    ]).get(kind);
    if (role !== official.role || params.length !== official.params.length)
      kernelRefuses(`${nameText(name)} is not declared as it should be`);
    checker.checkParams(params);
    const levels = params.map((param) => this.terms.levels.param(param));
    if (instantiateLevels(this.terms, official.type, official.params, levels) !== type)
      kernelRefuses(`${nameText(name)} has another type than it should have`);
    if (official.role === 'lift') requireEquality(checker);
    checker.restart();
    checker.checkType(type);
    this.requireNew([name]);
    environment.add({ ...official, params, type });
    return [name];
  }

  private inductive(fields: JsonRow): readonly KernelName[] {
    const block = new NdjsonInductive(this.tables, fields);
    const names = block.names();
    if (block.isUnsafe) return this.leaveOut(names);
    this.add({ kind: 'inductive', block: block.block() }, names);
    this.terminal(() => block.compare(this.kernel));
    return names;
  }

  /** Called after the block was added: a missing constant is now missing for good. */
  private terminal(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (error instanceof Stop) throw new Stop(error.answer, error.kind, error.message);
      throw error;
    }
  }
}

function isSafeDefinition(safety: unknown): boolean {
  if (safety !== 'safe' && safety !== 'unsafe' && safety !== 'partial')
    malformed('an unknown kind of safety');
  return safety === 'safe';
}

function readHints(hints: unknown): number {
  if (hints === 'opaque') return OPAQUE_HEIGHT;
  if (hints === 'abbrev') return ABBREVIATION_HEIGHT;
  return jsonCount(object(hints)['regular']);
}
