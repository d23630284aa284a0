import { lambdaCount, type Definition, type Recursor } from './environment.ts';
import {
  APPLY,
  CONSTANT,
  LAMBDA,
  LET,
  NUMBER,
  PROJECTION,
  TEXT,
  argumentsOf,
  headFunction,
  type KernelConstant,
  type Expr,
  type Projection,
} from './expr.ts';
import type { Literals } from './literals.ts';
import type { Machine } from './machine.ts';
import type { KernelName } from './name.ts';
import { instantiate, instantiateLevels } from './substitute.ts';

/** Weak head normal forms: beta, let, projections, recursors, quotients, definitions, arithmetic. */
export class Reduction {
  private readonly machine: Machine;
  private readonly literals: Literals;
  private normal = new Map<Expr, Expr>();
  private core = new Map<Expr, Expr>();
  private cheapCore = new Map<Expr, Expr>();
  private values = new Map<Expr, Expr>();
  private rules = new Map<Expr, Map<KernelName, Expr>>();

  constructor(machine: Machine, literals: Literals) {
    this.machine = machine;
    this.literals = literals;
  }

  forget(): void {
    this.normal = new Map();
    this.core = new Map();
    this.cheapCore = new Map();
    this.values = new Map();
    this.rules = new Map();
  }

  whnf(e: Expr): Expr {
    if (e.kind !== APPLY && e.kind !== CONSTANT && e.kind !== LET && e.kind !== PROJECTION) return e;
    const known = this.normal.get(e);
    if (known !== undefined) return known;
    this.machine.enter();
    let result: Expr = e;
    for (;;) {
      result = this.whnfCore(result, false);
      const number = this.literals.arithmetic(result);
      if (number !== null) {
        result = number;
        break;
      }
      const next = this.unfold(result);
      if (next === null) break;
      this.machine.enter();
      this.machine.leave();
      result = next;
    }
    this.machine.leave();
    this.normal.set(e, result);
    return result;
  }

  whnfCore(e: Expr, cheap: boolean): Expr {
    if (e.kind !== APPLY && e.kind !== LET && e.kind !== PROJECTION) return e;
    const cache = cheap ? this.cheapCore : this.core;
    const known = cache.get(e);
    if (known !== undefined) return known;
    this.machine.enter();
    let result: Expr = e;
    for (;;) {
      const next = this.step(result, cheap);
      if (next === null) break;
      this.machine.enter();
      this.machine.leave();
      result = next;
      if (result.kind !== APPLY && result.kind !== LET && result.kind !== PROJECTION) break;
    }
    this.machine.leave();
    cache.set(e, result);
    return result;
  }

  /** One step at the head, or null. */
  private step(e: Expr, cheap: boolean): Expr | null {
    const { terms } = this.machine;
    if (e.kind === LET) return instantiate(terms, e.third, [e.right]);
    if (e.kind === PROJECTION) return this.project(e, cheap);
    if (e.kind !== APPLY) return null;
    const head = headFunction(e);
    if (head.kind === LAMBDA) return this.beta(head, argumentsOf(e));
    if (head.kind === LET || head.kind === PROJECTION) {
      const reduced = this.whnfCore(head, cheap);
      return reduced === head ? null : this.beta(reduced, argumentsOf(e));
    }
    if (head.kind !== CONSTANT) return null;
    const info = this.machine.environment.find(head.name);
    if (info?.kind === 'recursor') return this.recurse(info, head, argumentsOf(e));
    if (info?.kind !== 'quotient') return null;
    if (info.role === 'lift') return this.liftQuotient(argumentsOf(e), 5);
    return info.role === 'induction' ? this.liftQuotient(argumentsOf(e), 4) : null;
  }

  /** Applies a function to arguments, through all its leading lambdas. */
  private beta(fn: Expr, args: readonly Expr[]): Expr {
    const { terms } = this.machine;
    const count = lambdaCount(fn, args.length);
    let body = fn;
    for (let i = 0; i < count; i++) if (body.kind === LAMBDA) body = body.right;
    let result = instantiate(terms, body, count === args.length ? args : args.slice(0, count));
    for (let i = count; i < args.length; i++) {
      const arg = args[i];
      if (arg === undefined) break;
      if (i > count || result.kind !== LAMBDA) result = terms.apply(result, arg);
      else return this.beta(result, args.slice(count));
    }
    return result;
  }

  /** The field of a constructor application. */
  private project(e: Projection, cheap: boolean): Expr | null {
    let value = cheap ? this.whnfCore(e.left, true) : this.machine.whnf(e.left);
    if (value.kind === TEXT) value = this.machine.whnf(this.literals.textAsTerm(value.value));
    const head = headFunction(value);
    if (head.kind !== CONSTANT) return null;
    const info = this.machine.environment.find(head.name);
    if (info?.kind !== 'constructor' || info.inductive !== e.name) return null;
    return argumentsOf(value)[info.paramCount + e.index] ?? null;
  }

