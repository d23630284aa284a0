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
  type Name,
  type Term,
} from '../forge/export.ts';
import {
  candidate,
  definition,
  inductive,
  natural,
  row,
  t,
  theorem,
  truth,
  universe,
} from './export-parts.ts';
import type { ExportAttack } from '../attack.ts';

/** Candidates that bring the statement’s own constants along, with another meaning. */
/** The matcher of `match n with | 0 => … | _ => …`, taking the second branch always. */
const unit = constant('Unit');
const matcherType = pi(
  pi(natural, { term: 'sort', level: universe }),
  pi(
    natural,
    pi(
      pi(unit, apply(bound(2), { term: 'number', digits: '0' })),
      pi(pi(natural, apply(bound(3), bound(0))), apply(bound(3), bound(2))),
    ),
  ),
);
const matcherDomains = [
  pi(natural, { term: 'sort', level: universe }),
  natural,
  pi(unit, apply(bound(2), { term: 'number', digits: '0' })),
  pi(natural, apply(bound(3), bound(0))),
];
const takesSecond = matcherDomains.reduceRight<Term>(
  (body, of) => lambda(of, body),
  apply(bound(0), bound(2)),
);
const numeral = (digits: string): Term =>
  apply(
    constant('OfNat.ofNat', zero),
    natural,
    { term: 'number', digits },
    apply(constant('instOfNatNat'), { term: 'number', digits }),
  );
const matched = apply(
  constant(['t', 'match_1'], levelOne),
  lambda(natural, natural),
  bound(0),
  lambda(unit, numeral('1')),
  lambda(natural, numeral('2')),
);
const forgedMatcher = (name: Name, kind: 'definition' | 'opaque'): Declaration => ({
  kind,
  name,
  levels: [['u']],
  type: matcherType,
  value: takesSecond,
});
const aboutMatcher = (name: Name): Declaration => ({
  kind: 'theorem',
  name: t,
  type: pi(
    natural,
    equal(
      natural,
      apply(
        constant(name, levelOne),
        lambda(natural, natural),
        bound(0),
        lambda(unit, numeral('1')),
        lambda(natural, numeral('2')),
      ),
      numeral('2'),
    ),
  ),
  value: lambda(natural, apply(constant('Eq.refl', levelOne), natural, numeral('2'))),
});
const matchStatement = 'theorem t (n : Nat) : (match n with | 0 => 1 | _ => 2) = 2';
const changed = ['statement-changed', 'kernel'] as const;

export const exportHelperAttacks: readonly ExportAttack[] = [
  row(
    'a matcher that takes the other branch, under its own name',
    changed,
    candidate(forgedMatcher(['t', 'match_1'], 'definition'), aboutMatcher(['t', 'match_1'])),
    { sort: 'helper', statement: matchStatement },
  ),
  row(
    'the same, opaque',
    changed,
    candidate(forgedMatcher(['t', 'match_1'], 'opaque'), aboutMatcher(['t', 'match_1'])),
    { sort: 'helper', statement: matchStatement },
  ),
  row(
    'the same, under another name',
    changed,
    candidate(forgedMatcher(['u', 'match_1'], 'definition'), aboutMatcher(['u', 'match_1'])),
    { sort: 'helper', statement: matchStatement },
  ),
  row('the same, named but not declared', 'malformed-export', candidate(aboutMatcher(['t', 'match_1'])), {
    sort: 'helper',
    statement: matchStatement,
  }),
  row(
    'the same, as an axiom',
    ['axiom', 'statement-changed', 'kernel'],
    candidate(
      { kind: 'axiom', name: ['t', 'match_1'], levels: [['u']], type: matcherType },
      {
        kind: 'theorem',
        name: t,
        type: pi(natural, equal(natural, matched, numeral('2'))),
        value: lambda(natural, apply(constant('Eq.refl', levelOne), natural, numeral('2'))),
      },
    ),
    { sort: 'helper', statement: matchStatement },
  ),
  row(
    'a definition of the preamble, with another value',
    changed,
    candidate(definition(['Hard'], prop, constant('True')), theorem(truth, { type: constant('Hard') })),
    { sort: 'helper', preamble: 'def Hard : Prop := 1 = 2', statement: 'theorem t : Hard' },
  ),
  row(
    'an inductive predicate of the preamble, with a constructor more',
    changed,
    candidate(
      inductive(['Hard'], prop, ['mk', constant('Hard')]),
      theorem(constant('Hard.mk'), { type: constant('Hard') }),
    ),
    { sort: 'helper', preamble: 'inductive Hard : Prop', statement: 'theorem t : Hard' },
  ),
  row(
    'a structure of the preamble, without its proof',
    changed,
    candidate(
      inductive(['Hard'], type, ['mk', pi(natural, constant('Hard'))]),
      theorem(
        apply(
          constant('Nonempty.intro', levelOne),
          constant('Hard'),
          apply(constant('Hard.mk'), numeral('0')),
        ),
        { type: apply(constant('Nonempty', levelOne), constant('Hard')) },
      ),
    ),
    {
      sort: 'helper',
      preamble: 'structure Hard where\n  n : Nat\n  h : n < n',
      statement: 'theorem t : Nonempty Hard',
    },
  ),
  ...[
    [
      'a definition',
      'set_option debug.skipKernelTC true in\ndef Hard : Prop := have : 1 = 2 := (by decide +kernel); 1 = 2',
    ],
    [
      'an abbreviation',
      'set_option debug.skipKernelTC true in\nabbrev Hard : Prop := have : 1 = 2 := (by decide +kernel); 1 = 2',
    ],
    [
      'an opaque constant',
      'set_option debug.skipKernelTC true in\nopaque Hard : Prop := have : 1 = 2 := (by decide +kernel); 1 = 2',
    ],
    [
      'a definition on a theorem',
      'set_option debug.skipKernelTC true\ntheorem lie : 1 = 2 := by decide +kernel\ndef Hard : Prop := have := lie; 1 = 2',
    ],
    [
      'a definition with an unsafe part',
      'set_option debug.skipKernelTC true in\ndef Hard : Prop := unsafeCast (1 = 2)',
    ],
  ].map(([what, preamble]) =>
    row(
      `${what} of the preamble that the kernel refuses, supplied by the candidate`,
      ['kernel', 'statement-changed', 'statement', 'unsafe', 'elaboration'],
      candidate(definition(['Hard'], prop, constant('True')), theorem(truth, { type: constant('Hard') })),
      { sort: 'unchecked preamble', preamble: preamble ?? '', statement: 'theorem t : Hard' },
    ),
  ),
];
