import type { ExportAttack } from '../attack.ts';
import {
  apply,
  constant,
  equal,
  levelOne,
  write,
  type Content,
  type Declaration,
  type Level,
  type Name,
  type Term,
} from '../forge/export.ts';

/** Parts of forged exports. */
export const t: Name = ['t'];
export const bool = constant('Bool');
export const no = constant('Bool.false');
export const yes = constant('Bool.true');
export const falsehood = constant('False');
export const absurdity = equal(bool, no, yes);
const absurd = 'theorem t : false = true';
export const reflexive = apply(constant('Eq.refl', levelOne), bool, no);
export const honest = 'theorem t : false = false';
export const truth = constant('True.intro');
export const universe: Level = { level: 'param', name: ['u'] };

export const theorem = (
  value: Term,
  more: Partial<Extract<Declaration, { kind: 'theorem' }>> = {},
): Declaration => ({
  kind: 'theorem',
  name: t,
  type: absurdity,
  value,
  ...more,
});
export const candidate = (...declarations: Declaration[]): Content => ({ declarations, theorems: [t] });

export const row = (
  disguise: string,
  kind: ExportAttack['kind'],
  content: Content | ((honest: Record<string, unknown>) => unknown),
  more: Partial<ExportAttack> = {},
): ExportAttack => ({
  sort: 'forged export',
  disguise,
  statement: absurd,
  kind,
  candidate:
    typeof content === 'function'
      ? content(write(candidate(theorem(reflexive, { type: equal(bool, no, no) }))))
      : write(content),
  ...more,
});

export const inductive = (name: Name, of: Term, ...constructors: [string, Term][]): Declaration => ({
  kind: 'inductive',
  parameters: 0,
  types: [
    {
      name,
      type: of,
      constructors: constructors.map(([last, made]) => ({ name: [...name, last], type: made })),
    },
  ],
});
export const definition = (name: Name, of: Term, value: Term): Declaration => ({
  kind: 'definition',
  name,
  type: of,
  value,
});

export const natural = constant('Nat');
