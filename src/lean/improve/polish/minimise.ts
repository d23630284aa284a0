// Over 300 lines: a sequence of passes over the same outline of a proof.
import type { AttemptRun } from '../../../core/strategy.ts';
import { suggestionsOf } from '../../base/suggestions.ts';
import { premisesIn, type Candidate } from '../../workbench/candidate.ts';
import { WorkAccount } from '../../workbench/account.ts';
import type { WorkState, Workbench } from '../../workbench/workbench.ts';
import {
  bare,
  cutAt,
  flat,
  outlineOf,
  replaced,
  runnable,
  step,
  writtenOutline,
  type Outline,
  type Step,
} from './outline.ts';
import { plainest, withFewerNames } from './plain.ts';
import { withNamedCases, withPatterns, withProvedFacts } from './structure.ts';

export interface Minimised {
  readonly candidate: Candidate;
  readonly cpuSeconds: number;
  readonly workSeconds: number;
  readonly peakBytes: number;
}

/**
 * A script as a maintainer would write it:
 *
 * - no unneeded step, name or alternative of a `first`, and no long name if a short one works;
 * - one closer in place of a case of several steps, and the plainest that works: `omega` in place of `simp_all [f, g]`;
 * - a fact with its proof, `have f : S := by …`, named by its statement, in place of `?_` and bullets;
 * - cases with the same ending are one line with `<;>`, others get field names: `induction n with | …`;
 * - a non-final `simp` becomes `simp only […]` if the list is short, so that later steps survive library changes.
 *
 * Each change is kept only if Lean still closes the hole. The answer is again only a candidate: the caller asks the gate, and
 * keeps the original when the gate rejects the smaller one. When the budget is used up, earlier changes are kept.
 */
export async function minimise(
  workbench: Workbench,
  candidate: Candidate,
  run: AttemptRun,
): Promise<Minimised> {
  const account = new WorkAccount(run);
  const scripts: string[] = [];
  for (const { hole, script } of workbench.scripts())
    scripts.push(await new Editor(workbench, hole, account).edit(script));
  const { cpuSeconds, workSeconds, peakBytes } = account;
  const proof = workbench.assemble(scripts);
  const isSame = proof === candidate.proof;
  return {
    candidate: isSame ? candidate : { proof, premises: premisesIn(proof, workbench) },
    cpuSeconds,
    workSeconds,
    peakBytes,
  };
}

/** A longer list of names is harder to read than `simp`. */
const mostNames = 6;
/** Number of common endings tried for the cases of a step. */
const mostEndings = 4;
/** Steps that are worth a try with one closer. */
const longCase = 3;
const caseClosers = ['simp_all', 'grind'];
const caseHeartbeats = 300;
const isCloser = (tactic: string): boolean =>
  /^(?:rfl|omega|simp|simp_all|grind|decide|assumption|contradiction|nofun|exact rfl)\b(?!.*(?:;| at ))/s.test(
    tactic,
  );

/** The script of one hole, and how it changes. */
class Editor {
  readonly #workbench: Workbench;
  readonly #hole: number;
  readonly #account: WorkAccount;

  constructor(workbench: Workbench, hole: number, account: WorkAccount) {
    this.#workbench = workbench;
    this.#hole = hole;
    this.#account = account;
  }

