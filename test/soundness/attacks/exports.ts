import type { Export, ExportAttack } from '../attack.ts';

/** Attacks on the judge itself: exports of honest proofs, edited. Nothing of the elaborator’s own checks stands before it. */
const reflexive = { statement: 'theorem t : 1 = 1', proof: 'rfl' };
const falsehood = 'theorem t : 1 = 2';

const declaration = (exported: Export, kind: string): Record<string, unknown> =>
  exported.declarations.find((row) => row['kind'] === kind) ?? {};

/** Add rows to the expressions; the answer is the number of the last one. */
function push(exported: Export, ...rows: unknown[]): number {
  return exported.exprs.push(...rows) - 1;
}

function name(exported: Export, text: string): number {
  let parent = 0;
  for (const part of text.split('.')) parent = exported.names.push([parent, part]) - 1;
  return parent;
}

const constant = (exported: Export, text: string): number => push(exported, ['c', name(exported, text), []]);

/** The proposition `false = true`, of Bool. */
function absurdity(exported: Export): number {
  const one = exported.levels.push(['s', 0]) - 1;
  const equal = push(exported, ['c', name(exported, 'Eq'), [one]]);
  const typed = push(exported, ['a', equal, constant(exported, 'Bool')]);
  const left = push(exported, ['a', typed, constant(exported, 'Bool.false')]);
  return push(exported, ['a', left, constant(exported, 'Bool.true')]);
}
const absurd = 'theorem t : false = true';

function claimAbsurd(exported: Export, kind: string, more: Record<string, unknown>): Export {
  exported.declarations = [
    { kind, name: exported.theorems[0], levels: [], type: absurdity(exported), ...more },
  ];
  return exported;
}

/** An application chain so deep that whoever walks it by recursion runs out of stack. */
function deepen(exported: Export, depth: number): Export {
  const successor = constant(exported, 'Nat.succ');
  let last = constant(exported, 'Nat.zero');
  for (let level = 0; level < depth; level++) last = push(exported, ['a', successor, last]);
  declaration(exported, 'theorem')['value'] = last;
  return exported;
}

