import type { SeededRandom } from '../../helpers/random.ts';
import {
  apply,
  bound,
  constant,
  equal,
  lambda,
  levelOne,
  pi,
  prop,
  zero,
  type Declaration,
  type Level,
  type Name,
  type Term,
} from './export.ts';
import { declarationsOf, proofOf, typeOfFormula, type Theory } from './theory.ts';

/** A forger's answer to a theory: declarations, and a theorem that claims to be the goal. */
export interface Forgery {
  readonly declarations: readonly Declaration[];
  readonly theorems: readonly Name[];
  /** The forged parts; empty for the honest export. */
  readonly tricks: readonly string[];
}

export const theoremName: Name = ['t'];

/** One way to forge; `undefined`: it does not fit this export. */
type Trick = (
  random: SeededRandom,
  made: readonly Declaration[],
  theory: Theory,
) => Declaration[] | undefined;

function honestCandidate(theory: Theory): Declaration[] {
  return [
    ...declarationsOf(theory),
    { kind: 'theorem', name: theoremName, type: typeOfFormula(theory.goal), value: proofOf(theory.goal) },
  ];
}

/** The honest export, with up to four tricks one after the other. */
export function randomForgery(random: SeededRandom, theory: Theory): Forgery {
  let declarations = honestCandidate(theory);
  const done: string[] = [];
  for (let count = random.below(5); count > 0; count--) {
    const name = random.pick(Object.keys(tricks));
    const forged = tricks[name]?.(random, declarations, theory);
    if (!forged) continue;
    declarations = forged;
    done.push(name);
  }
  return { declarations, theorems: [theoremName], tricks: done };
}

/* ---- small steps that tricks consist of ---- */

const isNamed = (row: Declaration): row is Exclude<Declaration, { kind: 'inductive' }> =>
  row.kind !== 'inductive';
const replace = (all: readonly Declaration[], old: Declaration, ...by: Declaration[]): Declaration[] =>
  all.flatMap((row) => (row === old ? by : [row]));

function onTheorem(
  made: readonly Declaration[],
  change: (row: Extract<Declaration, { kind: 'theorem' }>) => Declaration[],
): Declaration[] | undefined {
  const row = made.find(
    (one): one is Extract<Declaration, { kind: 'theorem' }> =>
      one.kind === 'theorem' && String(one.name) === 't',
  );
  return row && replace(made, row, ...change(row));
}

const withValue =
  (value: (type: Term, random: SeededRandom) => Term): Trick =>
  (random, made) =>
    onTheorem(made, (row) => [{ ...row, value: value(row.type, random) }]);

const withLemma =
  (lemma: (type: Term) => Declaration): Trick =>
  (_random, made) =>
    onTheorem(made, (row) => [lemma(row.type), { ...row, value: constant(['lemma']) }]);

function onBlock(
  random: SeededRandom,
  made: readonly Declaration[],
  change: (row: Extract<Declaration, { kind: 'inductive' }>) => Declaration[] | undefined,
): Declaration[] | undefined {
  const blocks = made.filter((row) => row.kind === 'inductive');
  if (blocks.length === 0) return undefined;
  const row = random.pick(blocks);
  const by = change(row);
  return by && replace(made, row, ...by);
}

function onDefinition(
  random: SeededRandom,
  made: readonly Declaration[],
  change: (row: Extract<Declaration, { kind: 'definition' }>) => Declaration[],
): Declaration[] | undefined {
  const rows = made.filter((row) => row.kind === 'definition');
  if (rows.length === 0) return undefined;
  const row = random.pick(rows);
  return replace(made, row, ...change(row));
}

const falsehood = constant('False');
const truth = constant('True');
const proved = constant('True.intro');
const bool = constant('Bool');
const level = (name: string): Level => ({ level: 'param', name: [name] });
/** Every constant that mentions one name mentions another instead. */
function rename(term: Term, from: Name, to: Name): Term {
  const go = (one: Term): Term => rename(one, from, to);
  switch (term.term) {
    case 'constant':
      return String(term.name) === String(from) ? { ...term, name: to } : term;
    case 'apply':
      return { ...term, head: go(term.head), argument: go(term.argument) };
    case 'lambda':
    case 'pi':
      return { ...term, type: go(term.type), body: go(term.body) };
    case 'let':
      return { ...term, type: go(term.type), value: go(term.value), body: go(term.body) };
    case 'project':
      return { ...term, of: go(term.of) };
    case 'bound':
    case 'sort':
    case 'number':
    case 'text':
      return term;
  }
}

