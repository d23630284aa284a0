// Over 300 lines: one class; what it computes and what it trusts about numbers and texts is audited in one reading.
import type { Info } from './environment.ts';
import { APPLY, CONSTANT, NUMBER, argumentsOf, headFunction, type Expr } from './expr.ts';
import type { Level } from './level.ts';
import type { Machine } from './machine.ts';
import { nameParts, nameText, type KernelName } from './name.ts';
import { natOperations, type NatOperation } from './operations.ts';
import { Stop, decline } from './outcome.ts';

/** Operations that are determined by their equations on variables. A definition that fails them is a different operation. */
const determined: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'pow', 'beq', 'ble', 'shiftLeft']);

type Status = 'verified' | 'assumed' | 'unusable';

/**
 * Number and string literals. A number literal stands for a term of `Nat.succ` and `Nat.zero`. Arithmetic on closed
 * terms uses BigInt, but only for an operation whose definition satisfies its defining equations, checked by
 * definitional equality on variables. A library operation that cannot be checked that way is assumed, and listed.
 */
export class Literals {
  private readonly machine: Machine;
  private readonly nat: KernelName;
  private readonly succ: KernelName;
  private readonly zero: KernelName;
  private readonly byName = new Map<KernelName, { operation: NatOperation; part: string }>();
  private readonly status = new Map<KernelName, Status>();
  private natChecked = false;
  /** the function that builds a string from a list of characters, once its type was checked */
  private checkedMaker: KernelName | undefined;
  /** the one that accepted declarations have used */
  private keptMaker: KernelName | undefined;
  /** applications whose result is too large to compute */
  private readonly tooLarge = new WeakSet<Expr>();
  /** operations that were used although their definition could not be verified */
  readonly assumed = new Set<string>();
  /** operations of this declaration that were not computed, because their definition was not verified */
  readonly unverified = new Set<string>();

  constructor(machine: Machine) {
    this.machine = machine;
    const { names } = machine.terms;
    this.nat = names.of('Nat');
    this.succ = names.of('Nat', 'succ');
    this.zero = names.of('Nat', 'zero');
    for (const [part, operation] of natOperations)
      this.byName.set(names.of('Nat', part), { operation, part });
  }

  /** Called after a declaration was accepted: what it says about texts has to stay true. */
  keep(): void {
    this.keptMaker = this.checkedMaker;
  }

  /** Called after constants were removed, because results about them may now be wrong. */
  forget(): void {
    this.natChecked = false;
    this.checkedMaker = this.keptMaker;
    this.status.clear();
  }

  /** Literals are valid only if `Nat` is the type of natural numbers. */
  requireNat(): Expr {
    // if it is missing, it may still be declared later
    this.machine.environment.get(this.nat);
    if (!this.isNat()) decline('number literals need Nat to be the natural numbers', 'unsupported');
    return this.natType();
  }

  private natType(): Expr {
    return this.machine.terms.constant(this.nat, this.machine.terms.levels.none);
  }

  private isNat(): boolean {
    if (this.natChecked) return true;
    const { terms, environment } = this.machine;
    const type = this.natType();
    const nat = environment.find(this.nat);
    this.natChecked =
      nat?.kind === 'inductive' &&
      nat.params.length === 0 &&
      nat.type === terms.sort(terms.levels.one) &&
      nat.constructors.length === 2 &&
      nat.constructors[0] === this.zero &&
      nat.constructors[1] === this.succ &&
      environment.find(this.zero)?.type === type &&
      environment.find(this.succ)?.type === terms.pi(type, type);
    return this.natChecked;
  }

  /** String literals are valid only if the term they stand for has the type `String`. */
  textType(): Expr {
    const type = this.constant('String');
    if (this.checkedMaker !== undefined) return type;
    const maker = this.textMaker();
    const { terms } = this.machine;
    const { levels, names } = terms;
    const nat = this.requireNat();
    const [u] = this.declared('List').params;
    if (u === undefined) return decline('text literals need the usual List', 'unsupported');
    const universe = terms.sort(levels.succ(levels.param(u)));
    const list = (of: Expr, level: Level): Expr =>
      terms.apply(terms.constant(names.of('List'), levels.list([level])), of);
    const rest = list(terms.bound(1), levels.param(u));
    const isAs = (params: readonly KernelName[], of: Expr, ...name: string[]): boolean => {
      const info = this.declared(...name);
      return info.type === of && info.params.length === params.length && info.params[0] === params[0];
    };
    const isUsual =
      isAs([u], terms.pi(universe, universe), 'List') &&
      isAs([u], terms.pi(universe, list(terms.bound(0), levels.param(u))), 'List', 'nil') &&
      isAs(
        [u],
        terms.pi(universe, terms.pi(terms.bound(0), terms.pi(rest, list(terms.bound(2), levels.param(u))))),
        'List',
        'cons',
      ) &&
      isAs([], terms.sort(levels.one), 'Char') &&
      isAs([], terms.pi(nat, this.constant('Char')), 'Char', 'ofNat') &&
      isAs([], terms.sort(levels.one), 'String') &&
      isAs([], terms.pi(list(this.constant('Char'), levels.zero), type), ...nameParts(maker).map(String));
    if (!isUsual) decline('text literals need the usual String, Char and List', 'unsupported');
    this.checkedMaker = maker;
    return type;
  }

