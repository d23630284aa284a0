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
  type Declaration,
  type Level,
  type Name,
  type Term,
} from './forge/export.ts';
import { bool, definition, natural, no, truth, yes } from './attacks/export-parts.ts';

/**
 * The cases of the tutorial of leanprover/lean-kernel-arena, rewritten for our judge under the arena's names. A good
 * case must be accepted, a bad one must not be. Cases that give a kernel its own recursors have no counterpart,
 * because our exports contain none.
 */
export interface ArenaCase {
  readonly name: string;
  readonly isGood: boolean;
  /** An export in which the theorem `t : True` depends on the declaration of the case. */
  readonly candidate: Record<string, unknown>;
}

const typeTwo: Term = sort(2);
const param = (name: string): Level => ({ level: 'param', name: [name] });
const imax = (left: Level, right: Level): Level => ({ level: 'imax', left, right });
const max = (left: Level, right: Level): Level => ({ level: 'max', left, right });
const project = (structure: string, index: number, of: Term): Term => ({
  term: 'project',
  structure: [structure],
  index,
  of,
});

function level(number: number): Level {
  return number === 0 ? zero : { level: 'succ', of: level(number - 1) };
}
function sort(of: number | Level): Term {
  return { term: 'sort', level: typeof of === 'number' ? level(of) : of };
}

/** Some declarations, and a true theorem that uses `name : of`. */
function resting(
  name: string,
  isGood: boolean,
  declarations: readonly Declaration[],
  used: { readonly name: string | Name; readonly of: Term; readonly levels?: readonly Level[] },
): ArenaCase {
  const value: Term = {
    term: 'let',
    type: used.of,
    value: constant(used.name, ...(used.levels ?? [])),
    body: truth,
  };
  const t: Declaration = { kind: 'theorem', name: ['t'], type: constant('True'), value };
  return { name, isGood, candidate: write({ declarations: [...declarations, t], theorems: [['t']] }) };
}

const value = (
  name: string,
  isGood: boolean,
  of: Term,
  is: Term,
  levels: readonly string[] = [],
): ArenaCase =>
  resting(name, isGood, [{ ...definition([name], of, is), levels: levels.map((one) => [one]) }], {
    name,
    of,
    levels: levels.map(() => levelOne),
  });

interface OneType {
  readonly of: Term;
  readonly parameters?: number;
  readonly levels?: readonly string[];
  readonly constructors?: readonly (readonly [string, Term])[];
}

const declare = (
  name: string,
  { of, parameters = 0, levels = [], constructors = [] }: OneType,
): Declaration => ({
  kind: 'inductive',
  parameters,
  levels: levels.map((one) => [one]),
  types: [
    {
      name: [name],
      type: of,
      constructors: constructors.map(([last, made]) => ({ name: [name, last], type: made })),
    },
  ],
});
const inductive = (name: string, isGood: boolean, one: OneType, ...before: Declaration[]): ArenaCase =>
  resting(name, isGood, [...before, declare(name, one)], {
    name,
    of: one.of,
    levels: (one.levels ?? []).map(() => levelOne),
  });

/** `fun x y => x` on types. */
const first = definition(['first'], pi(type, pi(type, type)), lambda(type, lambda(type, bound(1))));
const firstOf = (left: Term, right: Term): Term => apply(constant('first'), left, right);
const numbers = declare('N', {
  of: type,
  constructors: [
    ['zero', constant('N')],
    ['succ', pi(constant('N'), constant('N'))],
  ],
});
const unit = (of: Level): Term => constant('PUnit', of);

