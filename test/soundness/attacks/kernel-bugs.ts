import type { Attack, ExportAttack, FileAttack } from '../attack.ts';
import {
  apply,
  bound,
  constant,
  lambda,
  levelOne,
  pi,
  prop,
  type,
  zero,
  type Content,
  type Declaration,
  type Level,
  type Term,
} from '../forge/export.ts';
import { bool, candidate, definition, no, row, theorem, truth, yes } from './export-parts.ts';

/** Bugs of the kernel that later versions of Lean have fixed (docs/kernel-advisories.md). Without the stage `advisories` most get through. */
const sort = 'kernel bug';
const bug = (disguise: string, content: Parameters<typeof row>[2], more: Partial<ExportAttack> = {}) =>
  row(disguise, ['kernel', 'malformed-export'], content, { sort, ...more });

const project = (structure: string, index: number, of: Term): Term => ({
  term: 'project',
  structure: [structure],
  index,
  of,
});
const imax = (left: Level, right: Level): Level => ({ level: 'imax', left, right });
const max = (left: Level, right: Level): Level => ({ level: 'max', left, right });
const universe: Level = { level: 'param', name: ['u'] };

const made = (name: string, value: Term): Declaration =>
  definition([name], constant('AsProp'), apply(constant('Hidden.mk'), value));

/**
 * `Hidden : Sort level | mk : Bool → Hidden`, a proposition in one place and data in another. The first type of the block is there
 * because the kernel takes the universe of the fields from it.
 */
function hidden(level: Level): Content {
  return candidate(
    {
      kind: 'inductive',
      parameters: 0,
      types: [
        {
          name: ['First'],
          type: prop,
          constructors: [{ name: ['First', 'mk'], type: constant('First') }],
        },
        {
          name: ['Hidden'],
          type: { term: 'sort', level },
          constructors: [{ name: ['Hidden', 'mk'], type: pi(bool, constant('Hidden')) }],
        },
      ],
    },
    definition(['AsProp'], prop, constant('Hidden')),
    made('first', no),
    made('second', yes),
    definition(
      ['look'],
      pi(constant('AsProp'), bool),
      lambda(constant('AsProp'), project('Hidden', 0, bound(0))),
    ),
    // the two are equal because they are proofs; `look` tells them apart
    theorem(
      apply(
        constant('congrArg', zero, levelOne),
        constant('AsProp'),
        bool,
        constant('first'),
        constant('second'),
        constant('look'),
        apply(constant('Eq.refl', zero), constant('AsProp'), constant('first')),
      ),
    ),
  );
}

/** `Maybe.{u} : Sort u` with one field: a proposition in one universe, data in the others. */
const maybe: Declaration = {
  kind: 'inductive',
  parameters: 0,
  levels: [['u']],
  types: [
    {
      name: ['Maybe'],
      type: { term: 'sort', level: universe },
      constructors: [
        { name: ['Maybe', 'mk'], type: pi(constant('PUnit', universe), constant('Maybe', universe)) },
      ],
    },
  ],
};

const host = (phantom: Term): Declaration => ({
  kind: 'inductive',
  parameters: 2,
  types: [
    {
      name: ['Host'],
      type: pi(type, pi(phantom, type)),
      constructors: [
        { name: ['Host', 'mk'], type: pi(type, pi(phantom, apply(constant('Host'), bound(1), bound(0)))) },
      ],
    },
  ],
});
const wrapper: Declaration = {
  kind: 'inductive',
  parameters: 0,
  types: [
    {
      name: ['Wrapper'],
      type,
      constructors: [{ name: ['Wrapper', 'mk'], type: pi(bool, constant('Wrapper')) }],
    },
  ],
};

/** A block that a kernel must refuse, and a true theorem that depends on it. */
const restingOn = (name: string, ...declarations: Declaration[]): Content =>
  candidate(
    ...declarations,
    theorem(
      { term: 'let', type: pi(bool, type), value: constant(name), body: truth },
      { type: constant('True') },
    ),
  );
const plainTruth = { statement: 'theorem t : True' };

/** `T (b : Bool) : Type` with one constructor and one field. */
const family = (
  fieldOf: (b: Term, own: (b: Term) => Term) => Term,
  levels: readonly string[] = [],
): Declaration => {
  const own = (b: Term): Term =>
    apply(constant('T', ...levels.map((name): Level => ({ level: 'param', name: [name] }))), b);
  return {
    kind: 'inductive',
    parameters: 1,
    levels: levels.map((name) => [name]),
    types: [
      {
        name: ['T'],
        type: pi(bool, type),
        constructors: [{ name: ['T', 'mk'], type: pi(bool, pi(fieldOf(bound(0), own), own(bound(1)))) }],
      },
    ],
  };
};