  async edit(script: string): Promise<string> {
    let outline = outlineOf(script);
    // scripts that cannot be run step by step stay unchanged
    if (!(await this.#holds(outline))) return script;
    const shortened = this.#withShortNames(outline);
    if (await this.#holds(shortened)) outline = shortened;
    outline = await this.#withoutIdleFacts(outline);
    outline = await this.#withSingleSteps(outline);
    outline = await this.#withClosedCases(outline);
    outline = await this.#withCommonEndings(outline);
    outline = await this.#withoutIdleSteps(outline);
    outline = await this.#withPlainSteps(outline);
    outline = await this.#withCommonEndings(outline);
    outline = await this.#withoutIdleSteps(outline);
    for (const structure of [withPatterns, withNamedCases])
      for (const old of flat(outline)) {
        const states = await this.#replay(outline);
        if (!states) break;
        const changed = structure(outline, old, (one) => statesAround(outline, states, one));
        if (changed) outline = await this.#firstThatHolds(outline, changed);
      }
    outline = await this.#withJoinedIntroductions(outline);
    // inner facts first: a fact is one step with the lines of its proof
    for (const old of flat(outline).toReversed()) {
      const isLate = this.#account.stopped !== undefined;
      const changed = withProvedFacts(outline, old, isLate);
      if (changed) outline = isLate ? (changed[0] ?? outline) : await this.#firstThatHolds(outline, changed);
    }
    return writtenOutline(outline);
  }

  async #withJoinedIntroductions(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline).toReversed()) {
      const all = flat(kept);
      const next = all[all.indexOf(old) + 1];
      if (!all.includes(old) || !next?.tactic.startsWith('intro ') || !old.tactic.startsWith('intro '))
        continue;
      const joined = step(old.tactic + next.tactic.slice('intro'.length), next.cases);
      kept = await this.#firstThatHolds(kept, [replaced(replaced(kept, next, []), old, [joined])]);
    }
    return kept;
  }

  /** Names of the preamble without the namespaces that are open at the goal. */
  #withShortNames(outline: Outline): Outline {
    const { own, goal } = this.#workbench;
    const open = openNamespaces(goal.preamble);
    const names = own.map(({ name }) => name);
    const prefixes = open
      .map((name) => `${name}.`)
      .filter((prefix) => names.some((name) => name.startsWith(prefix)));
    const short = (text: string): string =>
      prefixes.reduce(
        (rest, prefix) => rest.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_.'])${escaped(prefix)}`, 'gu'), ''),
        text,
      );
    const all = (some: Outline): Outline =>
      some.map(({ tactic, cases }) =>
        step(
          short(tactic),
          cases.map((one) => ({ ...one, steps: all(one.steps) })),
        ),
      );
    return prefixes.length === 0 ? outline : all(outline);
  }