/** A proposition with proofs and data in turn; a proof that depends on data comes before the last. */
const mixed = declare('Mixed', {
  of: prop,
  constructors: [
    [
      'mk',
      pi(
        unit(zero),
        pi(
          unit(levelOne),
          pi(
            unit(zero),
            pi(
              unit(levelOne),
              pi(equal(unit(levelOne), bound(0), bound(0)), pi(unit(zero), constant('Mixed'))),
            ),
          ),
        ),
      ),
    ],
  ],
});
const outOfMixed = (name: string, isGood: boolean, index: number, of: Term): ArenaCase => {
  const its = pi(constant('Mixed'), of);
  const is = lambda(constant('Mixed'), project('Mixed', index, bound(0)));
  return resting(name, isGood, [mixed, definition([name], its, is)], { name, of: its });
};
const indexed = declare('Indexed', {
  of: pi(bool, prop),
  constructors: [['mk', pi(bool, pi(constant('True'), apply(constant('Indexed'), bound(1))))]],
});
const outOfIndexed = (name: string, index: number, of: Term): ArenaCase => {
  const its = pi(bool, pi(apply(constant('Indexed'), bound(0)), of));
  const is = lambda(bool, lambda(apply(constant('Indexed'), bound(0)), project('Indexed', index, bound(0))));
  return resting(name, false, [indexed, definition([name], its, is)], { name, of: its });
};

const claim = (name: string, isGood: boolean, of: Term, is: Term, ...before: Declaration[]): ArenaCase =>
  resting(name, isGood, [...before, { kind: 'theorem', name: [name], type: of, value: is }], { name, of });

const own = (name: string, ...given: Term[]): Term => apply(constant(name), ...given);
const reflexive = (of: Term, value_: Term): Term => apply(constant('Eq.refl', levelOne), of, value_);
const equalityOf = (of: Term, left: Term, right: Term): Term => equal(of, left, right);
/** `@Eq.rec Bool true (fun _ _ => Bool) a b h` */
const castAlong = (a: Term, b: Term, h: Term): Term =>
  apply(
    constant('Eq.rec', levelOne, levelOne),
    bool,
    yes,
    lambda(bool, lambda(equalityOf(bool, yes, bound(0)), bool)),
    a,
    b,
    h,
  );

const levels: readonly ArenaCase[] = [
  value('levelComp1', true, sort(1), sort(imax(levelOne, zero))),
  value('levelComp2', true, sort(2), sort(imax(zero, levelOne))),
  value('levelComp3', true, sort(3), sort(imax(level(2), levelOne))),
  value('levelComp4', true, type, sort(imax(param('u'), zero)), ['u']),
  value('levelMaxIdem', true, sort(level(2)), sort(max(levelOne, levelOne))),
  value('levelMaxAbsorb', true, sort(level(3)), sort(max(level(2), max(level(2), levelOne)))),
  resting('tut06_bad01', false, [{ ...definition(['twice'], type, prop), levels: [['u'], ['u']] }], {
    name: 'twice',
    of: type,
    levels: [zero, zero],
  }),
];