const exportBugs: readonly ExportAttack[] = [
  bug('a proposition whose universe is written `imax 1 0`', hidden(imax(levelOne, zero))),
  bug('a proposition whose universe is written `max 0 0`', hidden(max(zero, zero))),
  bug('a proposition whose universe is written `max (imax 1 0) 0`', hidden(max(imax(levelOne, zero), zero))),
  bug(
    'data out of a type that may be a proposition',
    candidate(
      maybe,
      definition(
        ['look'],
        pi(constant('Maybe', levelOne), constant('PUnit', levelOne)),
        lambda(constant('Maybe', levelOne), project('Maybe', 0, bound(0))),
      ),
      theorem(
        {
          term: 'let',
          type: pi(constant('Maybe', levelOne), constant('PUnit', levelOne)),
          value: constant('look'),
          body: truth,
        },
        { type: constant('True') },
      ),
    ),
    plainTruth,
  ),
  bug(
    'an unchecked parameter of a nested type: a projection out of another structure',
    restingOn(
      'T',
      host(bool),
      wrapper,
      family((b, own) => apply(constant('Host'), own(b), project('Wrapper', 0, b))),
    ),
    plainTruth,
  ),
  bug(
    'a nested occurrence with another parameter',
    restingOn(
      'T',
      host(bool),
      family((b, own) => apply(constant('Host'), own(no), b)),
    ),
    plainTruth,
  ),
  bug(
    'a recursive occurrence with another parameter, behind a reduction that drops it',
    restingOn(
      'T',
      family((_, own) => apply(lambda(type, bool), own(no))),
    ),
    plainTruth,
  ),
  bug(
    'a recursive occurrence that only a K-like reduction shows',
    restingOn('T', {
      kind: 'inductive',
      parameters: 1,
      types: [
        {
          name: ['T'],
          type: pi(bool, type),
          constructors: [
            {
              name: ['T', 'mk'],
              type: pi(
                bool,
                pi(
                  apply(constant('Eq', levelOne), bool, no, no),
                  pi(
                    apply(
                      constant('Eq.rec', { level: 'succ', of: levelOne }, levelOne),
                      bool,
                      no,
                      lambda(bool, lambda(apply(constant('Eq', levelOne), bool, no, bound(0)), type)),
                      apply(constant('T'), bound(1)),
                      no,
                      bound(0),
                    ),
                    apply(constant('T'), bound(2)),
                  ),
                ),
              ),
            },
          ],
        },
      ],
    }),
    plainTruth,
  ),
  bug(
    'a name that the kernel gives to its own auxiliary types',
    candidate(
      { ...definition(['_nested', 'Host_1'], prop, constant('True')) },
      theorem(truth, { type: constant('True') }),
    ),
    plainTruth,
  ),
  bug(
    'a projection whose index is another one modulo 2³²',
    candidate(
      theorem(
        project(
          'And',
          2 ** 32,
          apply(constant('And.intro'), constant('True'), constant('True'), truth, truth),
        ),
        { type: constant('True') },
      ),
    ),
    plainTruth,
  ),
  bug(
    'a constant with too many universes',
    candidate(theorem(apply(constant('Eq.refl', levelOne, levelOne), bool, no))),
  ),
  bug(
    'an opaque constant with a free variable in it',
    (exported) => {
      const exprs = exported['exprs'] as unknown[];
      const free = exprs.push(['f', 1]) - 1;
      const [first] = exported['declarations'] as Record<string, unknown>[];
      return { ...exported, declarations: [{ ...first, kind: 'opaque', value: free, safe: true }] };
    },
    { statement: 'theorem t : false = false' },
  ),
  bug(
    'a universe that is a metavariable',
    (exported) => ({ ...exported, levels: [...(exported['levels'] as unknown[]), ['v', 0]] }),
    { statement: 'theorem t : false = false' },
  ),
];

/** Three equal values of which the kernel sees only neighbours: `value p` and `value known`, `value known` and `false`. */
const values = `def never (_ _ : Nat) : Prop := False
noncomputable def value (p : Acc never 0) : Bool :=
  Acc.rec (motive := fun _ _ => Bool) (fun _ _ _ => false) p
def known : Acc never 0 := Acc.intro 0 (fun _ h => h.elim)
theorem value_eq (p : Acc never 0) : value p = false := by cases p; rfl
noncomputable def sortOf (p : Acc never 0) (h : value p = value known) : Type :=
  Eq.rec (motive := fun _ _ => Type) Prop h
`;
/** `Box p h` is a proposition for the kernel where it asks with one proof `h`, and stuck where it asks with another. */
const boxed = `${values}inductive Box (p : Acc never 0) (h : value p = value known) : sortOf p h
  | mk (b : Bool) : Box p h
noncomputable def asProp (p : Acc never 0) (h : value p = value known) : Prop := Box p h
noncomputable def unfolded (p : Acc never 0) (h : value p = value known) (x : asProp p h) : Box p h := x
noncomputable def made (p : Acc never 0) (h : value p = value known) (b : Bool) : asProp p h := Box.mk b
`;

const fileBugs: readonly FileAttack[] = [
  {
    sort,
    disguise: 'a sort that is stuck in one place: 30 lines of plain Lean that prove `False`',
    kind: 'kernel',
    commandLine: true,
    file: `${boxed}noncomputable def look (p : Acc never 0) (h : value p = false) (x : asProp p h) : Bool := (unfolded p h x).1
theorem first (p : Acc never 0) (h : value p = false) : look p h (made p h false) = false := rfl
theorem second (p : Acc never 0) (h : value p = false) : look p h (made p h true) = true := rfl
theorem t : False := by
  have all : look known (value_eq known) (made known (value_eq known) false) =
      look known (value_eq known) (made known (value_eq known) true) :=
    congrArg (look known (value_eq known)) (proof_irrel _ _)
  exact Bool.noConfusion ((first known (value_eq known)).symm.trans (all.trans (second known (value_eq known))))
`,
  },
  {
    sort,
    disguise: 'a sort that is stuck in one place, as an index',
    kind: 'kernel',
    file: `${values}inductive Boxed (p : Acc never 0) : (h : value p = value known) → sortOf p h
  | mk (h : value p = value known) (b : Bool) : Boxed p h
theorem t : ∃ h, Boxed known h := ⟨rfl, Boxed.mk rfl true⟩
`,
  },
];

export const kernelBugAttacks: readonly Attack[] = [...fileBugs, ...exportBugs];
