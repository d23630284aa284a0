import type { Info } from '../../src/kernel/environment.ts';
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
  type Expr,
} from '../../src/kernel/expr.ts';
import type { Declaration } from '../../src/kernel/kernel.ts';
import type { Level } from '../../src/kernel/level.ts';
import { Lines } from '../../src/kernel/lines.ts';
import type { KernelName } from '../../src/kernel/name.ts';
import { NdjsonReader } from '../../src/kernel/ndjson.ts';
import { settle, type KernelOutcome } from '../../src/kernel/outcome.ts';
import { World } from './kernel.ts';

export type Row = Record<string, unknown>;
type RowLimits = NonNullable<ConstructorParameters<typeof NdjsonReader>[1]>;

export const header: Row = {
  meta: {
    exporter: { name: 'lean4export', version: '3.1.0' },
    lean: { githash: '', version: '4.28.0' },
    format: { version: '3.1.0' },
  },
};

/** The answer of `orch kernel` for these bytes. */
export function judgeBytes(
  bytes: Uint8Array,
  limits?: { steps: number; depth: number },
  most?: RowLimits,
): KernelOutcome {
  const reader = new NdjsonReader(limits, most);
  const lines = new Lines();
  return settle(() => {
    for (const line of lines.push(bytes)) reader.line(line);
    reader.line(lines.end());
    reader.end();
  });
}

export function judgeRows(rows: readonly (Row | string)[], most?: RowLimits): KernelOutcome {
  const text = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row))).join('\n');
  return judgeBytes(new TextEncoder().encode(text), undefined, most);
}

/** An environment that also writes each declaration as lean4export would, whether its kernel accepts it or not. */
export class ExportWorld extends World {
  readonly rows: Row[] = [header];
  private readonly ids = new Map<object, number>();
  private readonly counts = { in: 1, il: 1, ie: 0 };

  override add(declaration: Declaration): KernelOutcome {
    const outcome = super.add(declaration);
    if (declaration.kind === 'inductive') this.inductiveRow(declaration.block);
    else if (declaration.kind === 'quotient') this.quotientRows();
    else this.declarationRow(declaration);
    return outcome;
  }

  /** The fields of the last declaration of a kind, to be changed. */
  last(kind: string): Row {
    const row = this.rows.findLast((one) => kind in one);
    if (row === undefined) throw new Error(`no ${kind}`);
    return row[kind] as Row;
  }
  /** The rows of one part of the last block: `types`, `ctors` or `recs`. */
  part(part: 'types' | 'ctors' | 'recs'): Row[] {
    return this.last('inductive')[part] as Row[];
  }

  judge(): KernelOutcome {
    return judgeRows(this.rows);
  }

  private tabulate(table: 'in' | 'il' | 'ie', of: object, row: Row): number {
    const id = this.counts[table]++;
    this.ids.set(of, id);
    this.rows.push({ ...row, [table]: id });
    return id;
  }

  nameId(name: KernelName): number {
    if (name.parent === null) return 0;
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const pre = this.nameId(name.parent);
    const { part } = name;
    const row = typeof part === 'string' ? { str: { pre, str: part } } : { num: { pre, i: Number(part) } };
    return this.tabulate('in', name, row);
  }

  levelId(level: Level): number {
    if (level.kind === 'zero') return 0;
    const known = this.ids.get(level);
    if (known !== undefined) return known;
    const [left, right] = [level.left, level.right].map((one) => (one === null ? 0 : this.levelId(one)));
    if (level.kind === 'succ') return this.tabulate('il', level, { succ: left });
    if (level.param !== null) return this.tabulate('il', level, { param: this.nameId(level.param) });
    return this.tabulate('il', level, { [level.kind]: [left, right] });
  }

  exprId(e: Expr): number {
    return this.ids.get(e) ?? this.tabulate('ie', e, this.exprRow(e));
  }

  private exprRow(e: Expr): Row {
    const id = (one: Expr): number => this.exprId(one);
    switch (e.kind) {
      case BOUND:
        return { bvar: e.index };
      case SORT:
        return { sort: this.levelId(e.value) };
      case CONSTANT:
        return { const: { name: this.nameId(e.name), us: e.value.items.map((one) => this.levelId(one)) } };
      case APPLY:
        return { app: { fn: id(e.left), arg: id(e.right) } };
      case LAMBDA:
      case PI: {
        const row = { name: 0, type: id(e.left), body: id(e.right), binderInfo: 'default' };
        return e.kind === LAMBDA ? { lam: row } : { forallE: row };
      }
      case LET:
        return { letE: { name: 0, type: id(e.left), value: id(e.right), body: id(e.third), nondep: false } };
      case NUMBER:
        return { natVal: String(e.value) };
      case TEXT:
        return { strVal: e.value };
      case PROJECTION:
        return { proj: { typeName: this.nameId(e.name), idx: e.index, struct: id(e.left) } };
      case FREE:
        throw new Error('a free variable');
    }
  }