const terms: readonly ArenaCase[] = [
  value('badDef', false, prop, type),
  value(
    'forallSortBad',
    false,
    prop,
    pi(apply(constant('id', level(3)), typeTwo, type), pi(bound(0), pi(bound(0), bound(1)))),
  ),
  resting('nonTypeType', false, [first, definition(['nonTypeType'], constant('first'), prop)], {
    name: 'nonTypeType',
    of: constant('first'),
  }),
  claim('nonPropThm', false, prop, pi(prop, bound(0))),
  value('letType', true, type, { term: 'let', type, value: prop, body: bound(0) }),
  value('letRed', true, { term: 'let', type: typeTwo, value: type, body: bound(0) }, bool),
  claim(
    'proofIrrelevanceBad',
    false,
    pi(type, pi(bound(0), pi(bound(1), equalityOf(bound(2), bound(1), bound(0))))),
    lambda(type, lambda(bound(0), lambda(bound(1), reflexive(bound(2), bound(1))))),
  ),
  claim(
    'funEtaBad',
    false,
    pi(
      pi(bool, bool),
      pi(
        pi(bool, bool),
        equalityOf(pi(bool, bool), lambda(bool, apply(bound(1), apply(bound(2), bound(0)))), bound(0)),
      ),
    ),
    lambda(pi(bool, bool), lambda(pi(bool, bool), reflexive(pi(bool, bool), bound(0)))),
  ),
  claim(
    'ruleKbad',
    false,
    pi(equalityOf(bool, yes, no), pi(bool, equalityOf(bool, castAlong(bound(0), no, bound(1)), bound(0)))),
    lambda(equalityOf(bool, yes, no), lambda(bool, reflexive(bool, bound(0)))),
  ),
  claim(
    'etaRuleK',
    false,
    pi(
      pi(equalityOf(bool, yes, yes), bool),
      equalityOf(
        pi(equalityOf(bool, yes, yes), bool),
        apply(
          constant('Eq.rec', levelOne, levelOne),
          bool,
          yes,
          lambda(bool, lambda(equalityOf(bool, yes, bound(0)), bool)),
          apply(bound(0), reflexive(bool, yes)),
          yes,
        ),
        bound(0),
      ),
    ),
    lambda(pi(equalityOf(bool, yes, yes), bool), reflexive(pi(equalityOf(bool, yes, yes), bool), bound(0))),
  ),
  claim(
    'etaCtor',
    false,
    pi(
      pi(constant('True'), constant('Held')),
      equalityOf(
        pi(constant('True'), constant('Held')),
        own('Held.mk', project('Held', 0, apply(bound(0), truth))),
        bound(0),
      ),
    ),
    lambda(
      pi(constant('True'), constant('Held')),
      reflexive(pi(constant('True'), constant('Held')), bound(0)),
    ),
    declare('Held', {
      of: type,
      constructors: [['mk', pi(bool, pi(constant('True'), constant('Held')))]],
    }),
  ),
  value('aNatLit', true, natural, { term: 'number', digits: '0' }),
  claim(
    'natLitEq',
    true,
    equalityOf(
      natural,
      { term: 'number', digits: '3' },
      own('Nat.succ', own('Nat.succ', own('Nat.succ', constant('Nat.zero')))),
    ),
    reflexive(natural, { term: 'number', digits: '3' }),
  ),
];

