import {
  apply,
  bound,
  constant,
  equal,
  lambda,
  levelOne,
  pi,
  prop,
  type,
  zero,
  type Declaration,
} from '../forge/export.ts';
import {
  absurdity,
  bool,
  candidate,
  definition,
  falsehood,
  honest,
  inductive,
  natural,
  no,
  reflexive,
  row,
  t,
  theorem,
  truth,
  universe,
  yes,
} from './export-parts.ts';
import type { ExportAttack } from '../attack.ts';

/** Candidates that the form check or the kernel stops. */
/** The export with another expression as the proof of its only theorem. */
function withValue(exported: Record<string, unknown>, value: number): unknown {
  const [first] = exported['declarations'] as Record<string, unknown>[];
  return { ...exported, declarations: [{ ...first, value }] };
}

/** An application chain so deep that walking it by recursion overflows the stack. */
function deepen(exported: Record<string, unknown>, depth: number): unknown {
  const exprs = exported['exprs'] as unknown[];
  const first = exprs.length - 1;
  let last = first;
  for (let level = 0; level < depth; level++) last = exprs.push(['a', first, last]) - 1;
  return withValue(exported, last);
}

/** `Tree` with a constructor that nests it in a list, and a theorem that is true but uses it. */
const nesting = (constructor: string, ...before: Declaration[]) =>
  candidate(
    ...before,
    inductive(['Tree'], type, [
      constructor,
      pi(apply(constant('List', zero), constant('Tree')), constant('Tree')),
    ]),
    theorem(
      apply(
        lambda(constant('Tree'), reflexive),
        apply(constant(['Tree', constructor]), apply(constant('List.nil', zero), constant('Tree'))),
      ),
      { type: equal(bool, no, no) },
    ),
  );