  private declared(...parts: string[]): Info {
    return this.machine.environment.get(this.machine.terms.names.of(...parts));
  }

  private constant(...parts: string[]): Expr {
    const { terms } = this.machine;
    return terms.constant(terms.names.of(...parts), terms.levels.none);
  }

  numberAsConstructor(value: bigint): Expr {
    const { terms } = this.machine;
    this.requireNat();
    if (value === 0n) return this.constant('Nat', 'zero');
    return terms.apply(this.constant('Nat', 'succ'), terms.number(value - 1n));
  }

  /**
   * The function that builds a string from a list of characters; in older libraries, the constructor `String.mk`.
   * Once a string was read, it does not change: otherwise one literal would stand for two terms.
   */
  textMaker(): KernelName {
    if (this.checkedMaker !== undefined) return this.checkedMaker;
    const { terms, environment } = this.machine;
    const maker = [terms.names.of('String', 'ofList'), terms.names.of('String', 'mk')].find(
      (name) => environment.find(name) !== undefined,
    );
    if (maker === undefined)
      throw new Stop(
        'decline',
        'unsupported',
        'text literals need String.ofList',
        terms.names.of('String', 'ofList'),
      );
    return maker;
  }

  textAsTerm(value: string): Expr {
    const { terms } = this.machine;
    this.requireNat();
    const char = this.constant('Char');
    const zero = terms.levels.list([terms.levels.zero]);
    const cons = terms.apply(terms.constant(terms.names.of('List', 'cons'), zero), char);
    let list = terms.apply(terms.constant(terms.names.of('List', 'nil'), zero), char);
    const ofNat = this.constant('Char', 'ofNat');
    for (const point of Array.from(value, (c) => c.codePointAt(0) ?? 0).reverse())
      list = terms.apply(terms.apply(cons, terms.apply(ofNat, terms.number(BigInt(point)))), list);
    return terms.apply(terms.constant(this.textMaker(), terms.levels.none), list);
  }

  /** The value of a number in weak head normal form. */
  asNumber(e: Expr): bigint | null {
    if (e.kind === NUMBER) return e.value;
    return e.kind === CONSTANT && e.name === this.zero && this.isNat() ? 0n : null;
  }

  /** `n` of `Nat.succ n`, also of a positive literal. */
  predecessor(e: Expr): Expr | null {
    if (e.kind === NUMBER) return e.value > 0n ? this.machine.terms.number(e.value - 1n) : null;
    const isSucc = e.kind === APPLY && e.left.kind === CONSTANT && e.left.name === this.succ;
    return isSucc && this.isNat() ? e.right : null;
  }

  /** The value of an operation on closed terms. */
  arithmetic(e: Expr): Expr | null {
    if (e.kind !== APPLY || e.free > 0) return null;
    const head = headFunction(e);
    if (head.kind !== CONSTANT || head.name.parent !== this.nat || !this.isNat()) return null;
    const { terms } = this.machine;
    if (e.left === head) {
      if (head.name !== this.succ) return null;
      const value = this.asNumber(this.machine.whnf(e.right));
      return value === null ? null : terms.number(value + 1n);
    }
    const known = this.byName.get(head.name);
    if (known === undefined) return null;
    const args = argumentsOf(e);
    const [first, second] = args;
    if (first === undefined || second === undefined || args.length !== 2) return null;
    const a = this.asNumber(this.machine.whnf(first));
    if (a === null) return null;
    const b = this.asNumber(this.machine.whnf(second));
    if (b === null) return null;
    if (!this.isUsable(head.name, known.part)) {
      if (!determined.has(known.part)) this.unverified.add(nameText(head.name));
      return null;
    }
    const result = known.operation(a, b);
    if (result === null) {
      this.tooLarge.add(e);
      return null;
    }
    if (typeof result === 'bigint') return terms.number(result);
    return this.constant('Bool', result ? 'true' : 'false');
  }

  /** Declines an operation whose result was too large to compute, because unfolding it would not terminate in practice. */
  declineIfTooLarge(e: Expr): void {
    if (this.tooLarge.has(e)) decline('the result of an operation on numbers is too large');
  }

