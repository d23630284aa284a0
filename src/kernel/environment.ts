import { LAMBDA, type Expr } from './expr.ts';
import { nameText, type KernelName } from './name.ts';
import { Stop, kernelRefuses } from './outcome.ts';

interface Declared {
  readonly name: KernelName;
  /** universe parameters */
  readonly params: readonly KernelName[];
  readonly type: Expr;
}
interface Axiom extends Declared {
  readonly kind: 'axiom';
}
export interface Definition extends Declared {
  readonly kind: 'definition' | 'theorem' | 'opaque';
  /** absent in a library that does not record it */
  readonly value: Expr | null;
  /** of two definitions, the one with the greater height is unfolded first */
  readonly height: number;
}
export interface Inductive extends Declared {
  readonly kind: 'inductive';
  readonly paramCount: number;
  readonly indexCount: number;
  /** the types declared together with it, including itself */
  readonly all: readonly KernelName[];
  readonly constructors: readonly KernelName[];
  readonly isRecursive: boolean;
}
export interface Constructor extends Declared {
  readonly kind: 'constructor';
  readonly inductive: KernelName;
  readonly paramCount: number;
  readonly fieldCount: number;
}
export interface Rule {
  readonly constructor: KernelName;
  readonly fieldCount: number;
  /** `fun params motives minors fields => …` */
  readonly value: Expr;
}
export interface Recursor extends Declared {
  readonly kind: 'recursor';
  /** the type of its major premise */
  readonly inductive: KernelName;
  readonly paramCount: number;
  readonly motiveCount: number;
  readonly minorCount: number;
  readonly indexCount: number;
  readonly rules: readonly Rule[];
  /** whether it reduces for every proof of the right type */
  readonly k: boolean;
}
export interface Quotient extends Declared {
  readonly kind: 'quotient';
  readonly role: 'type' | 'constructor' | 'lift' | 'induction';
}
export type Info = Axiom | Definition | Inductive | Constructor | Recursor | Quotient;

/** Unchecked constants that a kernel builds on, looked up by name on demand. */
export type KernelLibrary = (name: KernelName) => Info | undefined;

/** The heights that are not numbers: theorems and opaque constants come last, abbreviations first. */
export const OPAQUE_HEIGHT = -1;
export const ABBREVIATION_HEIGHT = Number.MAX_SAFE_INTEGER;

export class Environment {
  private readonly own = new Map<KernelName, Info>();
  private readonly library: KernelLibrary;

  constructor(library: KernelLibrary = () => undefined) {
    this.library = library;
  }

  find(name: KernelName): Info | undefined {
    return this.own.get(name) ?? this.library(name);
  }

  /** Whether the constant was checked here rather than taken from the library. */
  isOwn(name: KernelName): boolean {
    return this.own.has(name);
  }

  get(name: KernelName): Info {
    const info = this.find(name);
    if (info === undefined) throw new Stop('refuse', 'type', `unknown constant ${nameText(name)}`, name);
    return info;
  }

  add(info: Info): void {
    if (this.find(info.name) !== undefined) kernelRefuses(`${nameText(info.name)} is declared twice`);
    this.own.set(info.name, info);
  }

  /** The number of constants; `reset` removes those added since. */
  mark(): number {
    return this.own.size;
  }
  reset(mark: number): void {
    for (const name of [...this.own.keys()].slice(mark)) this.own.delete(name);
  }

  /** A type with one constructor and no indices: its values have projections. */
  structure(name: KernelName): { type: Inductive; constructor: Constructor } | null {
    const type = this.find(name);
    if (type?.kind !== 'inductive' || type.indexCount !== 0 || type.constructors.length !== 1) return null;
    const constructor = type.constructors[0] === undefined ? undefined : this.find(type.constructors[0]);
    return constructor?.kind === 'constructor' ? { type, constructor } : null;
  }

  /** A structure with eta: a value equals the constructor applied to its projections. */
  etaStructure(name: KernelName): { type: Inductive; constructor: Constructor } | null {
    const found = this.structure(name);
    return found === null || found.type.isRecursive ? null : found;
  }
}

/** The number of leading lambdas, at most `limit`. */
export function lambdaCount(e: Expr, limit: number): number {
  let count = 0;
  for (let at = e; count < limit && at.kind === LAMBDA; at = at.right) count++;
  return count;
}
