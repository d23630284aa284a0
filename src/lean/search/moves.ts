import type { Goal } from '../protocol.ts';
import { list, unique } from './closers.ts';
import type { Facts } from '../premises/facts.ts';
import { isRecursive, localsOf, mentions, type Local } from './shapes.ts';

/**
 * Steps that change a goal without finishing it. A move may fail; it is only a proposal made from what the goal looks like
 * when it is printed.
 */
export type Moves = (goal: Goal, facts: Facts) => string[];

/** Changes whenever the lists below do. */
export const movesVersion = 3;

/** Name what `intro` brings; the longest that works is the one to go on with. */
export function introductions(goal: Goal): string[] {
  const used = new Set(goal.hypotheses.map(({ name }) => name));
  const free = ['h', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8'].filter((name) => !used.has(name));
  return [6, 5, 4, 3, 2, 1].map((count) => `intro ${free.slice(0, count).join(' ')}`);
}

/** Everything that a split can start from: values, disjunctions, conditions in the goal. */
export const caseMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal, facts);
  const inGoal = (local: Local): number => (mentions(goal.target, local.name) ? 0 : 1);
  const splittable = locals
    .filter(({ shape }) => shape === 'data' || shape === 'predicate' || shape === 'logic')
    .sort((first, second) => inGoal(first) - inGoal(second));
  return unique([
    ...(/\bif\b|\bmatch\b/.test(goal.target) ? ['split'] : []),
    ...locals.filter(({ type }) => /\bif\b|\bmatch\b/.test(type)).map(({ name }) => `split at ${name}`),
    ...splittable.map(({ name }) => `cases ${name}`),
    ...locals
      .filter(({ shape, type }) => shape === 'equation' && / = /.test(type))
      .map(({ name }) => `cases ${name}`),
    ...conditions(goal).map((condition) => `by_cases hc : ${condition}`),
    ...propositions(locals).map((name) => `by_cases hp : ${name}`),
    ...applications(goal, facts).map((name) => `fun_cases ${name}`),
  ]);
};

/** Every value of the goal split at once, one closer for all that comes of it: small enumerations need no more. */
export function exhaustiveClosers(goal: Goal, facts: Facts): string[] {
  const values = localsOf(goal, facts)
    .filter(({ name, shape }) => shape === 'data' && mentions(goal.target, name))
    .slice(0, 4);
  const split = values.map(({ name }) => `cases ${name}`).join(' <;> ');
  if (values.length < 2) return [];
  return unique(['rfl', `simp_all${list(facts.definitions)}`, `grind${list(facts.definitions)}`]).map(
    (closer) => `${split} <;> ${closer}`,
  );
}

/** Inductions on each value and each derivation, plain and with everything else generalised, and along functions. */
export const inductionMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal, facts);
  const along = unique([
    ...applications(goal, facts).map((name) => `fun_induction ${name}`),
    ...applied(goal, facts, locals).map((application) => `fun_induction ${application}`),
  ]);
  const candidates = [
    ...locals.filter(({ shape }) => shape === 'predicate'),
    ...locals.filter(({ shape, type }) => shape === 'data' && isRecursive(type, facts)),
  ];
  const inTarget = candidates.sort(
    (first, second) => Number(mentions(goal.target, second.name)) - Number(mentions(goal.target, first.name)),
  );
  const plain = inTarget.map(({ name }) => `induction ${name}`);
  const generalised = inTarget.flatMap((local) => {
    const others = generalisable(local, locals);
    return others.length === 0 ? [] : [`induction ${local.name} generalizing ${others.join(' ')}`];
  });
  return unique(interleave(interleave(plain, generalised), along));
};

/** Take the goal apart by its outermost form, or go back through a lemma, a constructor or a hypothesis. */
export const structureMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal, facts);
  const { target } = goal;
  const logic = locals.filter(({ shape, type }) => shape === 'logic' && /^∃|∧/.test(type));
  const disjunctions = locals.filter(({ shape, type }) => shape === 'logic' && type.includes('∨'));
  return unique([
    ...logic.map(({ name }) => `obtain ⟨${fresh(goal, 'x')}, ${fresh(goal, 'hx')}⟩ := ${name}`),
    ...disjunctions.map(({ name }) => `rcases ${name} with ${fresh(goal, 'hl')} | ${fresh(goal, 'hr')}`),
    ...(target.startsWith('∃') ? witnesses(locals) : []),
    ...(target.includes('∨') ? ['left', 'right'] : []),
    'constructor',
    ...(/ = /.test(target)
      ? [`funext ${fresh(goal, 'x')}`, `ext ${fresh(goal, 'x')}`, 'congr 1', 'symm']
      : []),
    ...locals.filter(({ shape }) => shape === 'function').map(({ name }) => `apply ${name}`),
    ...facts.constructors.slice(0, 8).map((name) => `apply ${name}`),
    ...facts.lemmas.slice(0, 6).map((name) => `apply ${name}`),
    ...(target === 'False' ? [] : ['exfalso']),
    'apply propext',
    'refine Classical.byContradiction (fun hn => ?_)',
  ]);
};