  /** Splits bracketed steps and removes clean-up tactics; after a `<;>`, one choice for all cases, or one per case. */
  async #withSingleSteps(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline)) {
      const states = await this.#replay(kept);
      if (!states) return kept;
      const before = statesAround(kept, states, old)?.[0];
      if (!before) continue;
      const inside = bare(old.tactic);
      const lines = outlineOf(inside.replaceAll('\n ', '\n'));
      if (inside !== old.tactic && lines.length > 1 && old.cases.length === 0) {
        kept = await this.#firstThatHolds(kept, [replaced(kept, old, lines)]);
        continue;
      }
      const parts = cutAt(inside, '; ');
      const last = cutAt(bare(parts.at(-1) ?? ''), '<;>');
      const first = parts.slice(0, -1).map((part) => step(part));
      const [move = '', ...behind] = last.filter((part) => !/^\(try clear [^)]*\)$/.test(part));
      const simpler = [...first, step([move, ...behind].join(' <;> '), old.cases)];
      const ways: (readonly Step[])[] = [];
      const choices = behind.length === 1 ? choicesIn(behind[0] ?? '') : [];
      ways.push(...choices.map((choice) => [...first, step(`${move} <;> ${choice}`)]));
      if (choices.length > 0) {
        const each = await this.#caseByCase(before, first, move, choices);
        if (each) ways.push(each);
      }
      if (simpler.length > 1 || simpler[0]?.tactic !== old.tactic) ways.push(simpler);
      kept = await this.#firstThatHolds(
        kept,
        ways.map((way) => replaced(kept, old, way)),
      );
    }
    return kept;
  }

  /** Closes each case of a step by the first choice that works. */
  async #caseByCase(
    before: WorkState,
    first: readonly Step[],
    move: string,
    choices: readonly string[],
  ): Promise<Step[] | undefined> {
    let state = before;
    for (const tactic of [...first.map((one) => one.tactic), move]) {
      const [answer] = await this.#run(state, [tactic]);
      if (answer?.kind !== 'state') return undefined;
      ({ state } = answer);
    }
    const cases = [];
    const left = state.goals.length - before.goals.length + 1;
    for (let index = 0; index < left; index++) {
      const answers = await this.#run(state, choices, 'fewer-goals');
      const place = answers.findIndex(
        (answer) => answer.kind === 'state' && answer.state.goals.length < state.goals.length,
      );
      const found = answers[place];
      if (found?.kind !== 'state') return undefined;
      ({ state } = found);
      cases.push({ steps: [step(choices[place] ?? '')] });
    }
    return [...first, step(move, cases)];
  }

  /** Removes `have key : S := ?_` and the proof of `S` if the other block needs no `key`. */
  async #withoutIdleFacts(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline))
      if (/^have .* := \?_$/s.test(old.tactic) && old.cases.length === 2 && flat(kept).includes(old)) {
        const ways = old.cases.map(({ steps }) => replaced(kept, old, steps));
        kept = await this.#firstThatHolds(kept, ways);
      }
    return kept;
  }

  /** From the end backwards: removing a step may make earlier ones unnecessary. */
  async #withoutIdleSteps(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline).toReversed()) {
      const states = old.cases.length === 0 ? await this.#replay(kept) : undefined;
      const [before, after] = (states && statesAround(kept, states, old)) ?? [];
      if (!before || after?.goals.length !== before.goals.length) continue;
      kept = await this.#firstThatHolds(kept, [replaced(kept, old, [])]);
    }
    return kept;
  }

  /** Replaces each closer by the plainest that works, and a non-final `simp` by `simp only`. */
  async #withPlainSteps(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline)) {
      const states = old.cases.length === 0 ? await this.#replay(kept) : undefined;
      const [before, after] = (states && statesAround(kept, states, old)) ?? [];
      if (!before || !after) continue;
      const [move = '', ...behind] = cutAt(old.tactic, '<;>');
      const texts =
        after.goals.length >= before.goals.length
          ? await this.#stableSteps(before, old.tactic)
          : behind.length === 1
            ? await this.#commonClosers(before, move, behind[0] ?? '')
            : [await plainest(this.#workbench, before, old.tactic, this.#account)];
      const others = texts.filter((text) => text !== old.tactic);
      kept = await this.#firstThatHolds(
        kept,
        others.map((text) => replaced(kept, old, [step(text)])),
      );
    }
    return kept;
  }

  /** Candidates for the tactic after a `<;>`. */
  async #commonClosers(before: WorkState, move: string, closer: string): Promise<string[]> {
    const [moved] = await this.#run(before, [move]);
    if (moved?.kind !== 'state') return [];
    const front = moved.state;
    const plain = await plainest(this.#workbench, front, closer, this.#account);
    const fewer = await withFewerNames(
      this.#workbench,
      before,
      closer,
      this.#account,
      (text) => `${move} <;> ${text}`,
    );
    return [plain, fewer].map((text) => `${move} <;> ${text}`);
  }

  async #stableSteps(before: WorkState, tactic: string): Promise<string[]> {
    const simp = /^\(?((?:d?simp|simp_all)(?! only)\b(?: \+\w+)*(?: \[[^\]]*\])?)/.exec(tactic)?.[1];
    if (simp === undefined) return [];
    const [answer] = await this.#run(before, [simp.replace(/^\w+/, (word) => `${word}?`)]);
    const said = answer?.kind === 'state' ? suggestionsOf(answer.state.messages) : [];
    return said
      .filter((only) => only.split(',').length <= mostNames)
      .map((only) => tactic.replace(simp, () => only));
  }

  /** Closes a case of several steps with one closer that needs no names, outermost first. */
  async #withClosedCases(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const { cases } of flat(outline))
      for (const { steps } of cases) {
        const [first, ...others] = steps;
        if (!first || flat(steps).length < longCase || !flat(kept).includes(first)) continue;
        const states = await this.#replay(kept);
        const [before] = (states && statesAround(kept, states, first)) ?? [];
        if (!before) continue;
        const limits = { heartbeats: caseHeartbeats, until: 'fewer-goals' } as const;
        const answers = await this.#workbench.run(before, caseClosers, this.#account, limits);
        const closer = caseClosers.find((_, index) => {
          const answer = answers[index];
          return answer?.kind === 'state' && answer.state.goals.length < before.goals.length;
        });
        if (closer === undefined) continue;
        const rest = others.reduce((some, one) => replaced(some, one, []), kept);
        kept = await this.#firstThatHolds(kept, [replaced(rest, first, [step(closer)])]);
      }
    return kept;
  }

  /** Merges cases into one line if the ending of one closes all, outermost first. */
  async #withCommonEndings(outline: Outline): Promise<Outline> {
    let kept = outline;
    for (const old of flat(outline)) {
      if (old.cases.length < 2 || !flat(kept).includes(old)) continue;
      const steps = old.cases.flatMap((one) => flat(one.steps)).filter(({ cases }) => cases.length === 0);
      const endings = [...new Set(steps.map(({ tactic }) => tactic).filter(isCloser))];
      const ways = endings.toSorted((one, two) => one.length - two.length).slice(0, mostEndings);
      kept = await this.#firstThatHolds(
        kept,
        ways.map((way) => replaced(kept, old, [step(`${old.tactic} <;> ${way}`)])),
      );
    }
    return kept;
  }

  async #firstThatHolds(kept: Outline, others: readonly Outline[]): Promise<Outline> {
    for (const other of others) if (await this.#holds(other)) return other;
    return kept;
  }

  async #holds(outline: Outline): Promise<boolean> {
    return (await this.#replay(outline)) !== undefined;
  }

  /** The states before each step and after the last; undefined if the steps do not close the hole. */
  async #replay(outline: Outline): Promise<WorkState[] | undefined> {
    const states = [this.#workbench.root(this.#hole)];
    for (const one of flat(outline)) {
      const from = states.at(-1);
      if (!from || from.closed) return undefined;
      const [answer] = await this.#run(from, [runnable(one)]);
      if (answer?.kind !== 'state') return undefined;
      states.push(answer.state);
    }
    return states.at(-1)?.closed === true ? states : undefined;
  }

  async #run(
    from: WorkState,
    tactics: readonly string[],
    until: 'end' | 'fewer-goals' = 'end',
  ): Promise<Awaited<ReturnType<Workbench['run']>>> {
    return await this.#workbench.run(from, tactics, this.#account, { until });
  }
}

/** The states before and after a single step. */
function statesAround(
  outline: Outline,
  states: readonly WorkState[],
  one: Step,
): readonly [WorkState, WorkState] | undefined {
  const place = flat(outline).indexOf(one);
  const [before, after] = [states[place], states[place + 1]];
  return place >= 0 && before && after ? [before, after] : undefined;
}

/** The alternatives of `first | a | b`. */
function choicesIn(tactic: string): string[] {
  const [word = '', ...choices] = cutAt(bare(tactic), '|');
  if (word !== 'first') return [];
  return choices
    .map((choice) => bare(choice).replace(/;\s*done$/, ''))
    .map((choice) => (choice.includes(';') ? `(${choice})` : choice));
}

/** The namespaces open at the end of a text, the longest first. */
function openNamespaces(preamble: string): string[] {
  const open: string[] = [];
  for (const [, word, name = ''] of preamble.matchAll(/^[ \t]*(namespace|end)[ \t]+(\S+)/gm)) {
    if (word === 'namespace') open.push(name);
    else if (open.at(-1) === name) open.pop();
  }
  return open.map((_, index) => open.slice(0, index + 1).join('.')).toReversed();
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
