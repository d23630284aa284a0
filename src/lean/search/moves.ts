import type { Goal } from '../base/protocol.ts';
import { list, unique } from './closers.ts';
import type { Facts } from '../premises/facts.ts';
import { isInductive, isInversion, isProof, isSplit, localsOf, mentions, type Local } from './shapes.ts';
import { outermost, sidesOf } from './terms.ts';

/**
 * Steps that change a goal without finishing it. A move may fail: it is only a proposal based on the printed goal.
 */
export type Moves = (goal: Goal, facts: Facts) => string[];

/** Changes whenever the lists below do. */
export const movesVersion = 6;

/** Names for introduced variables; the search continues with the longest list that works. */
export function introductions(goal: Goal): string[] {
  const used = new Set(goal.hypotheses.map(({ name }) => name));
  const free = ['h', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8'].filter((name) => !used.has(name));
  return [6, 5, 4, 3, 2, 1].map((count) => `intro ${free.slice(0, count).join(' ')}`);
}

/** Case splits on values, disjunctions and conditions in the goal. */
export const caseMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  // splits that an induction would also make come last
  const inGoal = (local: Local): number =>
    isInversion(local) ? 0 : (mentions(goal.target, local.name) ? 1 : 2) + (isInductive(local) ? 2 : 0);
  const splittable = locals
    .filter((local) => isSplit(local) || local.shape === 'predicate' || local.shape === 'logic')
    .sort((first, second) => inGoal(first) - inGoal(second));
  const values = splittable.filter(({ shape }) => shape === 'data').map(({ name }) => name);
  return unique([
    // a custom induction principle was stated to be used
    ...(facts.eliminators ?? []).flatMap((principle) => usingMoves(principle, values)),
    ...(goal.target_conditional === true ? ['split'] : []),
    ...locals.filter(({ conditional }) => conditional === true).map(({ name }) => `split at ${name}`),
    ...splittable.map(({ name }) => `cases ${name}`),
    ...locals
      .filter(({ shape, head }) => shape === 'equation' && head === 'Eq')
      .map(({ name }) => `cases ${name}`),
    ...locals
      .filter(({ shape, kind, head }) => shape === 'order' && (kind === 'predicate' || head === 'LE.le'))
      .map(({ name }) => `cases ${name}`),
    ...questions(goal, locals).map((question) => `by_cases ${fresh(goal, 'hc')} : ${question}`),
    ...applications(goal, facts).map((name) => `fun_cases ${name}`),
  ]);
};

function usingMoves(principle: string, values: readonly string[]): string[] {
  const pairs = values.flatMap((first) =>
    values
      .filter((second) => second !== first)
      .map((second) => `cases ${first}, ${second} using ${principle}`),
  );
  return [...values.map((value) => `cases ${value} using ${principle}`), ...pairs.slice(0, 4)];
}

/** Decomposes the goal by its outermost form, or reasons backwards with a lemma, a constructor or a hypothesis. */
export const structureMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  const { target_kind: kind, target_head: head } = goal;
  const logic = locals.filter(isConjunction);
  const disjunctions = locals.filter(({ head: its }) => its === 'Or');
  return unique([
    ...logic.map(({ name }) => `obtain ⟨${fresh(goal, 'x')}, ${fresh(goal, 'hx')}⟩ := ${name}`),
    ...disjunctions.map(({ name }) => `rcases ${name} with ${fresh(goal, 'hl')} | ${fresh(goal, 'hr')}`),
    ...(unfoldsToQuantifier(goal) ? [`intro ${fresh(goal, 'x')}`] : []),
    ...rulesFor(goal, facts).map((name) => `apply ${name}`),
    ...(head === 'Exists' ? witnesses(goal.target, locals) : []),
    ...(head === 'Or' ? ['left', 'right'] : []),
    'constructor',
    ...(kind === 'equation' && head === 'Eq'
      ? [`funext ${fresh(goal, 'x')}`, `ext ${fresh(goal, 'x')}`, 'congr 1', 'symm']
      : []),
    ...locals.filter(({ shape }) => shape === 'function').map(({ name }) => `apply ${name}`),
    ...(head === 'False' || !locals.some(({ shape }) => isProof(shape))
      ? []
      : [
          ...locals.filter(({ head: its }) => its === 'Not').map(({ name }) => `refine absurd ?_ ${name}`),
          'exfalso',
        ]),
    'refine ⟨?_, ?_⟩',
    'apply propext',
    'refine Classical.byContradiction (fun hn => ?_)',
  ]);
};