/** Make the goal simpler with what is known, and leave the rest to others. */
export const simplifyMoves: Moves = (_goal, facts) => {
  const definitions = list(facts.definitions);
  const both = list([...facts.definitions, ...facts.lemmas]);
  return unique([
    `simp${definitions}`,
    `simp_all${definitions}`,
    `simp${both}`,
    `simp_all${both}`,
    `simp at *`,
    ...(facts.definitions.length > 0
      ? [`unfold ${facts.definitions.slice(0, 2).join(' ')}`, `simp only${definitions}`]
      : []),
    ...facts.lemmas.slice(0, 6).flatMap((name) => [`rw [${name}]`, `rw [← ${name}]`]),
    'subst_vars',
  ]);
};

/** Names for what has none: tactics cannot speak of `x✝`. */
export function namingMove(goal: Goal): string | undefined {
  const nameless = goal.hypotheses.filter(({ name }) => name.endsWith('✝'));
  if (nameless.length === 0) return undefined;
  const used = new Set(goal.hypotheses.map(({ name }) => name));
  const names: string[] = [];
  for (const { name } of nameless) {
    const stem = name.replaceAll('✝', '').replace(/[^\p{L}\p{N}_]/gu, '') || 'x';
    let candidate = stem;
    for (let suffix = 1; used.has(candidate); suffix++) candidate = `${stem}_${suffix}`;
    used.add(candidate);
    names.push(candidate);
  }
  return `rename_i ${names.join(' ')}`;
}

/** A name that no hypothesis has. */
export function fresh(goal: Goal, stem: string): string {
  const used = new Set(goal.hypotheses.map(({ name }) => name));
  for (let suffix = 0; ; suffix++) {
    const name = suffix === 0 ? stem : `${stem}${suffix}`;
    if (!used.has(name)) return name;
  }
}

/** The functions of the preamble that the goal applies, as they are printed. */
function applications(goal: Goal, facts: Facts): string[] {
  const texts = [goal.target, ...goal.hypotheses.map(({ type }) => type)];
  return facts.definitions.filter((name) => {
    const last = name.split('.').at(-1) ?? name;
    return texts.some((text) => mentions(text, last));
  });
}

/** Applications to variables alone, written out: where a function is applied in several ways, its name does not say which. */
function applied(goal: Goal, facts: Facts, locals: readonly Local[]): string[] {
  const values = new Set(locals.map(({ name }) => name));
  return applications(goal, facts).flatMap((name) => {
    const last = name.split('.').at(-1) ?? name;
    const pattern = new RegExp(
      String.raw`(?<![\p{L}\p{N}_])${escaped(last)}((?: [\p{L}\p{N}_'₀-₉]+)+)`,
      'gu',
    );
    const calls = [...goal.target.matchAll(pattern)].map(([, some = '']) => some.trim().split(' '));
    return calls
      .filter((some) => some.every((value) => values.has(value)))
      .map((some) => `${name} ${some.join(' ')}`);
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Other values that an induction may vary; what its own type mentions must stay. */
function generalisable(local: Local, locals: readonly Local[]): string[] {
  return locals
    .filter(
      ({ name, shape }) =>
        name !== local.name &&
        (shape === 'data' ||
          shape === 'other' ||
          shape === 'predicate' ||
          shape === 'order' ||
          shape === 'equation') &&
        !mentions(local.type, name),
    )
    .map(({ name }) => name);
}

function propositions(locals: readonly Local[]): string[] {
  return locals.filter(({ type }) => type === 'Prop').map(({ name }) => name);
}

/** What an `if` asks, as far as it is printed without brackets that do not match. */
function conditions({ target, hypotheses }: Goal): string[] {
  const texts = [target, ...hypotheses.map(({ type }) => type)];
  return unique(
    texts.flatMap((text) =>
      [...text.matchAll(/\bif (?:\w+ : )?((?:(?!\bif\b).)*?) then\b/g)].map(([, found = '']) => found),
    ),
  ).slice(0, 4);
}

function witnesses(locals: readonly Local[]): string[] {
  const values = locals.filter(({ shape }) => shape === 'data' || shape === 'other').map(({ name }) => name);
  return [...values, '0', '1', '[]', 'none', 'true', 'false', '_'].map((value) =>
    value === '_' ? 'exact ⟨_, rfl⟩' : `refine ⟨${value}, ?_⟩`,
  );
}

function interleave(first: readonly string[], second: readonly string[]): string[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((text) => text !== undefined);
}