export const exportKernelAttacks: readonly ExportAttack[] = [
  row('the type of the statement over the proof of another', 'kernel', candidate(theorem(reflexive))),
  row(
    'a recursor that is declared before its type',
    'malformed-export',
    candidate(
      definition(['T', 'rec'], bool, no),
      inductive(['T'], prop, ['mk', constant(['T'])]),
      theorem(reflexive),
    ),
  ),
  row(
    'a recursor of what is nested in a type, declared before the type',
    'kernel',
    nesting('mk', definition(['Tree', 'rec_1'], bool, no)),
    { statement: honest },
  ),
  row('a constructor with the name of a recursor of what is nested in its type', 'kernel', nesting('rec_1'), {
    statement: honest,
  }),
  row('a theorem that proves itself', 'kernel', candidate(theorem(constant(t)))),
  row(
    'an opaque constant that names itself',
    ['kernel', 'statement-changed'],
    candidate({ kind: 'opaque', name: t, type: absurdity, value: constant(t) }),
  ),
  row(
    'an unsafe recursive definition',
    ['unsafe', 'statement-changed'],
    candidate({
      kind: 'definition',
      name: t,
      type: absurdity,
      value: constant(t),
      safe: false,
      hints: 'opaque',
    }),
  ),
  row(
    'an unsafe recursive definition, used by the theorem',
    'kernel',
    candidate(
      {
        kind: 'definition',
        name: ['loop'],
        type: absurdity,
        value: constant(['loop']),
        safe: false,
        hints: 'opaque',
      },
      theorem(constant(['loop'])),
    ),
  ),
  row(
    'the same, called safe',
    'kernel',
    candidate(
      { kind: 'definition', name: ['loop'], type: absurdity, value: constant(['loop']), hints: 'opaque' },
      theorem(constant(['loop'])),
    ),
  ),
  row(
    'an inductive type that contains its own refutation',
    'kernel',
    candidate(
      inductive(['Liar'], type, ['mk', pi(pi(constant('Liar'), falsehood), constant('Liar'))]),
      theorem(constant('Liar')),
    ),
  ),
  row(
    'an inductive type that is nested in itself the wrong way',
    'kernel',
    candidate(
      inductive(['Liar'], type, [
        'mk',
        pi(pi(apply(constant('List', zero), constant('Liar')), falsehood), constant('Liar')),
      ]),
      theorem(constant('Liar')),
    ),
  ),
  row(
    'a predicate that eliminates into data',
    'kernel',
    candidate(
      inductive(['Some'], prop, ['left', constant('Some')], ['right', constant('Some')]),
      theorem(
        apply(constant('Some.rec', levelOne), lambda(constant('Some'), bool), no, yes, constant('Some.left')),
      ),
    ),
  ),
  row(
    'a recursor written by hand',
    'malformed-export',
    candidate(
      inductive(['Some'], prop, ['left', constant('Some')]),
      { kind: 'theorem', name: ['Some', 'rec'], type: absurdity, value: reflexive },
      theorem(constant('Some.rec')),
    ),
  ),
  row(
    'a recursor of no type',
    ['malformed-export', 'kernel'],
    candidate(theorem(constant('Nothing.rec', zero))),
  ),
  row(
    'a constructor with the name of the theorem',
    ['statement-changed', 'kernel'],
    candidate({
      kind: 'inductive',
      parameters: 0,
      types: [{ name: ['T'], type: prop, constructors: [{ name: t, type: constant('T') }] }],
    }),
  ),
  row(
    'a type in a universe that is too small',
    'kernel',
    candidate(inductive(['Small'], type, ['mk', pi(type, constant('Small'))]), theorem(constant('Small'))),
  ),
  row(
    'a new constant under the name of the library’s `False`',
    ['kernel', 'statement-changed'],
    candidate(
      definition(['False'], prop, constant('True')),
      theorem(apply(constant('False.elim', zero), absurdity, truth)),
    ),
  ),
  row(
    'an `Eq` of its own',
    ['statement-changed', 'kernel'],
    candidate(
      {
        kind: 'definition',
        name: ['Eq'],
        levels: [['u']],
        type: pi({ term: 'sort', level: universe }, pi(bound(0), pi(bound(1), prop))),
        value: lambda(
          { term: 'sort', level: universe },
          lambda(bound(0), lambda(bound(1), constant('True'))),
        ),
      },
      theorem(truth),
    ),
  ),
  row(
    'a `Bool` of its own',
    ['statement-changed', 'kernel'],
    candidate(
      inductive(['Bool'], type, ['true', bool]),
      definition(['Bool', 'false'], bool, yes),
      theorem(reflexive),
    ),
  ),
  row(
    'names under the judge’s own root',
    ['statement-changed', 'kernel'],
    candidate({ ...theorem(truth, { type: constant('True') }), name: ['_candidate', 0, 't'] } as Declaration),
  ),
  row(
    'a proof irrelevance that is none',
    'kernel',
    candidate(
      theorem(
        apply(constant('Eq.refl', levelOne), bool, {
          term: 'project',
          structure: ['Subtype'],
          index: 0,
          of: yes,
        }),
      ),
    ),
  ),
  row(
    'a projection out of an existence',
    'kernel',
    candidate(theorem({ term: 'project', structure: ['Exists'], index: 0, of: truth })),
  ),
  row(
    'a let whose value has another type',
    'kernel',
    candidate(theorem({ term: 'let', type: absurdity, value: reflexive, body: bound(0) })),
  ),
  row(
    'a universe that is declared twice',
    ['statement-changed', 'kernel'],
    candidate(theorem(reflexive, { levels: [['u'], ['u']] })),
  ),
  row(
    'a lemma in a universe that it does not declare',
    'kernel',
    candidate(
      {
        kind: 'theorem',
        name: ['help'],
        type: apply(constant('Nonempty', universe), { term: 'sort', level: universe }),
        value: truth,
      },
      theorem(reflexive),
    ),
  ),
  row(
    'the theorem twice: once honest, once not',
    'malformed-export',
    candidate(theorem(reflexive, { type: equal(bool, no, no) }), theorem(reflexive)),
  ),
  row('a loose bound variable as proof', 'malformed-export', candidate(theorem(bound(7)))),
  row('a bound variable beyond every bound', 'malformed-export', candidate(theorem(bound(2 ** 40)))),
  row(
    'a string for a number',
    'kernel',
    candidate(theorem(apply(constant('Eq.refl', levelOne), natural, { term: 'text', text: '1' }))),
  ),
  row('a declaration without a name', 'malformed-export', candidate(theorem(reflexive, { name: [] }))),
  row('an expression nested 100,000 deep', 'malformed-export', (exported) => deepen(exported, 100_000), {
    statement: honest,
  }),
  row(
    'a reference to a later row',
    'malformed-export',
    (exported) => {
      const exprs = exported['exprs'] as unknown[];
      exprs[0] = ['a', exprs.length - 1, exprs.length - 1];
      return exported;
    },
    { statement: honest },
  ),
  row(
    'a row that refers to itself',
    'malformed-export',
    (exported) => {
      const exprs = exported['exprs'] as unknown[];
      const self = exprs.push(['a', exprs.length, exprs.length]) - 1;
      return withValue(exported, self);
    },
    { statement: honest },
  ),
  row('another version of the format', 'malformed-export', (exported) => ({ ...exported, format: 1 }), {
    statement: honest,
  }),
];
