import type { LemmaShelf, ProvedLemma } from '../../core/scheduler/domain.ts';
import { environmentKey, environmentOf } from '../project/environment.ts';
import { sha256 } from '../../core/sha256.ts';
import type { LeanGoal } from '../goals/goal.ts';
import { isSameText } from './similarity.ts';
import { PremiseDeclarations } from './declarations.ts';

/** A longer context makes every closer slower. */
const mostLent = 4;
/** This share of a lemma's symbols must occur in the goal or in the definitions that the goal uses. */
const leastShared = 0.75;
/** The oldest are dropped first. */
const mostKept = 5000;

interface Finished extends ProvedLemma {
  readonly goal: LeanGoal;
  readonly words: ReadonlySet<string>;
}

/**
 * Completed lemmas, one list per environment. A goal gets those that depend on nothing beyond its own preamble
 * and that share symbols with it. They are in no module, so a proof that uses one includes its proof.
 */
export class FinishedLemmas implements LemmaShelf<LeanGoal> {
  readonly #shelves = new Map<string, Finished[]>();

  add(goal: LeanGoal, proof: string): void {
    const { statement, preamble } = goal;
    // a section's variables cannot be stated inside a proof
    if (!/^\s*(?:theorem|lemma)\s/.test(statement) || /^\s*variable\b/m.test(preamble)) return;
    const shelf = this.#shelves.get(keyOf(goal)) ?? [];
    this.#shelves.set(keyOf(goal), shelf);
    if (shelf.some((one) => one.goal.preamble === preamble && isSameText(one.statement, statement))) return;
    shelf.push({ goal, statement: renamed(statement), proof, words: telling(statement) });
    if (shelf.length > mostKept) shelf.shift();
  }

  find(goal: LeanGoal): readonly ProvedLemma[] {
    const shelf = this.#shelves.get(keyOf(goal)) ?? [];
    // on a tie, the one stated closer to the goal
    const usable = shelf
      .filter((one) => isUsable(one.goal, goal))
      .sort((first, second) => second.goal.preamble.length - first.goal.preamble.length);
    if (usable.length === 0) return [];
    const counts = new Map<string, number>();
    for (const { words } of usable) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    // common symbols get a low weight, as for the library
    const weight = (word: string): number => Math.log1p(usable.length / (counts.get(word) ?? 1));
    const sum = (words: readonly string[]): number => words.reduce((all, word) => all + weight(word), 0);
    const wanted = reachOf(goal);
    const claimsExistence = /[∃¬≠]|\bFalse\b/u.test(goal.statement);
    return (
      usable
        .map((one) => {
          const shared = sum([...one.words].filter((word) => wanted.has(word)));
          return { one, shared, share: shared / sum([...one.words]) };
        })
        .filter(({ shared, share }) => shared > 0 && share >= leastShared)
        // a lemma whose conclusion is a negation
        .filter(({ one }) => claimsExistence || !/^\s*theorem\s+\S+ : ¬/.test(one.statement))
        .sort((first, second) => second.share - first.share || second.shared - first.shared)
        .slice(0, mostLent)
        .map(({ one: { statement, proof } }) => ({ statement, proof }))
    );
  }
}

function keyOf({ environment, preamble }: LeanGoal): string {
  return environmentKey(environment ?? environmentOf(preamble));
}

/**
 * Whether all dependencies of the lemma also precede the goal, and the goal may use all axioms that the lemma
 * may use.
 */
function isUsable(lemma: LeanGoal, goal: LeanGoal): boolean {
  return (
    goal.preamble.trim().startsWith(lemma.preamble.trim()) &&
    lemma.allowAxioms.every((axiom) => goal.allowAxioms.includes(axiom))
  );
}

/** With an unused name: many goals are called `t`, and `have` does not accept dots. */
function renamed(statement: string): string {
  return statement.replace(/^\s*(?:theorem|lemma)\s+([^\s:({[⦃]+)/, (_, name: string) => {
    const plain = name.replaceAll(/[^\p{L}\p{N}_']/gu, '_');
    return `theorem ${plain}_${sha256(statement).slice(0, 6)}`;
  });
}

/** The symbols of the goal and of the preamble's definitions that it uses. */
function reachOf({ statement, preamble }: LeanGoal): ReadonlySet<string> {
  const own = telling(statement);
  const bodies = new PremiseDeclarations(preamble).bodiesUnder([...own]);
  return new Set([...own, ...bodies.flatMap((body) => [...telling(body)])]);
}

/** Names and operators; a user's own notation is as informative as the predicate behind it. */
const word = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*|[^\p{L}\p{N}\s_'"`.,;()[\]{}⟨⟩⦃⦄]+/gu;
/** Words that are in every statement, or that are names of variables. */
const silent =
  /^(?::=?|=|≠|→|↦|=>|∀|∃|¬|∧|∨|↔|\||theorem|lemma|def|fun|by|with|match|if|then|else|let|in|Type|Prop|Sort|Nat|Int|List|Bool|α|β|γ|\p{Ll}{1,2}['₀-₉\d]*)$/u;

/** The significant words of a text; for `xs.length` it is `length`. */
function telling(text: string): ReadonlySet<string> {
  const words = text.replace(/^\s*(?:theorem|lemma)\s+\S+/, '').match(word) ?? [];
  return new Set(words.filter((one) => !silent.test(one)));
}
