import { isStandardAxiom } from './axioms.ts';
import type { Checker } from './checker.ts';
import { PI, type Expr } from './expr.ts';
import type { Level } from './level.ts';
import { nameText, type KernelName } from './name.ts';
import { kernelRefuses } from './outcome.ts';
import { requireEquality, requireQuotient } from './quotient.ts';
import { close, instantiateLevels } from './substitute.ts';

interface Axiom {
  readonly name: KernelName;
  /** universe parameters */
  readonly params: readonly KernelName[];
  readonly type: Expr;
}

/** Readers recognise the standard axioms by name, so an axiom with such a name must have the standard type. */
export function requireStandardMeaning(checker: Checker, axiom: Axiom): void {
  if (!isStandardAxiom(axiom.name)) return;
  const { terms } = checker;
  const expected = standardAxioms(checker)[nameText(axiom.name)]?.();
  const levels = axiom.params.map((param) => terms.levels.param(param));
  if (
    expected?.params.length !== axiom.params.length ||
    instantiateLevels(terms, expected.type, expected.params, levels) !== axiom.type
  )
    kernelRefuses('it is not the standard axiom of this name', 'axiom');
}

function standardAxioms(checker: Checker): Readonly<Record<string, () => Omit<Axiom, 'name'>>> {
  const { terms } = checker;
  const { levels, names } = terms;
  const u = names.of('u');
  const atU = levels.param(u);
  const universe = terms.sort(atU);
  const constant = (level: Level | null, ...parts: string[]): Expr =>
    terms.constant(names.of(...parts), level === null ? levels.none : levels.list([level]));
  return {
    propext: () => {
      requireEquality(checker);
      requireIff(checker);
      const [a, b] = [terms.free(0, terms.prop), terms.free(1, terms.prop)];
      const iff = terms.applyAll(constant(null, 'Iff'), [a, b]);
      const same = terms.applyAll(constant(levels.one, 'Eq'), [terms.prop, a, b]);
      return { params: [], type: close(terms, PI, [a, b], terms.pi(iff, same)) };
    },
    'Classical.choice': () => {
      requireNonempty(checker);
      const alpha = terms.free(0, universe);
      const nonempty = terms.apply(constant(atU, 'Nonempty'), alpha);
      return { params: [u], type: close(terms, PI, [alpha], terms.pi(nonempty, alpha)) };
    },
    'Quot.sound': () => {
      requireEquality(checker);
      // only constants mentioned in the type: an export may omit the eliminators
      requireQuotient(checker, names.of('Quot'));
      requireQuotient(checker, names.of('Quot', 'mk'));
      const alpha = terms.free(0, universe);
      const relation = terms.free(1, terms.pi(alpha, terms.pi(alpha, terms.prop)));
      const [a, b] = [terms.free(2, alpha), terms.free(3, alpha)];
      const inQuotient = (of: Expr): Expr =>
        terms.applyAll(constant(atU, 'Quot', 'mk'), [alpha, relation, of]);
      const same = terms.applyAll(constant(atU, 'Eq'), [
        terms.applyAll(constant(atU, 'Quot'), [alpha, relation]),
        inQuotient(a),
        inQuotient(b),
      ]);
      const related = terms.applyAll(relation, [a, b]);
      return { params: [u], type: close(terms, PI, [alpha, relation, a, b], terms.pi(related, same)) };
    },
  };
}

/** Requires that `Iff a b` has exactly the proofs `Iff.intro (mp : a → b) (mpr : b → a)`. */
function requireIff(checker: Checker): void {
  const { terms } = checker;
  const { names, levels } = terms;
  const { prop } = terms;
  const [a, b] = [terms.free(0, prop), terms.free(1, prop)];
  const iff = terms.applyAll(terms.constant(names.of('Iff'), levels.none), [a, b]);
  const intro = close(terms, PI, [a, b], terms.pi(terms.pi(a, b), terms.pi(terms.pi(b, a), iff)));
  requireType(checker, 'Iff', [], terms.pi(prop, terms.pi(prop, prop)), intro);
}

/** Requires that `Nonempty α` has exactly the proofs `Nonempty.intro (a : α)`. */
function requireNonempty(checker: Checker): void {
  const { terms } = checker;
  const { names, levels } = terms;
  const [u] = checker.environment.get(names.of('Nonempty')).params;
  const atU = levels.param(u ?? names.of('u'));
  const alpha = terms.free(0, terms.sort(atU));
  const nonempty = terms.apply(terms.constant(names.of('Nonempty'), levels.list([atU])), alpha);
  const intro = close(terms, PI, [alpha], terms.pi(alpha, nonempty));
  requireType(checker, 'Nonempty', u === undefined ? [] : [u], terms.pi(terms.sort(atU), terms.prop), intro);
}

/** An inductive type with this type and one constructor `intro`. */
function requireType(
  checker: Checker,
  text: string,
  params: readonly KernelName[],
  type: Expr,
  intro: Expr,
): void {
  const { environment, terms } = checker;
  const name = terms.names.of(text);
  const info = environment.get(name);
  const constructor = environment.find(terms.names.child(name, 'intro'));
  if (
    info.kind !== 'inductive' ||
    info.type !== type ||
    info.params.length !== params.length ||
    info.constructors.length !== 1 ||
    constructor?.kind !== 'constructor' ||
    constructor.inductive !== name ||
    constructor.type !== intro
  )
    kernelRefuses(`the standard axioms need ${text} to be what it usually is`, 'axiom');
}