const n = (name: string): Term => constant(name);
const types: readonly ArenaCase[] = [
  inductive('inductBadNonSort', false, { of: constant('first') }, first),
  inductive('inductBadNonSort2', false, { of: bool }),
  inductive('inductLevelParam', false, { of: type, levels: ['u', 'u'] }),
  inductive('inductTooFewParams', false, { of: pi(prop, prop), parameters: 2 }),
  inductive('inductWrongCtorParams', false, {
    of: pi(prop, type),
    parameters: 1,
    constructors: [['mk', pi(type, own('inductWrongCtorParams', constant('True')))]],
  }),
  inductive('inductWrongCtorResParams', false, {
    of: pi(prop, pi(prop, type)),
    parameters: 2,
    constructors: [['mk', pi(prop, pi(prop, own('inductWrongCtorResParams', bound(0), bound(1))))]],
  }),
  inductive('inductWrongCtorResLevel', false, {
    of: pi(prop, type),
    parameters: 1,
    levels: ['u', 'v'],
    constructors: [
      ['mk', pi(prop, apply(constant('inductWrongCtorResLevel', param('v'), param('u')), bound(0)))],
    ],
  }),
  inductive('inductInIndex', false, {
    of: pi(prop, prop),
    constructors: [['mk', own('inductInIndex', own('inductInIndex', constant('True')))]],
  }),
  inductive('indNeg', false, {
    of: type,
    constructors: [['mk', pi(pi(n('indNeg'), n('indNeg')), n('indNeg'))]],
  }),
  inductive(
    'reduceCtorParam',
    true,
    {
      of: pi(type, type),
      parameters: 1,
      constructors: [
        [
          'mk',
          pi(
            apply(constant('id', level(3)), typeTwo, type),
            pi(
              firstOf(own('reduceCtorParam', bound(0)), own('reduceCtorParam', bound(0))),
              own('reduceCtorParam', bound(1)),
            ),
          ),
        ],
      ],
    },
    first,
  ),
  inductive('reduceCtorType', false, {
    of: type,
    constructors: [['mk', apply(constant('id', level(2)), type, n('reduceCtorType'))]],
  }),
  inductive(
    'indNegReducible',
    false,
    {
      of: type,
      constructors: [
        ['mk', pi(pi(firstOf(bool, n('indNegReducible')), n('indNegReducible')), n('indNegReducible'))],
      ],
    },
    first,
  ),
  inductive('typeWithTooHighTypeField', false, {
    of: type,
    constructors: [['mk', pi(type, n('typeWithTooHighTypeField'))]],
  }),
  inductive('reflOccLeft', false, {
    of: type,
    constructors: [['mk', pi(pi(natural, pi(n('reflOccLeft'), natural)), n('reflOccLeft'))]],
  }),
  inductive('reflOccInIndex', false, {
    of: pi(type, type),
    constructors: [
      [
        'mk',
        pi(
          type,
          pi(
            pi(natural, own('reflOccInIndex', own('reflOccInIndex', bound(1)))),
            own('reflOccInIndex', bound(1)),
          ),
        ),
      ],
    ],
  }),
  inductive(
    'reduceCtorParamRefl',
    true,
    {
      of: pi(type, type),
      parameters: 1,
      constructors: [
        [
          'mk',
          pi(
            apply(constant('id', level(3)), typeTwo, type),
            pi(
              pi(
                bound(0),
                firstOf(own('reduceCtorParamRefl', bound(1)), own('reduceCtorParamRefl', bound(1))),
              ),
              own('reduceCtorParamRefl', bound(1)),
            ),
          ),
        ],
      ],
    },
    first,
  ),
  inductive(
    'reduceCtorParamRefl2',
    true,
    {
      of: pi(type, type),
      parameters: 1,
      constructors: [
        [
          'mk',
          pi(
            apply(constant('id', level(3)), typeTwo, type),
            pi(
              pi(bound(0), firstOf(own('reduceCtorParamRefl2', bound(1)), bound(1))),
              own('reduceCtorParamRefl2', bound(1)),
            ),
          ),
        ],
      ],
    },
    first,
  ),
];

const both = own('And', constant('True'), constant('True'));
const projections: readonly ArenaCase[] = [
  value('projOutOfRange', false, pi(both, constant('True')), lambda(both, project('And', 2, bound(0)))),
  resting(
    'projNotStruct',
    false,
    [numbers, definition(['back'], pi(n('N'), n('N')), lambda(n('N'), project('N', 0, bound(0))))],
    { name: 'back', of: pi(n('N'), n('N')) },
  ),
  outOfMixed('projProp1', true, 0, unit(zero)),
  outOfMixed('projProp2', false, 1, unit(levelOne)),
  outOfMixed('projProp3', true, 2, unit(zero)),
  outOfMixed('projProp4', false, 3, unit(levelOne)),
  outOfMixed(
    'projProp5',
    false,
    4,
    equal(unit(levelOne), project('Mixed', 3, bound(0)), project('Mixed', 3, bound(0))),
  ),
  outOfMixed('projProp6', false, 5, unit(zero)),
  outOfIndexed('projIndexData', 0, bool),
  outOfIndexed('projIndexData2', 1, constant('True')),
];

