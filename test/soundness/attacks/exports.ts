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
  write,
  zero,
} from '../forge/export.ts';
import {
  absurdity,
  bool,
  candidate,
  definition,
  natural,
  no,
  reflexive,
  row,
  t,
  theorem,
  truth,
  yes,
} from './export-parts.ts';
import type { ExportAttack } from '../attack.ts';

/** Attacks on the judge itself: candidates that no elaborator made. */
export const exportAttacks: readonly ExportAttack[] = [
  row(
    'the export of another theorem of the same name',
    'statement-changed',
    candidate(theorem(truth, { type: constant('True') })),
    { sort: 'weaker statement' },
  ),
  row(
    'the export of a theorem of another name',
    'statement-changed',
    candidate(theorem(reflexive, { name: ['u'] })),
    { sort: 'weaker statement' },
  ),
  row(
    'one universe parameter more',
    'statement-changed',
    candidate(theorem(reflexive, { levels: [['u']] })),
    { sort: 'weaker statement' },
  ),
  row(
    'a universe for the statement’s',
    ['statement-changed', 'kernel'],
    candidate(
      theorem(lambda(type, apply(constant('Eq.refl', { level: 'succ', of: levelOne }), type, bound(0))), {
        type: pi(type, equal(type, bound(0), bound(0))),
      }),
    ),
    {
      sort: 'weaker statement',
      statement: 'theorem t.{u} (α : Type u) : α = α',
    },
  ),
  row(
    'the theorem exported as an axiom',
    ['axiom', 'statement-changed'],
    candidate({ kind: 'axiom', name: t, type: absurdity }),
    { sort: 'axiom' },
  ),
  row(
    'an allowed name, declared by the proof itself',
    'axiom',
    candidate({ kind: 'axiom', name: ['cheat'], type: absurdity }, theorem(constant(['cheat']))),
    { sort: 'axiom', allowAxioms: ['cheat'] },
  ),
  row(
    'an allowed axiom of the preamble, with another type',
    'axiom',
    candidate({ kind: 'axiom', name: ['given'], type: absurdity }, theorem(constant(['given']))),
    {
      sort: 'axiom',
      preamble: 'axiom given : true = true',
      allowAxioms: ['given'],
    },
  ),
  row(
    'an axiom of the preamble that is not allowed, under the name of one that is',
    'axiom',
    candidate({ kind: 'axiom', name: ['given'], type: absurdity }, theorem(constant(['given']))),
    {
      sort: 'axiom',
      preamble: 'axiom given : true = true\naxiom cheat : false = true',
      allowAxioms: ['given'],
    },
  ),
  row(
    'in an export, where no elaborator looks',
    'sorry',
    candidate(theorem(apply(constant('sorryAx', zero), absurdity, no))),
    { sort: 'sorry' },
  ),
  row(
    'in a lemma of an export',
    'sorry',
    candidate(
      {
        kind: 'theorem',
        name: ['help'],
        type: absurdity,
        value: apply(constant('sorryAx', zero), absurdity, no),
      },
      theorem(constant(['help'])),
    ),
    { sort: 'sorry' },
  ),
  row(
    'in the type of a lemma',
    'sorry',
    candidate(
      {
        kind: 'definition',
        name: ['help'],
        type: prop,
        value: apply(constant('sorryAx', levelOne), prop, no),
      },
      theorem(apply(constant('sorryAx', zero), absurdity, no)),
    ),
    { sort: 'sorry' },
  ),
  row(
    '`lcProof` in an export',
    ['kernel', 'axiom', 'malformed-export'],
    candidate(theorem(apply(constant('lcProof'), absurdity))),
    { sort: 'axiom' },
  ),
  row(
    '`reduceBool` in an export: the kernel would run code of the preamble',
    ['axiom', 'malformed-export'],
    candidate(
      theorem(apply(constant('Eq.refl', levelOne), bool, yes), {
        type: equal(bool, apply(constant('Lean.reduceBool'), no), yes),
      }),
    ),
    {
      sort: 'compiler',
      statement: 'theorem t : Lean.reduceBool false = true',
    },
  ),
  row(
    '`ofReduceBool` in an export',
    ['axiom', 'malformed-export'],
    candidate(
      theorem(
        apply(
          constant('Lean.ofReduceBool'),
          no,
          yes,
          apply(constant('Eq.refl', levelOne), bool, apply(constant('Lean.reduceBool'), no)),
        ),
      ),
    ),
    { sort: 'compiler' },
  ),
  row(
    '`reduceNat` under a definition',
    ['kernel', 'axiom'],
    candidate(
      definition(['run'], natural, apply(constant('Lean.reduceNat'), constant('Nat.zero'))),
      theorem(reflexive),
    ),
    { sort: 'compiler' },
  ),
  row(
    'an export without declarations',
    'statement-changed',
    (exported) => ({ ...exported, declarations: [] }),
    { sort: 'silence' },
  ),
  row('no export at all', 'malformed-export', () => null, { sort: 'silence' }),
  row(
    'an export that is an answer',
    'malformed-export',
    () => ({ ok: true, name: 't', axioms: [], assumes: [] }),
    { sort: 'silence' },
  ),
  row(
    'an export that is a statement',
    'statement-changed',
    () => write({ declarations: [], statements: [{ name: t, type: absurdity }] }),
    { sort: 'silence' },
  ),
];