  private isUsable(name: KernelName, part: string): boolean {
    const known = this.status.get(name);
    // a constant that is not declared yet may still get any definition
    if (known === undefined && this.machine.environment.find(name) === undefined) return false;
    const status = known ?? this.examine(name, part);
    if (status === 'assumed') this.assumed.add(nameText(name));
    return status !== 'unusable';
  }

  private examine(name: KernelName, part: string): Status {
    // until its status is decided, the operation is computed from its definition
    this.status.set(name, 'unusable');
    try {
      const status = this.satisfiesEquations(part)
        ? 'verified'
        : this.isOpen(name, part)
          ? 'assumed'
          : 'unusable';
      this.status.set(name, status);
      return status;
    } catch (error) {
      this.status.delete(name);
      throw error;
    }
  }

  /** Whether no checked definition says what the operation computes: it is the library's, or an axiom of the right type. */
  private isOpen(name: KernelName, part: string): boolean {
    const { environment } = this.machine;
    if (!environment.isOwn(name)) return true;
    const info = environment.find(name);
    const isPredicate = part === 'beq' || part === 'ble';
    return info?.kind === 'axiom' && info.type === this.typeOf(part) && (!isPredicate || this.isBool());
  }

  private isBool(): boolean {
    const { terms, environment } = this.machine;
    const { names } = terms;
    const bool = environment.find(names.of('Bool'));
    return (
      bool?.kind === 'inductive' &&
      bool.type === terms.sort(terms.levels.one) &&
      bool.params.length === 0 &&
      bool.constructors.length === 2 &&
      bool.constructors[0] === names.of('Bool', 'false') &&
      bool.constructors[1] === names.of('Bool', 'true')
    );
  }

  private typeOf(part: string): Expr {
    const { terms } = this.machine;
    const nat = this.natType();
    const result = part === 'beq' || part === 'ble' ? this.constant('Bool') : nat;
    return terms.pi(nat, terms.pi(nat, result));
  }

  private satisfiesEquations(part: string): boolean {
    const { terms } = this.machine;
    const nat = this.requireNat();
    const x = terms.free(0, nat);
    const y = terms.free(1, nat);
    const zero = this.constant('Nat', 'zero');
    const one = terms.apply(this.constant('Nat', 'succ'), zero);
    const two = terms.apply(this.constant('Nat', 'succ'), one);
    const succ = (e: Expr): Expr => terms.apply(this.constant('Nat', 'succ'), e);
    const call = (name: string, ...args: Expr[]): Expr => terms.applyAll(this.constant('Nat', name), args);
    const no = this.constant('Bool', 'false');
    const yes = this.constant('Bool', 'true');
    const needs = (...parts: string[]): boolean =>
      parts.every((name) => this.isUsable(terms.names.of('Nat', name), name));
    const type = this.typeOf(part);
    const info = this.machine.environment.find(terms.names.of('Nat', part));
    const predecessor = this.machine.environment.find(terms.names.of('Nat', 'pred'));
    const exists = (...parts: string[]): boolean =>
      this.machine.environment.find(terms.names.of(...parts)) !== undefined;
    const holds = (...equations: [Expr, Expr][]): boolean =>
      info?.type === type && equations.every(([left, right]) => this.machine.equal(left, right));
    switch (part) {
      case 'add':
        return holds([call('add', x, zero), x], [call('add', x, succ(y)), succ(call('add', x, y))]);
      case 'sub':
        return (
          predecessor?.type === terms.pi(nat, nat) &&
          holds(
            [call('sub', x, zero), x],
            [call('sub', x, succ(y)), call('pred', call('sub', x, y))],
            [call('pred', zero), zero],
            [call('pred', succ(x)), x],
          )
        );
      case 'mul':
        return (
          needs('add') &&
          holds([call('mul', x, zero), zero], [call('mul', x, succ(y)), call('add', call('mul', x, y), x)])
        );
      case 'pow':
        return (
          needs('mul') &&
          holds([call('pow', x, zero), one], [call('pow', x, succ(y)), call('mul', call('pow', x, y), x)])
        );
      case 'beq':
      case 'ble':
        return (
          exists('Bool', 'true') &&
          exists('Bool', 'false') &&
          holds(
            [call(part, zero, zero), yes],
            [call(part, zero, succ(y)), part === 'ble' ? yes : no],
            [call(part, succ(x), zero), no],
            [call(part, succ(x), succ(y)), call(part, x, y)],
          )
        );
      case 'shiftLeft':
        return (
          needs('mul') &&
          holds(
            [call('shiftLeft', x, zero), x],
            [call('shiftLeft', x, succ(y)), call('shiftLeft', call('mul', two, x), y)],
          )
        );
      case 'shiftRight':
        return (
          needs('div') &&
          holds(
            [call('shiftRight', x, zero), x],
            [call('shiftRight', x, succ(y)), call('div', call('shiftRight', x, y), two)],
          )
        );
      default:
        return false;
    }
  }
}