  private recurse(info: Recursor, head: KernelConstant, args: readonly Expr[]): Expr | null {
    const { terms } = this.machine;
    const before = info.paramCount + info.motiveCount + info.minorCount;
    const at = before + info.indexCount;
    let major = args[at];
    if (major === undefined || head.value.items.length !== info.params.length) return null;
    if (info.k) major = this.proofAsConstructor(info, major) ?? major;
    major = this.machine.whnf(major);
    if (major.kind === NUMBER) major = this.literals.numberAsConstructor(major.value);
    else if (major.kind === TEXT) major = this.machine.whnf(this.literals.textAsTerm(major.value));
    else major = this.etaExpand(info.inductive, major) ?? major;
    const constructor = headFunction(major);
    if (constructor.kind !== CONSTANT) return null;
    const rule = info.rules.find((one) => one.constructor === constructor.name);
    if (rule === undefined) return null;
    const fields = argumentsOf(major);
    if (fields.length < rule.fieldCount) return null;
    let known = this.rules.get(head);
    if (known === undefined) this.rules.set(head, (known = new Map()));
    let value = known.get(rule.constructor);
    if (value === undefined) {
      value = instantiateLevels(terms, rule.value, info.params, head.value.items);
      known.set(rule.constructor, value);
    }
    return this.beta(value, [
      ...args.slice(0, before),
      ...fields.slice(fields.length - rule.fieldCount),
      ...args.slice(at + 1),
    ]);
  }

  /** For types with one constructor without fields: any proof of a matching type counts as that constructor. */
  private proofAsConstructor(info: Recursor, major: Expr): Expr | null {
    const { terms, environment } = this.machine;
    const type = this.machine.whnf(this.machine.infer(major));
    const head = headFunction(type);
    if (head.kind !== CONSTANT || head.name !== info.inductive) return null;
    const inductive = environment.find(info.inductive);
    if (inductive?.kind !== 'inductive' || inductive.constructors[0] === undefined) return null;
    const constructor = terms.applyAll(
      terms.constant(inductive.constructors[0], head.value),
      argumentsOf(type).slice(0, inductive.paramCount),
    );
    return this.machine.equal(type, this.machine.infer(constructor)) ? constructor : null;
  }

  /** A value of a structure as its constructor applied to its projections. */
  private etaExpand(inductive: KernelName, value: Expr): Expr | null {
    const { terms, environment } = this.machine;
    const structure = environment.etaStructure(inductive);
    if (structure === null) return null;
    const already = headFunction(value);
    if (already.kind === CONSTANT && already.name === structure.constructor.name) return null;
    const type = this.machine.whnf(this.machine.infer(value));
    const head = headFunction(type);
    if (head.kind !== CONSTANT || head.name !== inductive || this.machine.isProposition(type)) return null;
    let result = terms.applyAll(
      terms.constant(structure.constructor.name, head.value),
      argumentsOf(type).slice(0, structure.type.paramCount),
    );
    for (let i = 0; i < structure.constructor.fieldCount; i++)
      result = terms.apply(result, terms.projection(inductive, i, value));
    return result;
  }

  /** `Quot.lift` and `Quot.ind` applied to `Quot.mk`: the function, argument 3, applied to the element. */
  private liftQuotient(args: readonly Expr[], at: number): Expr | null {
    const { terms, environment } = this.machine;
    const fn = args[3];
    const quotient = args[at];
    if (fn === undefined || quotient === undefined) return null;
    const value = this.machine.whnf(quotient);
    const head = headFunction(value);
    if (head.kind !== CONSTANT) return null;
    const info = environment.find(head.name);
    if (info?.kind !== 'quotient' || info.role !== 'constructor') return null;
    const element = argumentsOf(value)[2];
    return element === undefined ? null : terms.applyAll(terms.apply(fn, element), args.slice(at + 1));
  }

  /** The definition at the head, if it can be unfolded. */
  definition(e: Expr): Definition | null {
    const head = headFunction(e);
    if (head.kind !== CONSTANT) return null;
    const info = this.machine.environment.find(head.name);
    if (info?.kind !== 'definition' && info?.kind !== 'theorem') return null;
    return info.value === null || info.params.length !== head.value.items.length ? null : info;
  }

  unfold(e: Expr): Expr | null {
    const info = this.definition(e);
    if (info === null || info.value === null) return null;
    this.literals.declineIfTooLarge(e);
    const head = headFunction(e);
    if (head.kind !== CONSTANT) return null;
    let value = this.values.get(head);
    if (value === undefined) {
      value = instantiateLevels(this.machine.terms, info.value, info.params, head.value.items);
      this.values.set(head, value);
    }
    return head === e ? value : this.beta(value, argumentsOf(e));
  }

  /** Unfold a projection at the head as far as needed to take one step, or null. */
  unfoldProjection(e: Expr): Expr | null {
    const head = headFunction(e);
    if (head.kind !== PROJECTION) return null;
    const next = this.whnfCore(e, false);
    return next === e ? null : next;
  }
}