  private head({ name, params, type }: { name: KernelName; params: readonly KernelName[]; type: Expr }): Row {
    const levelParams = params.map((param) => this.nameId(param));
    return { name: this.nameId(name), levelParams, type: this.exprId(type) };
  }

  private declarationRow(one: Exclude<Declaration, { kind: 'inductive' | 'quotient' }>): void {
    const fields = this.head(one);
    if (one.kind === 'axiom') {
      this.rows.push({ axiom: { ...fields, isUnsafe: false } });
      return;
    }
    const rest = { value: this.exprId(one.value), all: [fields['name']] };
    if (one.kind === 'theorem') this.rows.push({ thm: { ...fields, ...rest } });
    else if (one.kind === 'opaque') this.rows.push({ opaque: { ...fields, ...rest, isUnsafe: false } });
    else this.rows.push({ def: { ...fields, ...rest, hints: { regular: one.height }, safety: 'safe' } });
  }

  private quotientRows(): void {
    const kinds = { Quot: 'type', 'Quot.mk': 'ctor', 'Quot.lift': 'lift', 'Quot.ind': 'ind' };
    for (const [name, kind] of Object.entries(kinds)) {
      const info = this.kernel.environment.find(this.name(name));
      if (info !== undefined) this.rows.push({ quot: { ...this.head(info), kind } });
    }
  }

  private inductiveRow(block: Extract<Declaration, { kind: 'inductive' }>['block']): void {
    const find = (name: KernelName): Info | undefined => this.kernel.environment.find(name);
    const all = block.types.map(({ name }) => this.nameId(name));
    const { params, paramCount: numParams } = block;
    const recursors = block.types.flatMap(({ name }) =>
      ['rec', 'rec_1', 'rec_2'].flatMap((part) => {
        const info = find(this.terms.names.child(name, part));
        return info?.kind === 'recursor' ? [info] : [];
      }),
    );
    const types = block.types.map(({ name, type, constructors }) => {
      const info = find(name);
      return {
        ...this.head({ name, params, type }),
        numParams,
        numIndices: info?.kind === 'inductive' ? info.indexCount : 0,
        all,
        ctors: constructors.map((one) => this.nameId(one.name)),
        numNested: Math.max(0, recursors.length - block.types.length),
        isRec: info?.kind === 'inductive' && info.isRecursive,
        isUnsafe: false,
        isReflexive: false,
      };
    });
    const ctors = block.types.flatMap(({ name: inductive, constructors }) =>
      constructors.map(({ name, type }, cidx) => {
        const info = find(name);
        return {
          ...this.head({ name, params, type }),
          induct: this.nameId(inductive),
          cidx,
          numParams,
          numFields: info?.kind === 'constructor' ? info.fieldCount : 0,
          isUnsafe: false,
        };
      }),
    );
    const recs = recursors.map((info) => ({
      ...this.head(info),
      all,
      numParams: info.paramCount,
      numIndices: info.indexCount,
      numMotives: info.motiveCount,
      numMinors: info.minorCount,
      rules: info.rules.map(({ constructor, fieldCount, value }) => ({
        ctor: this.nameId(constructor),
        nfields: fieldCount,
        rhs: this.exprId(value),
      })),
      k: info.k,
      isUnsafe: false,
    }));
    this.rows.push({ inductive: { types, ctors, recs } });
  }
}

/** A pitfall, with an export that triggers it and an honest counterpart. */
export type Pitfall = readonly [
  what: string,
  honest: (w: ExportWorld) => unknown,
  forged: (w: ExportWorld) => unknown,
  answer?: 'refuse' | 'decline',
];

const words = { accept: 'accepted', refuse: 'refused', decline: 'declined' };

/** The answers to a pitfall, formatted for the message of a failing test. */
export function answersTo([, honest, forged]: Pitfall): { honest: string; forged: string; why: string } {
  const [one, other] = [honest, forged].map((build) => {
    const world = new ExportWorld().withBasics();
    build(world);
    return world.judge();
  });
  const show = (outcome: KernelOutcome | undefined): string =>
    outcome === undefined || outcome.answer === 'accept'
      ? 'accepted'
      : `${words[outcome.answer]}: ${outcome.message}`;
  return {
    honest: show(one),
    forged: other === undefined ? '' : words[other.answer],
    why: show(other),
  };
}
