import type { Recursor, Rule } from './environment.ts';
import { LAMBDA, PI, SORT, type Expr, type Free } from './expr.ts';
import type { Block, Families, Family } from './families.ts';
import { isPositive, isZero, type Level } from './level.ts';
import type { Checker } from './checker.ts';
import type { KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { close } from './substitute.ts';

/** A recursor is always derived from the constructors, never taken from an export. */
export function deriveRecursors(checker: Checker, block: Block, families: Families): Recursor[] {
  return new Derivation(checker, block, families).run();
}

function sortLevel(sort: Expr): Level {
  return sort.kind === SORT
    ? sort.value
    : kernelRefuses('the type of an inductive type does not end in a universe');
}

/** The variables of one family. */
interface Opened {
  readonly family: Family;
  readonly indices: readonly Free[];
  readonly major: Free;
  readonly motive: Free;
}

class Derivation {
  private readonly checker: Checker;
  private readonly block: Block;
  private readonly families: Families;
  private readonly level: Level;
  private readonly elimination: Level;
  private readonly universes: readonly KernelName[];
  private next: number;

  constructor(checker: Checker, block: Block, families: Families) {
    this.checker = checker;
    this.block = block;
    this.families = families;
    this.next = families.params.length;
    const first = families.list[0] ?? kernelRefuses('an inductive declaration without types');
    this.level = sortLevel(families.openAll(first.type, this.next).result);
    const { levels } = checker.terms;
    if (this.eliminatesIntoPropOnly()) {
      this.elimination = levels.zero;
      this.universes = block.params;
    } else {
      const name = this.freshUniverse();
      this.elimination = levels.param(name);
      this.universes = [name, ...block.params];
    }
  }

  private freshUniverse(): KernelName {
    const { names } = this.checker.terms;
    for (let i = 0; ; i++) {
      const name = names.of(i === 0 ? 'u' : `u_${i}`);
      if (!this.block.params.includes(name)) return name;
    }
  }

  /**
   * A type that may be a proposition eliminates only into propositions, unless it has no constructor, or one
   * constructor whose fields are proofs or occur in the result type itself.
   */
  private eliminatesIntoPropOnly(): boolean {
    if (isPositive(this.level)) return false;
    const [family, ...others] = this.families.list;
    if (family === undefined || others.length > 0 || family.constructors.length > 1) return true;
    const [constructor] = family.constructors;
    if (constructor === undefined) return false;
    const { variables, result } = this.families.openFields(constructor.type, this.next);
    const shown = this.families.occurrence(result)?.indices ?? [];
    return !variables.every((field) => isZero(this.checker.universe(field.left)) || shown.includes(field));
  }

  private variable(type: Expr): Free {
    return this.checker.terms.free(this.next++, type);
  }

  private open(type: Expr, all: boolean): { variables: Free[]; result: Expr } {
    const opened = all ? this.families.openAll(type, this.next) : this.families.openFields(type, this.next);
    this.next += opened.variables.length;
    return opened;
  }

  run(): Recursor[] {
    const { terms } = this.checker;
    const { list, params } = this.families;
    const opened = list.map((family): Opened => {
      const { variables: indices } = this.open(family.type, true);
      const major = this.variable(terms.applyAll(family.head, indices));
      const sort = terms.sort(this.elimination);
      return { family, indices, major, motive: this.variable(close(terms, PI, [...indices, major], sort)) };
    });
    const motives = opened.map((one) => one.motive);
    const minors: Free[] = [];
    for (const one of opened)
      for (const constructor of one.family.constructors)
        minors.push(this.variable(this.minor(constructor, motives)));
    const names = this.recursorNames();
    const levels = terms.levels.list(this.universes.map((name) => terms.levels.param(name)));
    const before = [...params, ...motives, ...minors];
    const heads = names.map((name) => terms.applyAll(terms.constant(name, levels), before));
    let minorAt = 0;
    return opened.map((one, i): Recursor => {
      const rules = one.family.constructors.map((constructor) => {
        const minor = minors[minorAt++] ?? kernelRefuses('a minor premise is missing');
        return this.rule(constructor, minor, before, heads);
      });
      return {
        kind: 'recursor',
        name: names[i] ?? kernelRefuses('a recursor has no name'),
        params: this.universes,
        type: close(
          terms,
          PI,
          [...before, ...one.indices, one.major],
          terms.apply(terms.applyAll(one.motive, one.indices), one.major),
        ),
        inductive: one.family.name,
        paramCount: params.length,
        motiveCount: motives.length,
        minorCount: minors.length,
        indexCount: one.indices.length,
        rules,
        k: list.length === 1 && isZero(this.level) && rules.length === 1 && rules[0]?.fieldCount === 0,
      };
    });
  }

  private recursorNames(): KernelName[] {
    const { names } = this.checker.terms;
    const first = this.block.types[0]?.name ?? names.anonymous;
    let nested = 0;
    return this.families.list.map((family) =>
      family.isNested ? names.child(first, `rec_${++nested}`) : names.child(family.name, 'rec'),
    );
  }

  /** Recursive fields: the family they end in, below their own variables. */
  private recursive(field: Free): { family: number; indices: readonly Expr[]; variables: Free[] } | null {
    if (!this.families.mentionsOwn(field.left)) return null;
    const { variables, result } = this.open(field.left, true);
    const occurrence = this.families.occurrence(result);
    return occurrence === null ? null : { ...occurrence, variables };
  }

  private minor(constructor: Family['constructors'][number], motives: readonly Free[]): Expr {
    const { terms } = this.checker;
    const { variables: fields, result } = this.open(constructor.type, false);
    const hypotheses: Free[] = [];
    for (const field of fields) {
      const found = this.recursive(field);
      const motive = found === null ? undefined : motives[found.family];
      if (found === null || motive === undefined) continue;
      const value = terms.applyAll(field, found.variables);
      const conclusion = terms.apply(terms.applyAll(motive, found.indices), value);
      hypotheses.push(this.variable(close(terms, PI, found.variables, conclusion)));
    }
    const target = this.families.occurrence(result) ?? kernelRefuses('a constructor of another type');
    const motive = motives[target.family] ?? kernelRefuses('a motive is missing');
    const value = terms.applyAll(constructor.term, fields);
    return close(
      terms,
      PI,
      [...fields, ...hypotheses],
      terms.apply(terms.applyAll(motive, target.indices), value),
    );
  }

  private rule(
    constructor: Family['constructors'][number],
    minor: Free,
    before: readonly Free[],
    heads: readonly Expr[],
  ): Rule {
    const { terms } = this.checker;
    const { variables: fields } = this.open(constructor.type, false);
    const results: Expr[] = [];
    for (const field of fields) {
      const found = this.recursive(field);
      const head = found === null ? undefined : heads[found.family];
      if (found === null || head === undefined) continue;
      const value = terms.applyAll(field, found.variables);
      const call = terms.apply(terms.applyAll(head, found.indices), value);
      results.push(close(terms, LAMBDA, found.variables, call));
    }
    const value = terms.applyAll(terms.applyAll(minor, fields), results);
    return {
      constructor: constructor.name,
      fieldCount: fields.length,
      value: close(terms, LAMBDA, [...before, ...fields], value),
    };
  }
}