const two = declare('Two', { of: type, constructors: [['mk', n('Two')]] });
const plain = (name: Name): Declaration => definition(name, type, prop);
const names: readonly ArenaCase[] = [
  resting('dup_defs', false, [plain(['d']), plain(['d'])], { name: 'd', of: type }),
  resting('dup_ind_def', false, [plain(['Two']), two], { name: 'Two', of: type }),
  resting('dup_ctor_def', false, [plain(['Two', 'mk']), two], { name: 'Two', of: type }),
  resting('dup_rec_def', false, [plain(['Two', 'rec']), two], { name: 'Two', of: type }),
  resting('dup_ctor_rec', false, [declare('Two', { of: type, constructors: [['rec', n('Two')]] })], {
    name: 'Two',
    of: type,
  }),
  resting(
    'DupConCon',
    false,
    [
      declare('Two', {
        of: type,
        constructors: [
          ['mk', n('Two')],
          ['mk', n('Two')],
        ],
      }),
    ],
    { name: 'Two', of: type },
  ),
  resting(
    'BogusRecursor',
    false,
    [two, { kind: 'theorem', name: ['Two', 'rec'], type: constant('False'), value: constant('Two.rec') }],
    { name: 'Two', of: type },
  ),
];

export const arenaExports: readonly ArenaCase[] = [...levels, ...terms, ...types, ...projections, ...names];

