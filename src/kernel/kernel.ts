import { Checker, type Limits } from './checker.ts';
import { Environment, OPAQUE_HEIGHT, type Definition, type KernelLibrary } from './environment.ts';
import type { Expr, Terms } from './expr.ts';
import type { Block } from './families.ts';
import { addInductive } from './inductive.ts';
import { isZero } from './level.ts';
import { nameText, type KernelName } from './name.ts';
import { Stop, kernelRefuses } from './outcome.ts';
import { quotientConstants, requireEquality } from './quotient.ts';
import { requireStandardMeaning } from './standard-axioms.ts';

/** A declaration to be added. */
export type Declaration =
  | {
      readonly kind: 'axiom';
      readonly name: KernelName;
      readonly params: readonly KernelName[];
      readonly type: Expr;
    }
  | {
      readonly kind: 'definition' | 'theorem' | 'opaque';
      readonly name: KernelName;
      readonly params: readonly KernelName[];
      readonly type: Expr;
      readonly value: Expr;
      readonly height: number;
    }
  | { readonly kind: 'inductive'; readonly block: Block }
  | { readonly kind: 'quotient' };

/** An environment to which only checked declarations are added. */
export class Kernel {
  readonly terms: Terms;
  readonly environment: Environment;
  readonly checker: Checker;

  constructor(terms: Terms, library?: KernelLibrary, limits?: Limits) {
    this.terms = terms;
    this.environment = new Environment(library);
    this.checker = new Checker(terms, this.environment, limits);
  }

  /** Checks a declaration and adds it. If it is not accepted, throws a `Stop` and leaves the environment unchanged. */
  add(declaration: Declaration): void {
    const before = this.environment.mark();
    this.checker.restart();
    this.checker.literals.unverified.clear();
    try {
      this.addChecked(declaration);
      this.checker.literals.keep();
    } catch (error) {
      this.environment.reset(before);
      this.checker.forgetConstants();
      if (!(error instanceof Stop)) throw error;
      throw this.explained(error, nameOf(declaration));
    }
  }

  /** Adds the name of the declaration to a failure. A refusal becomes a decline if skipped arithmetic may have caused it. */
  private explained({ answer, kind, message, missing }: Stop, name: string): Stop {
    const [unverified] = this.checker.literals.unverified;
    if (answer === 'refuse' && kind === 'type' && missing === undefined && unverified !== undefined)
      return new Stop(
        'decline',
        'unsupported',
        `${name}: it may need ${unverified}, whose definition was not verified`,
      );
    return new Stop(answer, kind, `${name}: ${message}`, missing);
  }

  private addChecked(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'axiom':
        this.checkHeader(declaration);
        requireStandardMeaning(this.checker, declaration);
        this.environment.add(declaration);
        return;
      case 'definition':
      case 'theorem':
      case 'opaque':
        this.addDefinition(declaration);
        return;
      case 'inductive':
        addInductive(this.checker, declaration.block);
        return;
      case 'quotient':
        requireEquality(this.checker);
        for (const constant of quotientConstants(this.checker)) this.environment.add(constant);
        return;
    }
  }

  private checkHeader({
    name,
    params,
    type,
  }: {
    name: KernelName;
    params: readonly KernelName[];
    type: Expr;
  }): void {
    if (this.environment.find(name) !== undefined) kernelRefuses('declared twice');
    this.checker.checkParams(params);
    this.checker.checkForm(type, params);
    this.checker.checkType(type);
  }

  private addDefinition(declaration: Extract<Declaration, { value: Expr }>): void {
    const { checker } = this;
    const { type, value, params, kind } = declaration;
    this.checkHeader(declaration);
    if (kind === 'theorem' && !isZero(checker.universe(type)))
      kernelRefuses('the type of a theorem is not a proposition');
    checker.checkForm(value, params);
    if (!checker.equal(checker.check(value), type)) kernelRefuses('the value has another type than declared');
    const info: Definition = {
      ...declaration,
      height: kind === 'definition' ? declaration.height : OPAQUE_HEIGHT,
    };
    this.environment.add(info);
  }
}

function nameOf(declaration: Declaration): string {
  if (declaration.kind === 'quotient') return 'Quot';
  const name = declaration.kind === 'inductive' ? declaration.block.types[0]?.name : declaration.name;
  return name === undefined ? 'inductive' : nameText(name);
}
