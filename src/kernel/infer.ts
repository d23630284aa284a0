import {
  APPLY,
  BOUND,
  CONSTANT,
  FREE,
  LAMBDA,
  LET,
  NUMBER,
  PI,
  PROJECTION,
  SORT,
  TEXT,
  argumentsOf,
  headFunction,
  type Apply,
  type Binder,
  type KernelConstant,
  type Expr,
  type Free,
  type Projection,
} from './expr.ts';
import { isPositive, isZero, levelAtMost, type Level } from './level.ts';
import type { Literals } from './literals.ts';
import type { Machine } from './machine.ts';
import { nameText } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { close, instantiate, instantiateLevels } from './substitute.ts';

/** The types of terms: with checks, or without them for terms that are known to be well typed. */
export class Inference {
  private readonly machine: Machine;
  private readonly literals: Literals;
  private types = new Map<Expr, Expr>();
  private checked = new Map<Expr, Expr>();
  private propositions = new Map<Expr, boolean>();

  constructor(machine: Machine, literals: Literals) {
    this.machine = machine;
    this.literals = literals;
  }

  forget(): void {
    this.types = new Map();
    this.checked = new Map();
    this.propositions = new Map();
  }

  infer(e: Expr, checks: boolean): Expr {
    if (e.kind === FREE) return e.left;
    const known = this.checked.get(e) ?? (checks ? undefined : this.types.get(e));
    if (known !== undefined) return known;
    this.machine.enter();
    const type = this.typeOf(e, checks);
    this.machine.leave();
    (checks ? this.checked : this.types).set(e, type);
    return type;
  }

  private typeOf(e: Expr, checks: boolean): Expr {
    const { terms } = this.machine;
    switch (e.kind) {
      case FREE:
        return e.left;
      case BOUND:
        return kernelRefuses('a loose bound variable');
      case SORT:
        return terms.sort(terms.levels.succ(e.value));
      case CONSTANT:
        return this.constant(e);
      case APPLY:
        return this.application(e, checks);
      case LAMBDA:
        return this.lambda(e, checks);
      case PI:
        return this.pi(e, checks);
      case LET: {
        if (checks) {
          this.sortOf(e.left, true);
          if (!this.machine.equal(this.infer(e.right, true), e.left))
            kernelRefuses('the value of a let has another type');
        }
        return this.infer(instantiate(terms, e.third, [e.right]), checks);
      }
      case NUMBER:
        return this.literals.requireNat();
      case TEXT:
        return this.literals.textType();
      case PROJECTION:
        return this.projection(e, checks);
    }
  }

  /** The universe of a type. If the universe cannot be determined, the type is refused. */
  sortOf(type: Expr, checks: boolean): Level {
    const sort = this.machine.whnf(this.infer(type, checks));
    return sort.kind === SORT ? sort.value : kernelRefuses('a type is expected');
  }

  isProposition(type: Expr): boolean {
    const known = this.propositions.get(type);
    if (known !== undefined) return known;
    const result = isZero(this.sortOf(type, false));
    this.propositions.set(type, result);
    return result;
  }

  private constant(e: KernelConstant): Expr {
    const info = this.machine.environment.get(e.name);
    if (info.params.length !== e.value.items.length)
      kernelRefuses(
        `${nameText(e.name)} is used with ${e.value.items.length} universe levels instead of ${info.params.length}`,
      );
    return instantiateLevels(this.machine.terms, info.type, info.params, e.value.items);
  }