/** Good cases that Lean's own elaborator can write: a declaration each. */
export const arenaGoodFile = `def basicDef : Type := Prop
def arrowType : Type := Prop → Prop
def dependentType : Prop := ∀ p : Prop, p
def constType : Type → Type → Type := fun x _ => x
def betaReduction : constType Prop (Prop → Prop) := ∀ p : Prop, p
def betaReduction2 : ∀ _ : Prop, constType Prop (Prop → Prop) := fun p => p
def forallSortWhnf : Prop := ∀ (p : id Prop) (_ : p), p
def levelParamF.{u} : Sort u → Sort u → Sort u := fun α _ => α
def levelParams : levelParamF Prop (Prop → Prop) := ∀ p : Prop, p
def levelComp5.{u} : Type u := Sort (imax u u)
def imax1 : Prop → Prop := fun p => Type → p
def imax2 : Type → Type 1 := fun α => Type → α
def levelMaxComm.{u, v} : Sort (max v u + 1) := Sort (max u v)
def levelMaxAssoc.{u, v, w} : Sort (max u (max v w) + 1) := Sort (max (max u v) w)
theorem inferVar : ∀ (f : Prop) (_ : f), f := fun _ g => g
theorem defEqLambda : ∀ (f : (Prop → Prop) → Prop) (_ : (a : Prop → Prop) → f a), f (fun p => p → p) :=
  fun _ g => g (fun p => p → p)
def Church.{u} := ∀ α : Type u, (α → α) → α → α
def Church.zero : Church := fun _ _ z => z
def Church.succ : Church → Church := fun n α s z => s (n α s z)
def Church.one := succ zero
def Church.two := succ one
def Church.four := succ (succ two)
def Church.add : Church → Church → Church := fun n m α s z => n α s (m α s z)
def Church.mul : Church → Church → Church := fun n m α s z => n α (m α s) z
theorem peano1.{u} : ∀ (p : Church → Prop) (_ : ∀ n, p n), p Church.two.{u} := fun _ v => v Church.two
theorem peano2.{u} : ∀ (p : Church → Prop) (_ : ∀ n, p n), p Church.two.{u} := fun _ v => v (Church.one.add Church.one)
theorem peano3.{u} : ∀ (p : Church → Prop) (_ : ∀ n, p n), p Church.four.{u} := fun _ v => v (Church.two.mul Church.two)
def empty : Type := Empty
def boolType : Type := Bool
structure TwoBool where
  b1 : Bool
  b2 : Bool
def twoBool : Type := TwoBool
def andType : Prop → Prop → Prop := And
def prodType : Type → Type → Type := Prod
def pprodType : Type → Type → Type := PProd
def pUnitType : Type := PUnit
def eqType.{u} : {α : Sort u} → α → α → Prop := @Eq
inductive N : Type where
  | zero : N
  | succ : N → N
def natDef : Type := N
inductive Colour where
  | red
  | black
inductive Tree (α : Type u) : Colour → N → Type u where
  | leaf : Tree α .black .zero
  | red : Tree α .black n → α → Tree α .black n → Tree α .red n
  | black : Tree α c n → α → Tree α d n → Tree α .black n.succ
def rbTreeDef.{u} : Type u → Colour → N → Type u := Tree
inductive PredWithTypeField : Prop where
  | mk (α : Type) : PredWithTypeField
def predWithTypeField : Prop := PredWithTypeField
inductive TypeWithTypeField : Type 1 where
  | mk (α : Type) : TypeWithTypeField
def typeWithTypeField : Type 1 := TypeWithTypeField
inductive TypeWithTypeFieldPoly : Type (u + 1) where
  | mk (α : Type u) : TypeWithTypeFieldPoly
def typeWithTypeFieldPoly.{u} : Type (u + 1) := TypeWithTypeFieldPoly
noncomputable def emptyRec.{u} : ∀ (motive : Empty → Sort u) (x : Empty), motive x := @Empty.rec
noncomputable def boolRec.{u} : ∀ {motive : Bool → Sort u} (_ : motive false) (_ : motive true) (t : Bool), motive t := @Bool.rec
noncomputable def twoBoolRec.{u} : ∀ {motive : TwoBool → Sort u} (_ : ∀ a b, motive ⟨a, b⟩) (x : TwoBool), motive x := @TwoBool.rec
noncomputable def andRec.{u} : ∀ (p q : Prop) {motive : p ∧ q → Sort u} (_ : ∀ a b, motive ⟨a, b⟩) (x : p ∧ q), motive x := @And.rec
noncomputable def prodRec.{u, v, w} : ∀ (α : Type u) (β : Type v) {motive : α × β → Sort w} (_ : ∀ a b, motive (a, b)) (x : α × β), motive x := @Prod.rec
noncomputable def pprodRec.{u, v, w} : ∀ (α : Sort u) (β : Sort v) {motive : PProd α β → Sort w} (_ : ∀ a b, motive ⟨a, b⟩) (x : PProd α β), motive x := @PProd.rec
noncomputable def punitRec.{u, w} : ∀ {motive : PUnit.{u} → Sort w} (_ : motive ⟨⟩) (x : PUnit), motive x := @PUnit.rec
noncomputable def eqRec.{u, v} : ∀ {α : Sort v} {a : α} {motive : (b : α) → a = b → Sort u} (_ : motive a rfl) {b : α} (t : a = b), motive b t := @Eq.rec
noncomputable def nRec.{u} : ∀ {motive : N → Sort u} (_ : motive .zero) (_ : (a : N) → motive a → motive a.succ) (t : N), motive t := @N.rec
noncomputable def rbTreeRef := @Tree.rec
inductive BoolProp : Prop where
  | a : BoolProp
  | b : BoolProp
theorem boolPropRec : ∀ {motive : BoolProp → Prop} (_ : motive .a) (_ : motive .b) (x : BoolProp), motive x := @BoolProp.rec
theorem existsRec.{u} : ∀ {α : Sort u} {p : α → Prop} {motive : Exists p → Prop} (_ : ∀ w h, motive ⟨w, h⟩) (t : Exists p), motive t := @Exists.rec
inductive Single : Type where
  | mk : Single
theorem typeSingletonRecReduction : ∀ x : Single, (Single.rec true x : Bool) = true := fun _ => rfl
inductive SortElim (b : Bool) : Bool → Bool → Prop
  | mk (c d : Bool) : SortElim b d c
noncomputable def sortElimPropRec.{u} : ∀ {b : Bool} {motive : ∀ c d, SortElim b c d → Sort u} (_ : ∀ c d, motive d c (.mk c d)) (c d : Bool) (x : SortElim b c d), motive c d x := @SortElim.rec
inductive SortElim2 (b : Bool) : Bool → Bool → Prop
  | mk (c d : Bool) : SortElim2 b d (id c)
theorem sortElimProp2Rec : ∀ {b : Bool} {motive : ∀ c d, SortElim2 b c d → Prop} (_ : ∀ c d, motive d c (.mk c d)) (c d : Bool) (x : SortElim2 b c d), motive c d x := @SortElim2.rec
theorem boolRecEqns.{u} : (∀ {motive : Bool → Sort u} (f : motive false) (t : motive true), (Bool.rec f t false : motive false) = f) ∧ (∀ {motive : Bool → Sort u} (f : motive false) (t : motive true), (Bool.rec f t true : motive true) = t) :=
  ⟨fun _ _ => rfl, fun _ _ => rfl⟩
theorem prodRecEqns.{u} : ∀ {α β : Type} {motive : α × β → Sort u} (f : (a : α) → (b : β) → motive (a, b)) (a : α) (b : β), (Prod.rec f (a, b) : motive (a, b)) = f a b := fun _ _ _ => rfl
noncomputable def N.add : N → N → N := fun n => N.rec (fun m => m) (fun _ ih m => (ih m).succ) n
theorem nRecReduction : (∀ m, N.add .zero m = m) ∧ (∀ n m, N.add n.succ m = (N.add n m).succ) := ⟨fun _ => rfl, fun _ _ => rfl⟩
noncomputable def append {α : Type} (xs ys : List α) : List α := List.recOn xs ys (fun x _ ih => x :: ih)
theorem listRecReduction {α : Type} (xs ys : List α) (x : α) : append [] ys = ys ∧ append (x :: xs) ys = x :: append xs ys := ⟨rfl, rfl⟩
noncomputable def Tree.same {α : Type} (t : Tree α c n) : Tree α c n :=
  Tree.rec .leaf (fun _ a _ l r => .red l a r) (fun _ a _ l r => .black l a r) t
theorem RBTree.id_spec {α : Type} (t : Tree α c n) : t.same = t := by
  induction t with
  | leaf => rfl
  | red _ _ _ l r => exact congr (congrFun (congrArg _ l) _) r
  | black _ _ _ l r => exact congr (congrFun (congrArg _ l) _) r
theorem projAnd {p q : Prop} (h : p ∧ q) : p := h.1
def projProd {α β : Type} (x : α × β) : β := x.2
def projPProd {α : Sort u} {β : Sort v} (x : PProd α β) : α := x.1
def projPSigma {α : Sort u} {β : α → Sort v} (x : PSigma β) : β x.1 := x.2
inductive ProjDataIndex : N → Prop
  | mk (n : N) (p : True) : ProjDataIndex n
noncomputable def projDataIndexRec := @ProjDataIndex.rec
theorem projRed : (true, false).2 = false := rfl
theorem ruleK : ∀ (h : true = true) (a : Bool), (Eq.rec (motive := fun _ _ => Bool) a h) = a := fun _ a => Eq.refl a
theorem proofIrrelevance : ∀ (p : Prop) (h k : p), h = k := fun _ _ _ => rfl
theorem proofIrrelevanceWhnf : ∀ (p : id Prop) (h k : p), h = k := fun _ _ _ => rfl
theorem unitEta1 : ∀ x y : Unit, x = y := fun _ _ => rfl
theorem unitEta2.{u} : ∀ x y : PUnit.{u}, x = y := fun _ _ => rfl
theorem unitEta3 : ∀ x y : PUnit.{0}, x = y := fun _ _ => rfl
theorem structEta.{u} : ∀ (α β : Type u) (x : α × β), x = ⟨x.1, x.2⟩ ∧ ⟨x.1, x.2⟩ = x := fun _ _ _ => ⟨rfl, rfl⟩
theorem funEta : ∀ (α β : Type) (f : α → β), (fun x => f x) = f := fun _ _ _ => rfl
theorem funEtaDep : ∀ (α : Type) (β : α → Type) (f : ∀ a, β a), (fun a => f a) = f := fun _ _ _ => rfl
inductive RTree : Type where
  | leaf
  | node (children : Bool → RTree) : RTree
noncomputable def rTreeRec := @RTree.rec
noncomputable def RTree.left (t : RTree) : RTree := RTree.rec (motive := fun _ => RTree) .leaf (fun children _ => children true) t
theorem rtreeRecReduction : ∀ s t : RTree, (RTree.node (fun b => Bool.rec t s b)).left = s := fun _ _ => rfl
noncomputable def accRecType := @Acc.rec
theorem accRecReduction {α : Type} (r : α → α → Prop) (a : α) (h : ∀ b, r b a → Acc r b) (p : Bool) :
    Acc.rec (motive := fun _ _ => Bool) (fun _ _ _ => p) (Acc.intro a h) = p := rfl
def quotMkType.{u} : ∀ {α : Sort u} (r : α → α → Prop) (_ : α), Quot r := @Quot.mk
theorem quotIndType.{u} : ∀ {α : Sort u} {r : α → α → Prop} {β : Quot r → Prop} (_ : ∀ a, β (Quot.mk r a)) (q : Quot r), β q := @Quot.ind
def quotLiftType.{u, v} : ∀ {α : Sort u} {r : α → α → Prop} {β : Sort v} (f : α → β) (_ : ∀ a b, r a b → f a = f b), Quot r → β := @Quot.lift
theorem quotSoundType.{u} : ∀ {α : Sort u} {r : α → α → Prop} {a b : α}, r a b → Quot.mk r a = Quot.mk r b := @Quot.sound
theorem quotLiftReduction.{u, v} {α : Sort u} {r : α → α → Prop} {β : Sort v} (f : α → β) (h : ∀ a b, r a b → f a = f b) (a : α) : Quot.lift f h (Quot.mk r a) = f a := rfl
theorem quotIndReduction.{u} {α : Sort u} (r : α → α → Prop) {β : Quot r → Prop} (mk : ∀ a, β (Quot.mk r a)) (a : α) : (Quot.ind mk (Quot.mk r a) : β (Quot.mk r a)) = mk a := rfl
`;

