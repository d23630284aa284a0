import type { Goal, Hypothesis } from '../../base/protocol.ts';
import type { WorkState } from '../../workbench/workbench.ts';
import { lemmaName } from '../../base/lemma-name.ts';
import { flat, replaced, step, writtenOutline, type Case, type Outline, type Step } from './outline.ts';

type Around = (one: Step) => readonly [before: WorkState, after: WorkState] | undefined;

/** Tactics that split a goal into named cases. */
const splits = /^(?:induction|cases|fun_induction|fun_cases)\b(?!.*\bwith\b)(?!.*<;>)/s;
/** Tactics that only use hypotheses given by name. */
const needsNothing = /^(?:rfl|decide|d?simp(?: only)?(?: \[[^\]]*\])?|exact .*|nofun|trivial)$/;

/**
 * Cases with the names of their fields, as in `induction n with`, instead of bullets and `rename_i`. The
 * plainest first.
 */
export function withNamedCases(outline: Outline, old: Step, around: Around): Outline[] | undefined {
  if (!splits.test(old.tactic) || old.cases.length < 2 || old.cases[0]?.head !== undefined) return undefined;
  const states = around(old);
  const [front] = states?.[0].goals ?? [];
  const goals = states?.[1].goals.slice(0, old.cases.length) ?? [];
  if (!front) return undefined;
  const named = (mark: Mark): Case[] | undefined => {
    const cases = goals.map((goal, index) =>
      namedCase({ front, goal, tactic: old.tactic }, old.cases[index]?.steps ?? [], mark),
    );
    return cases.includes(undefined) ? undefined : cases.filter((one) => one !== undefined);
  };
  return marks.flatMap((mark) => {
    const cases = named(mark);
    return cases ? [replaced(outline, old, [step(old.tactic, cases)])] : [];
  });
}

/** An implicit field has no name unless the constructor is written with `@`; most come first. */
const marks = ['all', 'explicit', '@'] as const;
type Mark = (typeof marks)[number];

/** A case, the goal that was split, and the tactic that split it. */
interface Split {
  readonly front: Goal;
  readonly goal: Goal;
  readonly tactic: string;
}

function namedCase(split: Split, steps: Outline, mark: Mark): Case | undefined {
  const label = split.goal.case?.split('.').at(-1);
  if (label === undefined || label === '') return undefined;
  const { names, rest } = namesOf(split, steps, mark === 'explicit');
  const head = names.length === 0 ? label : `${mark === '@' ? '@' : ''}${label} ${names.join(' ')}`;
  return { head, steps: rest };
}

/**
 * The names of hypotheses that the case adds to the goal, and the steps without the `rename_i` that named some
 * of them.
 */
function namesOf(
  { front, goal, tactic }: Split,
  steps: Outline,
  isExplicit: boolean,
): { names: string[]; rest: Outline } {
  const fresh = fieldsOf(front, goal);
  const whole = wholeOf(front, tactic);
  const [naming, ...others] = steps;
  const given = /^rename_i (.*)$/.exec(naming?.tactic ?? '')?.[1]?.split(' ') ?? [];
  const nameless = goal.hypotheses.filter(isNameless);
  const renamed = nameless.slice(nameless.length - given.length);
  // the names are not for these fields: keep the step
  const isAll = given.length > 0 && renamed.every((one) => fresh.includes(one));
  const rest = isAll ? others : steps;
  const text = flat(rest)
    .map((one) => one.tactic)
    .join('\n');
  const isPlain = flat(rest).every((one) => one.cases.length > 0 || needsNothing.test(one.tactic));
  const taken = new Set(goal.hypotheses.map(({ name }) => name));
  const named = fresh.map((one) => {
    const name = isAll ? given[renamed.indexOf(one)] : undefined;
    const isSaid = name !== undefined && mentions(text, name);
    const chosen = isSaid ? name : nameFor(one, { fresh, whole, taken });
    taken.add(chosen);
    return { name: chosen, isImplicit: isExplicit && !isSaid && !isClaim(one) };
  });
  const first = named.findIndex(({ isImplicit }) => !isImplicit);
  const names = first < 0 ? [] : named.slice(first).map(({ name }) => name);
  const isUsed = (name: string): boolean => !isPlain || mentions(text, name);
  const last = names.findLastIndex(isUsed);
  return { names: names.slice(0, last + 1).map((name) => (isUsed(name) ? name : '_')), rest };
}

function isClaim({ kind = 'other' }: Hypothesis): boolean {
  return !['data', 'structure', 'sort', 'function', 'other'].includes(kind);
}

/** New hypotheses without a name, in order. */
function fieldsOf(front: Goal, goal: Goal): Hypothesis[] {
  const before = front.hypotheses.filter(isNameless).length;
  return goal.hypotheses.filter(isNameless).slice(before);
}

function isNameless({ name }: Hypothesis): boolean {
  return name.endsWith('✝');
}

/** The value being split. */
function wholeOf(front: Goal, tactic: string): Hypothesis | undefined {
  const [, name] = /^(?:induction|cases) (\S+)/.exec(tactic) ?? [];
  return front.hypotheses.find((one) => one.name === name);
}