/** Swap the two values of `Bool` everywhere: the same shape with another meaning. */
const negated = (term: Term): Term =>
  rename(
    rename(rename(term, ['Bool', 'true'], ['x']), ['Bool', 'false'], ['Bool', 'true']),
    ['x'],
    ['Bool', 'false'],
  );

/* ---- the grammar ---- */

export const tricks: Readonly<Record<string, Trick>> = {
  // another meaning under the same name
  'a table is negated': (random, made) =>
    onDefinition(random, made, (row) => [{ ...row, value: negated(row.value) }]),
  'a table is constant': (random, made) =>
    onDefinition(random, made, (row) => [
      {
        ...row,
        value: row.type.term === 'pi' ? lambda(row.type.type, constant('Bool.true')) : constant('Bool.true'),
      },
    ]),
  'a table is opaque': (random, made) =>
    onDefinition(random, made, (row) => [
      { kind: 'opaque', name: row.name, type: row.type, value: row.value },
    ]),
  'a table is an axiom': (random, made) =>
    onDefinition(random, made, (row) => [{ kind: 'axiom', name: row.name, type: row.type }]),
  'a table is declared twice': (random, made) =>
    onDefinition(random, made, (row) => [row, { ...row, value: negated(row.value) }]),
  'a table is renamed and its name taken': (random, made) =>
    onDefinition(random, made, (row) => [
      { ...row, name: [...row.name, 'match_1'] },
      { ...row, value: constant([...row.name, 'match_1']) },
    ]),
  'a predicate holds everywhere': (random, made) =>
    onBlock(random, made, (row) => {
      const [first] = row.types;
      if (first?.type.term !== 'pi') return undefined;
      const all = {
        name: [...first.name, 'all'],
        type: pi(first.type.type, apply(constant(first.name), bound(0))),
      };
      return [{ ...row, types: [{ ...first, constructors: [...first.constructors, all] }] }];
    }),
  'a predicate has its constructors in another order': (random, made) =>
    onBlock(random, made, (row) => [
      { ...row, types: row.types.map((one) => ({ ...one, constructors: one.constructors.toReversed() })) },
    ]),
  'a decoy comes first in a mutual block': (random, made) =>
    onBlock(random, made, (row) => {
      const [first] = row.types;
      if (!first) return undefined;
      const decoy = {
        name: ['Decoy', ...first.name],
        type: first.type,
        constructors: [] as { name: Name; type: Term }[],
      };
      return [{ ...row, types: [decoy, ...row.types] }];
    }),
  'a predicate becomes a definition': (random, made) =>
    onBlock(random, made, (row) => {
      const [first] = row.types;
      if (first?.type.term !== 'pi') return undefined;
      return [
        { kind: 'definition', name: first.name, type: first.type, value: lambda(first.type.type, truth) },
        ...first.constructors.map((constructor): Declaration => ({
          kind: 'theorem',
          name: constructor.name,
          type: constructor.type,
          value: proved,
        })),
      ];
    }),
  'a recursor is written by hand': (random, made) =>
    onBlock(random, made, (row) => {
      const [first] = row.types;
      if (!first) return undefined;
      return [row, { kind: 'theorem', name: [...first.name, 'rec'], type: falsehood, value: proved }];
    }),
  'a block has parameters that it has not': (random, made) =>
    onBlock(random, made, (row) => [{ ...row, parameters: 1 + random.below(3) }]),
  'a block is unsafe': (random, made) => onBlock(random, made, (row) => [{ ...row, safe: false }]),
  'a block that contains its own refutation': (_random, made) =>
    onTheorem(made, (row) => [
      {
        kind: 'inductive',
        parameters: 0,
        types: [
          {
            name: ['Liar'],
            type: { term: 'sort', level: levelOne },
            constructors: [
              { name: ['Liar', 'mk'], type: pi(pi(constant('Liar'), falsehood), constant('Liar')) },
            ],
          },
        ],
      },
      row,
    ]),
  'a type in a universe that is too small': (_random, made) =>
    onTheorem(made, (row) => [
      {
        kind: 'inductive',
        parameters: 0,
        types: [
          {
            name: ['Small'],
            type: { term: 'sort', level: levelOne },
            constructors: [
              { name: ['Small', 'mk'], type: pi({ term: 'sort', level: levelOne }, constant('Small')) },
            ],
          },
        ],
      },
      row,
    ]),
  // another statement over the right name
  'the theorem says True': (_random, made) =>
    onTheorem(made, (row) => [{ ...row, type: truth, value: proved }]),
  'the theorem is another name': (_random, made) => onTheorem(made, (row) => [{ ...row, name: ['u'] }]),
  'the theorem is a definition': (_random, made) =>
    onTheorem(made, ({ kind: _kind, ...row }) => [{ kind: 'definition', ...row }]),
  'the theorem is opaque': (_random, made) =>
    onTheorem(made, ({ kind: _kind, ...row }) => [{ kind: 'opaque', ...row }]),
  'the theorem is an axiom': (_random, made) =>
    onTheorem(made, ({ name, type }) => [{ kind: 'axiom', name, type }]),
  'the theorem has a universe more': (_random, made) =>
    onTheorem(made, (row) => [{ ...row, levels: [['u']] }]),
  'the theorem comes before what it needs': (_random, made) => {
    const row = made.find((one) => one.kind === 'theorem');
    return row && [row, ...made.filter((one) => one !== row)];
  },
  'the theorem is a constructor': (_random, made) =>
    onTheorem(made, (row) => [
      {
        kind: 'inductive',
        parameters: 0,
        types: [{ name: ['T'], type: prop, constructors: [{ name: row.name, type: constant('T') }] }],
      },
    ]),
  // proofs that are none
  sorry: withValue((of) => apply(constant('sorryAx', zero), of, constant('Bool.true'))),
  itself: withValue(() => constant(theoremName)),
  'a proof of True': withValue(() => proved),
  lcProof: withValue((of) => apply(constant('lcProof'), of)),
  'a loose variable': withValue((_of, random) => bound(random.below(3))),
  'an equation that does not hold': withValue(() =>
    apply(constant('Eq.refl', levelOne), bool, constant('Bool.false')),
  ),
  'a cast by a false equation': withValue((of) =>
    apply(constant('Eq.mp', zero), truth, of, apply(constant('Eq.refl', levelOne), prop, truth), proved),
  ),
  'a let whose type is not that of its value': withValue((of) => ({
    term: 'let',
    type: of,
    value: proved,
    body: bound(0),
  })),
  'a projection of something that has none': withValue(() => ({
    term: 'project',
    structure: ['Bool'],
    index: 0,
    of: constant('Bool.true'),
  })),
  'a projection out of a proof': withValue((of) => ({
    term: 'project',
    structure: ['Exists'],
    index: 1,
    of: apply(constant('sorryAx', zero), of, constant('Bool.true')),
  })),
  'a projection beyond the fields': withValue((_of, random) => ({
    term: 'project',
    structure: ['And'],
    index: 2 + random.below(2 ** 20),
    of: apply(constant('And.intro'), truth, truth, proved, proved),
  })),
  'a number': withValue((_of, random) => ({ term: 'number', digits: '9'.repeat(1 + random.below(400)) })),
  'a text': withValue(() => ({ term: 'text', text: 'proved' })),
  'a sort': withValue(() => prop),
  'wrong universes of a constant': withValue(() =>
    apply(constant('Eq.refl', zero, levelOne), bool, constant('Bool.true')),
  ),
  'no universes of a constant': withValue(() => apply(constant('Eq.refl'), bool, constant('Bool.true'))),
  'a universe that is not declared': withValue(() =>
    apply(constant('Eq.refl', level('w')), bool, constant('Bool.true')),
  ),
  'False, eliminated': withValue((of) => apply(constant('False.elim', zero), of, proved)),
  'the compiler': withValue((of) =>
    apply(
      constant('Eq.mp', zero),
      truth,
      of,
      apply(constant('Lean.reduceBool'), constant('Bool.true')),
      proved,
    ),
  ),
  'a quotient’s axiom': withValue((of) =>
    apply(constant('Quot.sound', levelOne), bool, lambda(bool, lambda(bool, of)), constant('Bool.true')),
  ),
  'choice out of nothing': withValue((of) => apply(constant('Classical.choice', zero), of, proved)),
  'an axiom of its own': withLemma((of) => ({ kind: 'axiom', name: ['lemma'], type: of })),
  'an axiom that says False': withLemma(() => ({ kind: 'axiom', name: ['lemma'], type: falsehood })),
  'an axiom called propext': (_random, made) =>
    onTheorem(made, (row) => [
      { kind: 'axiom', name: ['propext'], type: row.type },
      { ...row, value: constant('propext') },
    ]),
  'a lemma that proves itself': withLemma((of) => ({
    kind: 'theorem',
    name: ['lemma'],
    type: of,
    value: constant(['lemma']),
  })),
  'an unsafe lemma that proves itself': withLemma((of) => ({
    kind: 'definition',
    name: ['lemma'],
    type: of,
    value: constant(['lemma']),
    safe: false,
    hints: 'opaque',
  })),
  'an opaque lemma without a value that fits': withLemma((of) => ({
    kind: 'opaque',
    name: ['lemma'],
    type: of,
    value: proved,
  })),
  'a lemma whose type is not a type': withLemma(() => ({
    kind: 'theorem',
    name: ['lemma'],
    type: proved,
    value: proved,
  })),
  'a lemma with a universe twice': withLemma((of) => ({
    kind: 'theorem',
    name: ['lemma'],
    levels: [['u'], ['u']],
    type: of,
    value: proved,
  })),
  'a lemma with odd hints': withLemma((of) => ({
    kind: 'definition',
    name: ['lemma'],
    type: of,
    value: proved,
    hints: 2 ** 32,
  })),
  // names
  'names under the judge’s own root': (random, made) =>
    onDefinition(random, made, (row) => [
      row,
      { ...row, name: ['_candidate', 0, ...row.name], value: negated(row.value) },
    ]),
  'a name of the library': (_random, made) =>
    onTheorem(made, (row) => [
      { kind: 'definition', name: ['Bool', 'true'], type: bool, value: constant('Bool.false') },
      row,
    ]),
  'False is True': (_random, made) =>
    onTheorem(made, (row) => [{ kind: 'definition', name: ['False'], type: prop, value: truth }, row]),
  'Eq is always true': (_random, made) =>
    onTheorem(made, (row) => [
      {
        kind: 'definition',
        name: ['Eq'],
        levels: [['u']],
        type: pi({ term: 'sort', level: level('u') }, pi(bound(0), pi(bound(1), prop))),
        value: lambda({ term: 'sort', level: level('u') }, lambda(bound(0), lambda(bound(1), truth))),
      },
      { ...row, value: proved },
    ]),
  'a number for a part of a name': (random, made) => {
    const rows = made.filter((row) => isNamed(row));
    if (rows.length === 0) return undefined;
    const row = random.pick(rows);
    return replace(made, row, {
      ...row,
      name: row.name.map((part) => (typeof part === 'number' ? String(part) : part)),
    });
  },
  'something without a name': (_random, made) =>
    onTheorem(made, (row) => [{ kind: 'theorem', name: [], type: truth, value: proved }, row]),
  // order and number
  'something is missing': (random, made) => made.filter((_, index) => index !== random.below(made.length)),
  'something comes twice': (random, made) => [...made, random.pick(made)],
  'two change places': (random, made) => {
    const [first, second] = [random.below(made.length), random.below(made.length)];
    return made.map((row, index) => made[index === first ? second : index === second ? first : index] ?? row);
  },
  'an equation between unequal tables': (_random, made, { tables }) => {
    const [table] = tables;
    if (!table) return undefined;
    const at = apply(constant(table.name), constant([...table.of.name, 'c0']));
    return onTheorem(made, (row) => [
      {
        kind: 'theorem',
        name: ['lemma'],
        type: equal(bool, at, constant(table.values[0] ? 'Bool.false' : 'Bool.true')),
        value: apply(constant('Eq.refl', levelOne), bool, at),
      },
      row,
    ]);
  },
};
