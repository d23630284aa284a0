import type { Goal } from '../base/protocol.ts';
import { list, unique } from './closers.ts';
import type { Facts } from '../premises/facts.ts';
import { isInductive, isInversion, isProof, isSplit, localsOf, mentions, type Local } from './shapes.ts';
import { outermost, sidesOf } from './terms.ts';

/**
 * Steps that change a goal without finishing it. A move may fail; it is only a proposal made from what the goal looks like
 * when it is printed.
 */
export type Moves = (goal: Goal, facts: Facts) => string[];

/** Changes whenever the lists below do. */
export const movesVersion = 6;

/** Name what `intro` brings; the longest that works is the one to continue with. */
export function introductions(goal: Goal): string[] {
  const used = new Set(goal.hypotheses.map(({ name }) => name));
  const free = ['h', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'h7', 'h8'].filter((name) => !used.has(name));
  return [6, 5, 4, 3, 2, 1].map((count) => `intro ${free.slice(0, count).join(' ')}`);
}

/** Everything that a split can start from: values, disjunctions, conditions in the goal. */
export const caseMoves: Moves = (goal, facts) => {
  const locals = localsOf(goal);
  // a split of what an induction splits too comes last
  const inGoal = (local: Local): number =>
    isInversion(local) ? 0 : (mentions(goal.target, local.name) ? 1 : 2) + (isInductive(local) ? 2 : 0);
  const splittable = locals
    .filter((local) => isSplit(local) || local.shape === 'predicate' || local.shape === 'logic')
    .sort((first, second) => inGoal(first) - inGoal(second));
  const values = splittable.filter(({ shape }) => shape === 'data').map(({ name }) => name);
  return unique([
    // where someone stated an own principle, it is there to be used
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

/** Take the goal apart by its outermost form, or go back through a lemma, a constructor or a hypothesis. */
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

/** A predicate that is defined by `∀` or `→` hides what `intro` finds. */
function unfoldsToQuantifier({ target_kind: kind }: Goal): boolean {
  return kind === 'claim';
}

/** The rules that derive what the goal wants; where it is headed by something else, the first few of all. */
function rulesFor({ target_head: head }: Goal, { constructors, predicates }: Facts): string[] {
  if (head === undefined || !predicates.includes(head)) return constructors.slice(0, 8);
  return constructors.filter((rule) => rule.startsWith(`${head}.`)).slice(0, 10);
}

/** `∃ x, p` or `p ∧ q`: one case only. */
export function isConjunction({ head }: Local): boolean {
  return head === 'Exists' || head === 'And';
}

/** Make the goal simpler with what is known, and leave the rest to others. */
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

/** Names for what has none: tactics cannot refer to `x✝`. */
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
export function applications(goal: Goal, facts: Facts): string[] {
  const texts = [goal.target, ...goal.hypotheses.map(({ type }) => type)];
  return facts.definitions.filter((name) => {
    const last = name.split('.').at(-1) ?? name;
    return texts.some((text) => mentions(text, last));
  });
}

/** What may be asked before one goes on: conditions, propositions, what an implication waits for, whether two values are one. */
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

/** What an `if` asks, as far as it is printed without brackets that do not match. */
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

/** All parts of `∃ x y, A ∧ B` at once: what is known decides what the witnesses are. */
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