/** Bad cases that the elaborator refuses as soon as they are written. */
export const arenaBadClaims: Readonly<Record<string, readonly [statement: string, proof: string]>> = {
  ruleKAcc: [
    'theorem t (p : Bool → Bool → Prop) (x : Bool) (h : Acc p x) (a : Bool) : Acc.rec (motive := fun _ _ => Bool) (fun _ _ _ => a) h = a',
    'Eq.refl a',
  ],
  accRecNoEta: [
    'theorem t {α : Type} (r : α → α → Prop) (a : α) (h : Acc r a) (p : Bool) : Acc.rec (motive := fun _ _ => Bool) (fun _ _ _ => p) h = p',
    'rfl',
  ],
};

/** Declarations of the file above that are not cases by themselves: other cases use them. */
const helpers = new Set(
  'levelParamF Church Church.zero Church.succ Church.one Church.two Church.four Church.add Church.mul N.add append Tree.same RTree.left'.split(
    ' ',
  ),
);
const written = Array.from(
  arenaGoodFile.matchAll(/^(?:noncomputable )?(?:def|theorem) ([\w.]+?)(?:\.\{.*)?(?= |$)/gm),
  ([, name = '']) => name,
);
const goodExports = arenaExports.filter(({ isGood }) => isGood).length;

/** Of the 142 cases of the tutorial: those that hand the kernel recursors of their own cannot be said in our exports. */
export const arenaCounts = {
  all: 142,
  good: goodExports + written.filter((name) => !helpers.has(name)).length,
  bad: arenaExports.length - goodExports + Object.keys(arenaBadClaims).length,
};
