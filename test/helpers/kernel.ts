import { PI, Terms, LAMBDA, type Expr, type Free } from '../../src/kernel/expr.ts';
import { Kernel, type Declaration } from '../../src/kernel/kernel.ts';
import type { Level } from '../../src/kernel/level.ts';
import type { KernelName } from '../../src/kernel/name.ts';
import { settle, type KernelOutcome } from '../../src/kernel/outcome.ts';
import { close } from '../../src/kernel/substitute.ts';

/** A kernel with short constructors for terms. Binders take a function from the variable to the body. */
export class World {
  readonly terms = new Terms();
  readonly kernel = new Kernel(this.terms);
  private next = 0;

  readonly zero = this.terms.levels.zero;
  readonly one = this.terms.levels.one;
  readonly prop = this.terms.prop;
  readonly type = this.terms.sort(this.one);

  name(text: string): KernelName {
    return this.terms.names.of(...text.split('.'));
  }
  u(text: string): Level {
    return this.terms.levels.param(this.name(text));
  }
  sort(level: Level): Expr {
    return this.terms.sort(level);
  }
  c(text: string, ...levels: Level[]): Expr {
    return this.terms.constant(this.name(text), this.terms.levels.list(levels));
  }
  app(head: Expr, ...args: Expr[]): Expr {
    return this.terms.applyAll(head, args);
  }
  private bind(kind: typeof LAMBDA | typeof PI, domain: Expr, body: (x: Free) => Expr): Expr {
    const x = this.terms.free(this.next++, domain);
    const result = close(this.terms, kind, [x], body(x));
    this.next--;
    return result;
  }
  pi(domain: Expr, body: (x: Free) => Expr): Expr {
    return this.bind(PI, domain, body);
  }
  fun(domain: Expr, body: (x: Free) => Expr): Expr {
    return this.bind(LAMBDA, domain, body);
  }
  arrow(...types: Expr[]): Expr {
    return types.reduceRight((result, domain) => this.pi(domain, () => result));
  }

  add(declaration: Declaration): KernelOutcome {
    return settle(() => this.kernel.add(declaration));
  }
  axiom(name: string, type: Expr, params: string[] = []): KernelOutcome {
    return this.add({ kind: 'axiom', name: this.name(name), params: this.names(params), type });
  }
  define(
    name: string,
    type: Expr,
    value: Expr,
    params: string[] = [],
    kind: 'definition' | 'theorem' = 'definition',
  ): KernelOutcome {
    return this.add({ kind, name: this.name(name), params: this.names(params), type, value, height: 1 });
  }
  theorem(name: string, type: Expr, value: Expr, params: string[] = []): KernelOutcome {
    return this.define(name, type, value, params, 'theorem');
  }
  inductive(
    name: string,
    type: Expr,
    paramCount: number,
    constructors: Record<string, Expr>,
    params: string[] = [],
  ): KernelOutcome {
    return this.block(paramCount, { [name]: { type, constructors } }, params);
  }
  block(
    paramCount: number,
    types: Record<string, { type: Expr; constructors: Record<string, Expr> }>,
    params: string[] = [],
  ): KernelOutcome {
    return this.add({
      kind: 'inductive',
      block: {
        params: this.names(params),
        paramCount,
        types: Object.entries(types).map(([name, { type, constructors }]) => ({
          name: this.name(name),
          type,
          constructors: Object.entries(constructors).map(([constructor, constructorType]) => ({
            name: this.name(constructor),
            type: constructorType,
          })),
        })),
      },
    });
  }
  names(texts: string[]): KernelName[] {
    return texts.map((text) => this.name(text));
  }

  /** Equality, booleans, numbers, pairs, unit, conjunction, existence, accessibility: what most tests need. */
  withBasics(): this {
    const { type, prop } = this;
    const u = this.u('u');
    const eq = (...args: Expr[]): Expr => this.app(this.c('Eq', u), ...args);
    const universe = this.sort(this.terms.levels.succ(u));
    const list = (of: Expr): Expr => this.app(this.c('List', u), of);
    const all = [
      this.inductive(
        'Eq',
        this.pi(this.sort(u), (a) => this.arrow(a, a, prop)),
        2,
        { 'Eq.refl': this.pi(this.sort(u), (a) => this.pi(a, (x) => eq(a, x, x))) },
        ['u'],
      ),
      this.inductive('Bool', type, 0, { 'Bool.false': this.c('Bool'), 'Bool.true': this.c('Bool') }),
      this.inductive('Nat', type, 0, {
        'Nat.zero': this.c('Nat'),
        'Nat.succ': this.arrow(this.c('Nat'), this.c('Nat')),
      }),
      this.inductive('True', prop, 0, { 'True.intro': this.c('True') }),
      this.inductive('False', prop, 0, {}),
      this.inductive('Unit', type, 0, { 'Unit.mk': this.c('Unit') }),
      this.inductive('And', this.arrow(prop, prop, prop), 2, {
        'And.intro': this.pi(prop, (p) =>
          this.pi(prop, (q) => this.arrow(p, q, this.app(this.c('And'), p, q))),
        ),
      }),
      this.inductive('Prod', this.arrow(type, type, type), 2, {
        'Prod.mk': this.pi(type, (a) =>
          this.pi(type, (b) => this.arrow(a, b, this.app(this.c('Prod'), a, b))),
        ),
      }),
      this.inductive(
        'List',
        this.arrow(universe, universe),
        1,
        {
          'List.nil': this.pi(universe, (a) => list(a)),
          'List.cons': this.pi(universe, (a) => this.arrow(a, list(a), list(a))),
        },
        ['u'],
      ),
      this.inductive(
        'Exists',
        this.pi(this.sort(u), (a) => this.arrow(this.arrow(a, prop), prop)),
        2,
        {
          'Exists.intro': this.pi(this.sort(u), (a) =>
            this.pi(this.arrow(a, prop), (p) =>
              this.pi(a, (w) => this.arrow(this.app(p, w), this.app(this.c('Exists', u), a, p))),
            ),
          ),
        },
        ['u'],
      ),
      this.inductive(
        'Acc',
        this.pi(this.sort(u), (a) => this.arrow(this.arrow(a, a, prop), a, prop)),
        2,
        {
          'Acc.intro': this.pi(this.sort(u), (a) =>
            this.pi(this.arrow(a, a, prop), (r) =>
              this.pi(a, (x) =>
                this.arrow(
                  this.pi(a, (y) => this.arrow(this.app(r, y, x), this.app(this.c('Acc', u), a, r, y))),
                  this.app(this.c('Acc', u), a, r, x),
                ),
              ),
            ),
          ),
        },
        ['u'],
      ),
    ];
    const failed = all.find(({ answer }) => answer !== 'accept');
    if (failed !== undefined) throw new Error(JSON.stringify(failed));
    return this;
  }

  eq(type: Expr, a: Expr, b: Expr, level = this.one): Expr {
    return this.app(this.c('Eq', level), type, a, b);
  }
  refl(type: Expr, a: Expr, level = this.one): Expr {
    return this.app(this.c('Eq.refl', level), type, a);
  }
}