export const exportAttacks: readonly ExportAttack[] = [
  {
    sort: 'weaker statement',
    disguise: 'the export of another theorem of the same name',
    statement: falsehood,
    from: { statement: 'theorem t : True', proof: 'trivial' },
    forge: (exported) => exported,
    kind: 'statement-changed',
  },
  {
    sort: 'weaker statement',
    disguise: 'the export of a theorem of another name',
    statement: falsehood,
    from: { statement: 'theorem u : 1 = 1', proof: 'rfl' },
    forge: (exported) => exported,
    kind: 'statement-changed',
  },
  {
    sort: 'weaker statement',
    disguise: 'universe parameters renamed apart from the statement’s',
    statement: 'theorem t.{u} (α : Type u) : α = α',
    from: { statement: 'theorem t.{v} (α : Type v) : α = α', proof: 'rfl' },
    forge: (exported) => exported,
    kind: 'statement-changed',
  },
  {
    sort: 'forged export',
    disguise: 'the type of the statement over the proof of another',
    statement: absurd,
    from: reflexive,
    forge: (exported) =>
      claimAbsurd(exported, 'theorem', { value: declaration(exported, 'theorem')['value'] }),
    kind: 'kernel',
  },
  {
    sort: 'forged export',
    disguise: 'a theorem that proves itself',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'theorem', {});
      declaration(exported, 'theorem')['value'] = push(exported, ['c', exported.theorems[0], []]);
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'forged export',
    disguise: 'an opaque constant that names itself',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'opaque', { safe: true });
      declaration(exported, 'opaque')['value'] = push(exported, ['c', exported.theorems[0], []]);
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'forged export',
    disguise: 'an unsafe recursive definition',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'definition', { safe: false, hints: 'opaque' });
      declaration(exported, 'definition')['value'] = push(exported, ['c', exported.theorems[0], []]);
      return exported;
    },
    kind: 'unsafe',
  },
  {
    sort: 'forged export',
    disguise: 'the same, called safe',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'definition', { safe: true, hints: 'opaque' });
      declaration(exported, 'definition')['value'] = push(exported, ['c', exported.theorems[0], []]);
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'axiom',
    disguise: 'the theorem exported as an axiom',
    statement: absurd,
    from: reflexive,
    forge: (exported) => claimAbsurd(exported, 'axiom', {}),
    kind: 'axiom',
  },
  {
    sort: 'axiom',
    disguise: 'an allowed name, declared by the proof itself',
    statement: absurd,
    from: reflexive,
    allowAxioms: ['cheat'],
    forge(exported) {
      const cheat = name(exported, 'cheat');
      claimAbsurd(exported, 'theorem', { value: push(exported, ['c', cheat, []]) });
      exported.declarations.unshift({ kind: 'axiom', name: cheat, levels: [], type: absurdity(exported) });
      return exported;
    },
    kind: 'axiom',
  },
  {
    sort: 'sorry',
    disguise: 'in an export, where no elaborator looks',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'theorem', {});
      const row = declaration(exported, 'theorem');
      const sorry = push(exported, ['c', name(exported, 'sorryAx'), [0]]);
      const typed = push(exported, ['a', sorry, row['type']]);
      row['value'] = push(exported, ['a', typed, constant(exported, 'Bool.false')]);
      return exported;
    },
    kind: 'sorry',
  },
  {
    sort: 'axiom',
    disguise: '`lcProof` in an export',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'theorem', {});
      const row = declaration(exported, 'theorem');
      const proof = push(exported, ['c', name(exported, 'lcProof'), []]);
      row['value'] = push(exported, ['a', proof, row['type']]);
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'compiler',
    disguise: '`reduceBool` in an export: the kernel would run code of the preamble',
    preamble: 'def yes : Bool := true\n@[implemented_by yes] def lie : Bool := false',
    statement: 'theorem t : Lean.reduceBool lie = true',
    from: { statement: 'theorem t : true = true', proof: 'rfl' },
    forge(exported) {
      const one = exported.levels.push(['s', 0]) - 1;
      const bool = constant(exported, 'Bool');
      const truth = constant(exported, 'Bool.true');
      const run = push(exported, ['a', constant(exported, 'Lean.reduceBool'), constant(exported, 'lie')]);
      const equal = push(exported, ['a', push(exported, ['c', name(exported, 'Eq'), [one]]), bool]);
      const type = push(exported, ['a', push(exported, ['a', equal, run]), truth]);
      const reflexivity = push(exported, ['a', push(exported, ['c', name(exported, 'rfl'), [one]]), bool]);
      const value = push(exported, ['a', reflexivity, truth]);
      exported.declarations = [{ kind: 'theorem', name: exported.theorems[0], levels: [], type, value }];
      return exported;
    },
    kind: 'axiom',
  },
  {
    sort: 'forged export',
    disguise: 'an inductive type that contains its own refutation',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'theorem', { value: 0 });
      const type = name(exported, 'Liar');
      const liar = push(exported, ['c', type, []]);
      const no = push(exported, ['p', 0, 0, liar, constant(exported, 'False')]);
      const make = push(exported, ['p', 0, 0, no, liar]);
      exported.declarations.unshift({
        kind: 'inductive',
        levels: [],
        parameters: 0,
        safe: true,
        types: [
          {
            name: type,
            type: push(exported, ['s', exported.levels.push(['s', 0]) - 1]),
            constructors: [[name(exported, 'Liar.mk'), make]],
          },
        ],
      });
      declaration(exported, 'theorem')['value'] = liar;
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'forged export',
    disguise: 'a new constant under the name of the library’s `False`',
    statement: absurd,
    from: reflexive,
    forge(exported) {
      claimAbsurd(exported, 'theorem', { value: constant(exported, 'False') });
      exported.declarations.unshift({
        kind: 'definition',
        name: name(exported, 'False'),
        levels: [],
        type: push(exported, ['s', 0]),
        value: constant(exported, 'True'),
        hints: 'abbrev',
        safe: true,
      });
      return exported;
    },
    kind: 'kernel',
  },
  {
    sort: 'forged export',
    disguise: 'the theorem twice: once honest, once not',
    statement: falsehood,
    from: reflexive,
    forge(exported) {
      exported.declarations.push({ ...declaration(exported, 'theorem') });
      return exported;
    },
    kind: 'statement-changed',
  },
  {
    sort: 'forged export',
    disguise: 'a loose bound variable as proof',
    statement: absurd,
    from: reflexive,
    forge: (exported) => claimAbsurd(exported, 'theorem', { value: push(exported, ['b', 7]) }),
    kind: 'malformed-export',
  },
  {
    sort: 'forged export',
    disguise: 'a bound variable beyond every bound',
    statement: absurd,
    from: reflexive,
    forge: (exported) => claimAbsurd(exported, 'theorem', { value: push(exported, ['b', 2 ** 40]) }),
    kind: 'malformed-export',
  },
  {
    sort: 'forged export',
    disguise: 'an expression nested 100,000 deep',
    statement: 'theorem t : 1 = 1',
    from: reflexive,
    forge: (exported) => deepen(exported, 100_000),
    kind: 'malformed-export',
  },
  {
    sort: 'forged export',
    disguise: 'a reference to a later row',
    statement: 'theorem t : 1 = 1',
    from: reflexive,
    forge(exported) {
      exported.exprs[0] = ['a', exported.exprs.length - 1, exported.exprs.length - 1];
      return exported;
    },
    kind: 'malformed-export',
  },
  {
    sort: 'forged export',
    disguise: 'a row that refers to itself',
    statement: 'theorem t : 1 = 1',
    from: reflexive,
    forge(exported) {
      const self = exported.exprs.length;
      declaration(exported, 'theorem')['value'] = push(exported, ['a', self, self]);
      return exported;
    },
    kind: 'malformed-export',
  },
  {
    sort: 'forged export',
    disguise: 'another version of the format',
    statement: 'theorem t : 1 = 1',
    from: reflexive,
    forge: (exported) => ({ ...exported, format: 2 }),
    kind: 'malformed-export',
  },
  {
    sort: 'silence',
    disguise: 'an export without declarations',
    statement: falsehood,
    from: reflexive,
    forge: (exported) => ({ ...exported, declarations: [] }),
    kind: 'statement-changed',
  },
  {
    sort: 'silence',
    disguise: 'no export at all',
    statement: falsehood,
    from: reflexive,
    forge: () => null,
    kind: 'malformed-export',
  },
  {
    sort: 'silence',
    disguise: 'an export that is an answer',
    statement: falsehood,
    from: reflexive,
    forge: () => ({ ok: true, name: 't', axioms: [], assumes: [] }),
    kind: 'malformed-export',
  },
];