  private application(e: Apply, checks: boolean): Expr {
    const { terms } = this.machine;
    const args = argumentsOf(e);
    let type = this.infer(headFunction(e), checks);
    let from = 0;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i];
      if (arg === undefined) break;
      if (type.kind !== PI) {
        type = this.machine.whnf(instantiate(terms, type, args.slice(from, i)));
        from = i;
      }
      if (type.kind !== PI) return kernelRefuses('something that is not a function is applied');
      if (checks) {
        const expected = instantiate(terms, type.left, args.slice(from, i));
        if (!this.machine.equal(this.infer(arg, true), expected))
          return kernelRefuses(
            `argument ${i + 1} of ${describe(headFunction(e))} has another type than expected`,
          );
      }
      type = type.right;
    }
    return instantiate(terms, type, args.slice(from));
  }

  private lambda(e: Binder, checks: boolean): Expr {
    const { terms } = this.machine;
    const opened: Free[] = [];
    let body: Expr = e;
    while (body.kind === LAMBDA) {
      const domain = instantiate(terms, body.left, opened);
      if (checks) this.sortOf(domain, true);
      opened.push(terms.free(e.free + opened.length, domain));
      body = body.right;
    }
    return close(terms, PI, opened, this.infer(instantiate(terms, body, opened), checks));
  }

  private pi(e: Binder, checks: boolean): Expr {
    const { terms } = this.machine;
    const opened: Free[] = [];
    const universes: Level[] = [];
    let body: Expr = e;
    while (body.kind === PI) {
      const domain = instantiate(terms, body.left, opened);
      universes.push(this.sortOf(domain, checks));
      opened.push(terms.free(e.free + opened.length, domain));
      body = body.right;
    }
    const result = this.sortOf(instantiate(terms, body, opened), checks);
    return terms.sort(universes.reduceRight((level, domain) => this.piLevel(domain, level), result));
  }

  /** `imax`, simplified in easy cases. */
  private piLevel(domain: Level, body: Level): Level {
    const { levels } = this.machine.terms;
    if (isZero(body)) return levels.zero;
    if (!isPositive(body)) return levels.imax(domain, body);
    if (levelAtMost(domain, body)) return body;
    return levelAtMost(body, domain) ? domain : levels.max(domain, body);
  }

  /**
   * A projection must name the structure of its value's type. From a value of a proposition only proofs can be
   * projected, and no field after a data field on which later fields depend.
   */
  private projection(e: Projection, checks: boolean): Expr {
    const { terms, environment } = this.machine;
    const type = this.machine.whnf(this.infer(e.left, checks));
    const head = headFunction(type);
    const args = argumentsOf(type);
    const structure = environment.structure(e.name);
    if (structure === null) return kernelRefuses(`${nameText(e.name)} is not a structure`);
    if (head.kind !== CONSTANT || head.name !== e.name || args.length !== structure.type.paramCount)
      return kernelRefuses(`a projection out of something that is not of type ${nameText(e.name)}`);
    const universe = this.sortOf(type, false);
    const isProof = isZero(universe);
    if (!isProof && !isPositive(universe))
      return kernelRefuses(
        `${nameText(e.name)} may be a proposition, depending on its universes: nothing can be projected out of it`,
      );
    const { constructor } = structure;
    if (!Number.isSafeInteger(e.index) || e.index < 0 || e.index >= constructor.fieldCount)
      return kernelRefuses(`${nameText(e.name)} has no field ${e.index}`);
    let field = instantiateLevels(terms, constructor.type, constructor.params, head.value.items);
    for (let i = 0; i < args.length; i++)
      field = field.kind === PI ? field.right : kernelRefuses('a constructor without fields');
    field = instantiate(terms, field, args);
    for (let i = 0; ; i++) {
      if (field.kind !== PI) return kernelRefuses('a constructor without fields');
      if (i === e.index) break;
      const isDependent = field.right.loose > 0;
      if (isProof && isDependent && !this.machine.isProposition(field.left))
        return kernelRefuses(`a projection out of a proposition past a field of data`);
      field = instantiate(terms, field.right, [terms.projection(e.name, i, e.left)]);
    }
    if (isProof && !this.machine.isProposition(field.left))
      return kernelRefuses('a projection of data out of a proposition');
    return field.left;
  }
}

function describe(head: Expr): string {
  return head.kind === CONSTANT ? nameText(head.name) : 'a function';
}
