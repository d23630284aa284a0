import type { Expr, Terms } from './expr.ts';
import type { Block } from './families.ts';
import type { Declaration } from './kernel.ts';
import type { KernelName } from './name.ts';
import { instantiateLevels, replaceConstants } from './substitute.ts';

/**
 * Equality by content: a candidate declares the dependencies of its statement again, under names of its own. A
 * constant with the same kind, type and value (for theorems, only the type), with universe parameters compared by
 * position, is the statement's own constant. A wrong match could only lose a proof, because the kernel checks the
 * result.
 */
export class Content {
  private readonly terms: Terms;
  private readonly constants = new Map<string, KernelName[]>();
  private readonly blocks: Block[] = [];

  constructor(terms: Terms) {
    this.terms = terms;
  }

  private byPosition(params: readonly KernelName[], e: Expr): Expr {
    const { names, levels } = this.terms;
    const positions = params.map((_, i) => levels.param(names.child(names.of('u'), BigInt(i))));
    return instantiateLevels(this.terms, e, params, positions);
  }

  private key(declaration: Exclude<Declaration, { kind: 'inductive' | 'quotient' }>): string {
    const { kind, params, type } = declaration;
    const hasValue = kind === 'definition' || kind === 'opaque';
    const value = hasValue ? this.byPosition(params, declaration.value).id : '';
    return `${kind} ${params.length} ${this.byPosition(params, type).id} ${value}`;
  }

  add(declaration: Declaration): void {
    if (declaration.kind === 'quotient') return;
    if (declaration.kind === 'inductive') {
      this.blocks.push(declaration.block);
      return;
    }
    const key = this.key(declaration);
    const known = this.constants.get(key);
    if (known === undefined) this.constants.set(key, [declaration.name]);
    else known.push(declaration.name);
  }

  /** The constant with this content; of several, the one named `own`, else the first. */
  find(declaration: Declaration, own: KernelName): KernelName | undefined {
    if (declaration.kind === 'inductive' || declaration.kind === 'quotient') return undefined;
    const equal = this.constants.get(this.key(declaration)) ?? [];
    return equal.find((name) => name === own) ?? equal[0];
  }

  /** The block with this content: a map from its names to the existing ones. */
  findBlock(block: Block, own: KernelName): Map<KernelName, KernelName> | undefined {
    const named = this.blocks.filter((other) => other.types[0]?.name === own);
    for (const other of [...named, ...this.blocks]) {
      const pairs = this.sameBlock(block, other);
      if (pairs !== undefined) return pairs;
    }
    return undefined;
  }

  private sameBlock(a: Block, b: Block): Map<KernelName, KernelName> | undefined {
    if (
      a.paramCount !== b.paramCount ||
      a.params.length !== b.params.length ||
      a.types.length !== b.types.length
    )
      return undefined;
    if (a.types.some((type, i) => type.constructors.length !== b.types[i]?.constructors.length))
      return undefined;
    const [left, right] = [entries(a), entries(b)];
    const pairs = new Map<KernelName, KernelName>();
    for (const [i, { name }] of left.entries()) {
      const other = right[i];
      if (other === undefined) return undefined;
      pairs.set(name, other.name);
    }
    const isSame = left.every(({ type }, i) => {
      const other = right[i];
      const renamed = replaceConstants(
        this.terms,
        this.byPosition(a.params, type),
        (name) => pairs.get(name) ?? name,
      );
      return other !== undefined && renamed === this.byPosition(b.params, other.type);
    });
    return isSame ? pairs : undefined;
  }
}

function entries(block: Block): { name: KernelName; type: Expr }[] {
  return block.types.flatMap((type) => [type, ...type.constructors]);
}