interface Naming {
  readonly fresh: readonly Hypothesis[];
  readonly whole: Hypothesis | undefined;
  readonly taken: ReadonlySet<string>;
}

/** Conventional names: a smaller part gets the name of the whole, the head of `xs` is `x`, then `ih`; otherwise Lean's name. */
function nameFor(one: Hypothesis, { fresh, whole, taken }: Naming): string {
  const said = saidBy(one);
  const hasHypothesis = fresh.some((other) => saidBy(other).endsWith('_ih'));
  const stem = ((): string => {
    if (saidBy(one).endsWith('_ih') || /^ih\d*$/.test(said)) return 'ih';
    // an induction over numbers calls its hypothesis `a`
    if (said === 'a' && isClaim(one)) return hasHypothesis || whole?.kind !== 'data' ? 'h' : 'ih';
    if (whole && !isClaim(one) && fresh.filter(({ type }) => type === whole.type).length === 1) {
      if (one.type === whole.type) return whole.name;
      if (said === 'head' && /^\p{L}s$/u.test(whole.name)) return whole.name.slice(0, -1);
    }
    return said === '' || said === 'a' ? 'x' : said;
  })();
  for (let suffix = 0; ; suffix++) {
    const candidate = suffix === 0 ? stem : `${stem}${suffix}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function saidBy({ name }: Hypothesis): string {
  return name.replaceAll('✝', '').replaceAll(/[^\p{L}\p{N}_']/gu, '');
}

function mentions(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_'✝]+/u).includes(name);
}

/** `cases h` and the `rename_i` after it, if one case is left: `obtain ⟨…⟩ := h`, or the case with its names. */
export function withPatterns(outline: Outline, old: Step, around: Around): Outline[] | undefined {
  const hypothesis = /^cases ([^\s:]+)$/.exec(old.tactic)?.[1];
  const below = followersOf(outline, old);
  const [next] = below;
  const given = /^rename_i (.*)$/.exec(next?.tactic ?? '')?.[1]?.split(' ');
  const states = around(old);
  const [front] = states?.[0].goals ?? [];
  const [goal] = states?.[1].goals ?? [];
  if (hypothesis === undefined || !given || !next || !front || !goal || old.cases.length > 0)
    return undefined;
  const fields = fieldsOf(front, goal).length;
  if (given.length > fields) return undefined;
  const names = [...Array.from({ length: fields - given.length }, () => '_'), ...given];
  const obtain = step(`obtain ⟨${names.join(', ')}⟩ := ${hypothesis}`);
  const without = below.reduce((rest, one) => replaced(rest, one, []), outline);
  const named = marks.flatMap((mark) => {
    const one = namedCase({ front, goal, tactic: old.tactic }, below, mark);
    return one ? [replaced(without, old, [step(old.tactic, [one])])] : [];
  });
  return [replaced(replaced(outline, next, []), old, [obtain]), ...named];
}

/** The steps after one in its block. */
function followersOf(outline: Outline, one: Step): Outline {
  const place = outline.indexOf(one);
  if (place >= 0) return outline.slice(place + 1);
  return outline.flatMap(({ cases }) => cases.flatMap(({ steps }) => followersOf(steps, one)));
}

/**
 * `have key : S := ?_` and its two blocks as a fact with its proof, then the steps that use it. The fact is named by its statement.
 * Which block proves it is for Lean to say, unless one alone mentions it; `isLate`: Lean cannot be asked.
 */
export function withProvedFacts(outline: Outline, old: Step, isLate: boolean): Outline[] | undefined {
  const [, name = '', type = ''] =
    /^have ([\p{L}_][\p{L}\p{N}_']*) : ([\s\S]+) := \?_$/u.exec(old.tactic) ?? [];
  const [first, second] = old.cases;
  if (name === '' || !first || !second || old.cases.length > 2 || first.head !== undefined) return undefined;
  const used = new RegExp(String.raw`(?<![\p{L}\p{N}_.'])${name}(?![\p{L}\p{N}_'])`, 'gu');
  const names = isLate ? [name] : [...new Set([lemmaName(`theorem t : ${type}`) ?? name, name])];
  // its proof cannot mention it
  const uses = ({ steps }: Case): boolean => flat(steps).some(({ tactic }) => tactic.search(used) >= 0);
  const orders = [
    [first, second],
    [second, first],
  ];
  const certain = orders.filter(([rest, proof]) => rest && proof && uses(rest) && !uses(proof));
  return (isLate || certain.length > 0 ? certain : orders).flatMap(([rest, proof]) =>
    names.map((better) => {
      const lines = writtenOutline(proof?.steps ?? [], 2).split('\n');
      const fact = [`have ${better} : ${type} := by`, ...lines.map((line) => `  ${line}`)].join('\n');
      const renamed = (steps: Outline): Outline =>
        steps.map(({ tactic, cases }) =>
          step(
            tactic.replaceAll(used, () => better),
            cases.map((one) => ({ ...one, steps: renamed(one.steps) })),
          ),
        );
      return replaced(outline, old, [step(fact), ...renamed(rest?.steps ?? [])]);
    }),
  );
}
