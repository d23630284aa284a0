import {
  APPLY,
  CONSTANT,
  LAMBDA,
  LET,
  PI,
  PROJECTION,
  argumentsOf,
  headFunction,
  type Expr,
  type Free,
} from './expr.ts';
import type { Levels } from './level.ts';
import type { Machine } from './machine.ts';
import { nameText, type KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { instantiate, instantiateLevels, walk } from './substitute.ts';

/** Inductive types that are declared together. */
export interface Block {
  /** universe parameters */
  readonly params: readonly KernelName[];
  /** number of leading arguments of every type that are parameters */
  readonly paramCount: number;
  readonly types: readonly BlockType[];
}
export interface BlockType {
  readonly name: KernelName;
  readonly type: Expr;
  readonly constructors: readonly { readonly name: KernelName; readonly type: Expr }[];
}

/**
 * A type over which the recursors of a block recurse: one of the block (`Tree α`), or an earlier type around one of them
 * (`List (Tree α)`). Everything is stated over free variables for the parameters of the block.
 */
export interface Family {
  /** the type constructor applied to its parameters */
  readonly head: Expr;
  readonly name: KernelName;
  readonly isNested: boolean;
  /** the rest of its type after the parameters: indices, then a universe */
  readonly type: Expr;
  readonly constructors: readonly FamilyConstructor[];
}
interface FamilyConstructor {
  readonly name: KernelName;
  /** the constructor applied to the parameters */
  readonly term: Expr;
  /** the rest of its type after the parameters: fields, then the family */
  readonly type: Expr;
}

/**
 * Exposes the head of a type by unfolding definitions and beta reduction only. The shape of a declaration must not
 * depend on more: a recursor that is stuck for one proof and reduces for another would make the same type look
 * different in different places.
 */
export function expose(machine: Machine, type: Expr): Expr {
  const { terms } = machine;
  for (let e = type; ;) {
    machine.enter();
    machine.leave();
    if (e.kind === LET) {
      e = instantiate(terms, e.third, [e.right]);
      continue;
    }
    const head = headFunction(e);
    if (e.kind === APPLY && head.kind === LAMBDA) {
      const [first, ...rest] = argumentsOf(e);
      if (first === undefined) return e;
      e = terms.applyAll(instantiate(terms, head.right, [first]), rest);
      continue;
    }
    if (e.kind === APPLY && head.kind === LET) {
      e = terms.applyAll(instantiate(terms, head.third, [head.right]), argumentsOf(e));
      continue;
    }
    const next = machine.unfold(e);
    if (next === null) return e;
    e = next;
  }
}

/** A block with its parameters opened, and every family that its recursors need. */
export class Families {
  readonly params: readonly Free[];
  readonly levels: Levels;
  readonly list: Family[] = [];
  private readonly machine: Machine;
  private readonly own: ReadonlySet<KernelName>;

  constructor(machine: Machine, block: Block) {
    this.machine = machine;
    const { terms } = machine;
    this.levels = terms.levels.list(block.params.map((name) => terms.levels.param(name)));
    this.own = new Set(block.types.map((type) => type.name));
    const first = block.types[0] ?? kernelRefuses('an inductive declaration without types');
    this.params = this.openParams(first.type, block.paramCount);
    for (const type of block.types) {
      const head = terms.applyAll(terms.constant(type.name, this.levels), this.params);
      const constructors = type.constructors.map((constructor) => ({
        name: constructor.name,
        term: terms.applyAll(terms.constant(constructor.name, this.levels), this.params),
        type: this.afterParams(constructor.type, this.params),
      }));
      this.list.push({
        head,
        name: type.name,
        isNested: false,
        type: this.typeAfter(type.type),
        constructors,
      });
    }
    // the list grows while constructors of nested families mention more families
    for (let i = 0; i < this.list.length; i++)
      for (const constructor of this.list[i]?.constructors ?? []) this.addNested(constructor.type);
  }

  private openParams(type: Expr, count: number): Free[] {
    const { terms } = this.machine;
    const params: Free[] = [];
    let rest = type;
    for (let i = 0; i < count; i++) {
      rest = expose(this.machine, rest);
      if (rest.kind !== PI) return kernelRefuses('an inductive type has fewer parameters than declared');
      const param = terms.free(i, rest.left);
      params.push(param);
      rest = instantiate(terms, rest.right, [param]);
    }
    return params;
  }

  private typeAfter(type: Expr): Expr {
    let rest = type;
    for (const param of this.params) {
      rest = expose(this.machine, rest);
      if (rest.kind !== PI) return kernelRefuses('an inductive type has fewer parameters than declared');
      rest = instantiate(this.machine.terms, rest.right, [param]);
    }
    return rest;
  }

  /** The type of a constructor must have its parameters as syntactic ∀s, without reduction. */
  private afterParams(type: Expr, params: readonly Expr[]): Expr {
    let rest = type;
    for (let i = 0; i < params.length; i++) {
      if (rest.kind !== PI) return kernelRefuses('a constructor has fewer parameters than its type');
      rest = rest.right;
    }
    return instantiate(this.machine.terms, rest, params);
  }

  /** Whether it mentions a type of the block. */
  mentionsOwn(e: Expr): boolean {
    let found = false;
    walk(e, (node) => {
      if (node.kind === CONSTANT && this.own.has(node.name)) found = true;
      return !found;
    });
    return found;
  }

  /** Checks that every type of the block is used with its own universes and parameters. */
  checkUniform(type: Expr): void {
    const heads = new Set(this.list.filter((family) => !family.isNested).map((family) => family.head));
    walk(type, (node) => {
      if (heads.has(node)) return false;
      if ((node.kind === CONSTANT || node.kind === PROJECTION) && this.own.has(node.name))
        kernelRefuses(
          `${nameText(node.name)} is used with other universes or parameters than it is declared with`,
        );
      return true;
    });
  }

  /** Earlier inductive types whose parameters mention the block, outermost first. */
  private addNested(type: Expr): void {
    const { terms, environment } = this.machine;
    walk(type, (node) => {
      if (node.kind !== APPLY) return true;
      const head = headFunction(node);
      if (head.kind !== CONSTANT || this.own.has(head.name)) return true;
      const info = environment.find(head.name);
      if (info?.kind !== 'inductive') return true;
      const args = argumentsOf(node);
      if (args.length < info.paramCount) return true;
      const params = args.slice(0, info.paramCount);
      if (!params.some((param) => this.mentionsOwn(param))) return true;
      if (params.some((param) => param.loose > 0))
        return kernelRefuses(`a type nested in ${nameText(head.name)} depends on a local variable`);
      if (!this.list.some((family) => family.head === terms.applyAll(head, params)))
        for (const name of info.all) this.addNestedFamily(name, head.value, params);
      return false;
    });
  }

  private addNestedFamily(name: KernelName, levels: Levels, params: readonly Expr[]): void {
    const { terms, environment } = this.machine;
    const info = environment.find(name);
    if (
      info?.kind !== 'inductive' ||
      info.params.length !== levels.items.length ||
      info.paramCount !== params.length
    )
      return kernelRefuses(`${nameText(name)} is not an inductive type of this shape`);
    const constructors = info.constructors.map((constructor) => {
      const { params: universes, type } = environment.get(constructor);
      return {
        name: constructor,
        term: terms.applyAll(terms.constant(constructor, levels), params),
        type: this.afterParams(instantiateLevels(terms, type, universes, levels.items), params),
      };
    });
    const type = this.afterParams(instantiateLevels(terms, info.type, info.params, levels.items), params);
    if (this.mentionsOwn(type))
      return kernelRefuses(`the indices of the nested type ${nameText(name)} are values of the type itself`);
    this.list.push({
      head: terms.applyAll(terms.constant(name, levels), params),
      name,
      isNested: true,
      type,
      constructors,
    });
  }

  /** The family and the indices of a type, if it is an application of one. Indices must not mention the block. */
  occurrence(type: Expr): { family: number; indices: readonly Expr[] } | null {
    const indices: Expr[] = [];
    for (let at = type; ; at = at.left) {
      const family = this.list.findIndex((one) => one.head === at);
      if (family !== -1) {
        indices.reverse();
        return indices.some((index) => this.mentionsOwn(index)) ? null : { family, indices };
      }
      if (at.kind !== APPLY) return null;
      indices.push(at.right);
    }
  }

  /** Opens a telescope of leading ∀s, reducing where the type is not syntactically a ∀. Variables are numbered from `from`. */
  openAll(type: Expr, from: number): { variables: Free[]; result: Expr } {
    const { terms } = this.machine;
    const variables: Free[] = [];
    let rest = expose(this.machine, type);
    while (rest.kind === PI) {
      const variable = terms.free(from + variables.length, rest.left);
      variables.push(variable);
      rest = expose(this.machine, instantiate(terms, rest.right, [variable]));
    }
    return { variables, result: rest };
  }

  /** Opens the fields of a constructor, which must be syntactic ∀s. */
  openFields(type: Expr, from: number): { variables: Free[]; result: Expr } {
    const { terms } = this.machine;
    const variables: Free[] = [];
    let rest = type;
    while (rest.kind === PI) {
      const variable = terms.free(from + variables.length, rest.left);
      variables.push(variable);
      rest = instantiate(terms, rest.right, [variable]);
    }
    return { variables, result: rest };
  }
}
