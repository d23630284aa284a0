import type { Premise } from '../../../store/premises/premise.ts';
import { withPremises } from '../../premises/facts.ts';
import { withUsable } from '../../search/usable-premises.ts';
import type { Bench } from '../../search/bench.ts';
import { closers, type Tier } from '../../search/closers.ts';
import { finish } from '../../search/finish.ts';
import type { WorkState } from '../../workbench/workbench.ts';
import { counterExample, falseFor } from './counter-example.ts';
import { lemmaFor, type HoleLemma } from './hole-lemma.ts';
import type { Plan, PlanStep } from './plan.ts';

/** The outcome of a claim, or of the final goal. */
export type Fate =
  | { readonly kind: 'closed'; readonly tactic: string }
  /** Plausible, but nothing cheap proves it: a goal for other strategies. */
  | { readonly kind: 'open'; readonly lemma: HoleLemma }
  /** Lean cannot parse it, or it adds nothing; `words` is the message. */
  | { readonly kind: 'dropped'; readonly words: string }
  | { readonly kind: 'refuted'; readonly words: string };

export interface Walk {
  readonly plan: Plan;
  /** The opening as run; empty if there was none or it failed. */
  readonly opening: string;
  /** Why the opening was left out. */
  readonly openingWords: string | undefined;
  readonly steps: readonly { readonly step: PlanStep; readonly fate: Fate }[];
  readonly end: Fate;
  /** The closed state of the hole, if everything was closed. */
  readonly closed: WorkState | undefined;
}

const readHeartbeats = 4000;
const closingTiers = 2;

/**
 * Checks a plan in Lean: every claim is elaborated as `have … := sorry`; claims that Lean cannot parse or that small values
 * contradict are dropped. The others are closed by the plan's own tactics or by plain closers, or stay open as later goals.
 *
 *     goals: [main] ──have c := by …──▶ [main with c]
 *                └── nothing closes it: have c := ?_ ──▶ [main with c, …, c]
 */
export async function walkPlan(given: Bench, root: WorkState, plan: Plan): Promise<Walk> {
  const bench = await withLemmas(given, root, plan);
  const opened = plan.opening === '' ? undefined : await step(bench, root, plan.opening);
  let state = opened?.state ?? root;
  const steps: { step: PlanStep; fate: Fate }[] = [];
  for (const one of plan.steps) {
    const { fate, next } = await claim(bench, state, one);
    steps.push({ step: one, fate });
    state = next;
  }
  const end = await ending(bench, state, plan);
  return {
    plan,
    opening: opened?.state ? plan.opening : '',
    openingWords: opened?.words,
    steps,
    end: end.fate,
    closed: end.closed,
  };
}

async function claim(
  bench: Bench,
  state: WorkState,
  one: PlanStep,
): Promise<{ fate: Fate; next: WorkState }> {
  const stated = `have ${one.name} : (${one.claim} : Prop)`;
  const read = await step(bench, state, `${stated} := sorry`);
  const dropped = (words: string) => ({ fate: { kind: 'dropped', words }, next: state }) as const;
  if (!read.state) return dropped(read.words);
  const [main] = state.goals;
  const type = read.state.goals[0]?.hypotheses.find(({ name }) => name === one.name)?.type;
  const known = [main?.target, ...(main?.hypotheses ?? []).map((given) => given.type)];
  if (!main || known.includes(type)) return dropped('this adds nothing to the context');
  for (const { heartbeats, tactics } of tiersOf(bench, one.tactics))
    for (const tactic of tactics) {
      const proved = await step(bench, state, `${stated} := by\n  ${indented(tactic)}`, heartbeats);
      if (proved.state) return { fate: { kind: 'closed', tactic }, next: proved.state };
    }
  const lemma = lemmaFor(main, one.claim, one.name);
  if (!lemma) return dropped('this cannot be stated as a separate lemma');
  const looked = await counterExample(bench, lemma);
  if (looked.kind === 'unreadable') return dropped(looked.words);
  if (looked.kind === 'false') return { fate: { kind: 'refuted', words: looked.words }, next: state };
  const { state: behind, words } = await step(bench, state, `${stated} := ?_`);
  return behind ? { fate: { kind: 'open', lemma }, next: behind } : dropped(words);
}

/** Closes the goal itself, with the remaining claims as hypotheses. */
async function ending(
  bench: Bench,
  state: WorkState,
  { finish: tactics }: Plan,
): Promise<{ fate: Fate; closed: WorkState | undefined }> {
  const closed = await finish(bench, state, tiersOf(bench, tactics));
  if (closed) {
    const fate = { kind: 'closed', tactic: closed.tactics.at(-1) ?? '' } as const;
    return { fate, closed: closed.closed ? closed : undefined };
  }
  const [main] = state.goals;
  const lemma = main && lemmaFor(main, main.target);
  const fate: Fate = lemma
    ? { kind: 'open', lemma }
    : { kind: 'dropped', words: 'the remaining goal cannot be stated as a separate lemma' };
  return { fate, closed: undefined };
}

/** The proposed tactics, then the most successful closers. */
function tiersOf({ account, facts }: Bench, tactics: readonly string[]): Tier[] {
  return [{ heartbeats: account.limits.heartbeats, tactics }, ...closers(facts).slice(0, closingTiers)];
}

function indented(tactic: string): string {
  return tactic.replaceAll('\n', '\n  ');
}

async function step(
  { workbench, account }: Bench,
  from: WorkState,
  tactic: string,
  heartbeats = readHeartbeats,
): Promise<{ readonly state: WorkState | undefined; readonly words: string }> {
  const limits = { heartbeats, until: 'end' } as const;
  const [answer] = await workbench.run(from, [tactic], account, limits);
  if (answer?.kind === 'state') return { state: answer.state, words: '' };
  return {
    state: undefined,
    words: answer?.failure.message ?? 'the time limit was reached before it was checked',
  };
}

/** The lemmas that the plan names, if they exist, in addition to those of the preamble. */
async function withLemmas(bench: Bench, root: WorkState, { lemmas }: Plan): Promise<Bench> {
  if (lemmas.length === 0) return bench;
  const { workbench, account } = bench;
  const probes = lemmas.map((name) => `have _known := @${name}`);
  const limits = { heartbeats: 400, until: 'end' } as const;
  const answers = await workbench.run(root, probes, account, limits);
  const known = lemmas.filter((_, index) => answers[index]?.kind === 'state');
  if (known.length === 0) return bench;
  const found = known.map((name): Premise => ({ name, kind: 'theorem', module: '', symbols: [] }));
  return { ...bench, facts: await withUsable(bench, withPremises(bench.facts, found)) };
}

/** A walk whose claims include lemmas that turned out to be false since. */
export function withoutFalse(walk: Walk, counterexampleTo: (statement: string) => string | undefined): Walk {
  const again = (fate: Fate): Fate => {
    const found = fate.kind === 'open' ? counterexampleTo(fate.lemma.statement) : undefined;
    return found === undefined ? fate : { kind: 'refuted', words: falseFor(found) };
  };
  const steps = walk.steps.map(({ step: one, fate }) => ({ step: one, fate: again(fate) }));
  return { ...walk, steps, end: again(walk.end) };
}

/** The holes that remain after a walk. */
export function openHoles({ steps, end }: Walk): { readonly name: string; readonly lemma: HoleLemma }[] {
  const all = [...steps.map(({ step: { name }, fate }) => ({ name, fate })), { name: 'the end', fate: end }];
  return all.flatMap(({ name, fate }) => (fate.kind === 'open' ? [{ name, lemma: fate.lemma }] : []));
}