/** A predicate defined by `∀` or `→` must be unfolded before `intro`. */
function unfoldsToQuantifier({ target_kind: kind }: Goal): boolean {
  return kind === 'claim';
}

/**
 * The constructors of the goal's predicate; for a goal with another head, the first few constructors of all
 * predicates.
 */
function rulesFor({ target_head: head }: Goal, { constructors, predicates }: Facts): string[] {
  if (head === undefined || !predicates.includes(head)) return constructors.slice(0, 8);
  return constructors.filter((rule) => rule.startsWith(`${head}.`)).slice(0, 10);
}

/** `∃ x, p` or `p ∧ q`: one case only. */
export function isConjunction({ head }: Local): boolean {
  return head === 'Exists' || head === 'And';
}

/** Simplifies the goal with known facts and leaves the rest to other steps. */
export const simplifyMoves: Moves = (goal, facts) => {
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
    ...applications(goal, facts)
      .slice(0, 3)
      .map((name) => `unfold ${name}`),
    'subst_vars',
  ]);
};

/** Names unnamed hypotheses, because tactics cannot refer to `x✝`. */
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

/** The functions of the preamble in the goal, as printed. */
export function applications(goal: Goal, facts: Facts): string[] {
  const texts = [goal.target, ...goal.hypotheses.map(({ type }) => type)];
  return facts.definitions.filter((name) => {
    const last = name.split('.').at(-1) ?? name;
    return texts.some((text) => mentions(text, last));
  });
}

/** Candidates for `by_cases`: conditions, propositions, premises of implications, equality of two values. */
function questions(goal: Goal, locals: readonly Local[]): string[] {
  const propositions = locals.filter(({ type }) => type === 'Prop').map(({ name }) => name);
  const awaited = locals.flatMap(({ kind, head, type }) =>
    kind === 'quantifier' && head === '→' ? [(sidesOf(type, '→') ?? [''])[0]] : [],
  );
  const truths = locals.filter(({ head }) => head === 'Bool').map(({ name }) => `${name} = true`);
  const values = locals.filter(
    ({ shape, name }) => (shape === 'data' || shape === 'other') && mentions(goal.target, name),
  );
  const pairs = values.flatMap((first, index) =>
    values
      .slice(index + 1)
      .filter(({ type }) => type === first.type)
      .map((second) => `${first.name} = ${second.name}`),
  );
  return unique([
    ...conditions(goal),
    ...propositions,
    ...awaited.filter((text) => text !== ''),
    ...truths,
    ...pairs.slice(0, 3),
  ]);
}

/** The condition of an `if`, unless its brackets do not match. */
function conditions({ target, hypotheses }: Goal): string[] {
  const texts = [target, ...hypotheses.map(({ type }) => type)];
  return unique(
    texts.flatMap((text) =>
      [...text.matchAll(/\bif (?:\w+ : )?((?:(?!\bif\b).)*?) then\b/g)].map(([, found = '']) => found),
    ),
  ).slice(0, 4);
}

function witnesses(target: string, locals: readonly Local[]): string[] {
  const values = locals.filter(({ shape }) => shape === 'data' || shape === 'other').map(({ name }) => name);
  const found = ['exact ⟨_, rfl⟩', ...filled(target), 'refine ⟨_, ?_⟩'];
  return [
    ...found,
    ...[...values, '0', '1', '[]', 'none', 'true', 'false'].map((value) => `refine ⟨${value}, ?_⟩`),
  ];
}

/** Solves all parts of `∃ x y, A ∧ B` at once: known facts determine the witnesses. */
function filled(target: string): string[] {
  const [, names = '', rest = ''] = /^∃ ([^,]+), (.*)$/s.exec(target) ?? [];
  const witnessed = outermost(names) === '' ? 1 : names.replace(/ : .*/, '').trim().split(' ').length;
  const parts = outermost(rest).split(' ∧ ').length;
  const leaf = 'by first | assumption | rfl | omega';
  return names === '' || parts > 5
    ? []
    : [`exact ⟨${[...Array<string>(witnessed).fill('_'), ...Array<string>(parts).fill(leaf)].join(', ')}⟩`];
}

export function interleave(first: readonly string[], second: readonly string[]): string[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((text) => text !== undefined);
}
