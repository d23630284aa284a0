import { countsAsSolved } from '../shared/assurance.ts';
import type { Judgement } from '../core/verdict.ts';
import type { GoalFacts } from '../core/scheduler/domain.ts';
import type { VerdictWord } from '../shared/assurance.ts';
import type { WorkerAnswer } from '../store/queue/queue.ts';
import { claimSchema, type RemoteClaim } from './claim.ts';

/** The coordinator's side of a domain: nothing that a worker says counts before one of these has said the same. */
export interface Judges<Goal, Evidence> {
  proof(goal: Goal, proof: string, signal: AbortSignal): Promise<Judgement<Evidence>>;
  /** Whether an instance shows the goal to be false. */
  refutation(goal: Goal, instance: string, signal: AbortSignal): Promise<JudgedInstance>;
  /** Reads the goal here: its identity and features never come from a worker. */
  examine(goal: Goal, signal: AbortSignal): Promise<Examined>;
}

export type Examined = { readonly cpuSeconds: number } & (
  | { readonly kind: 'read'; readonly facts: GoalFacts }
  /** The goal itself is at fault. */
  | { readonly kind: 'unreadable'; readonly why: string }
  /** A limit was reached or a tool broke: the answer is unknown. */
  | { readonly kind: 'unknown'; readonly why: string }
);

interface JudgedInstance {
  readonly verdict: VerdictWord;
  readonly why: string;
  readonly cpuSeconds: number;
}

/** What an answer is worth. The CPU seconds are those of judging it. */
export type Assessed<Evidence> = { readonly worker: string; readonly cpuSeconds: number } & (
  | {
      readonly kind: 'proved';
      readonly claim: RemoteClaim;
      readonly facts: GoalFacts;
      readonly verdict: Judgement<Evidence>;
    }
  | {
      readonly kind: 'refuted';
      readonly claim: RemoteClaim;
      readonly facts: GoalFacts;
      readonly instance: string;
    }
  /** Nobody can judge that there is nothing to find: the run goes by it. */
  | { readonly kind: 'not-found'; readonly claim: RemoteClaim; readonly facts: GoalFacts }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Wrong or unknown; a proof comes with its verdict. */
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly proof?: { readonly text: string; readonly verdict: Judgement<Evidence> };
    }
);

export async function assessAnswer<Goal, Evidence>(
  judges: Judges<Goal, Evidence>,
  goal: Goal,
  { worker, body }: WorkerAnswer,
  signal: AbortSignal,
): Promise<Assessed<Evidence>> {
  const parsed = claimSchema.safeParse(body);
  if (!parsed.success) return { worker, kind: 'refused', why: 'no proper answer', cpuSeconds: 0 };
  const claim = parsed.data;
  const { proof, refuted } = claim;
  if (!claim.opened) {
    const read = await judges.examine(goal, signal);
    const { cpuSeconds } = read;
    if (read.kind === 'unreadable') return { worker, kind: 'unreadable', why: read.why, cpuSeconds };
    return { worker, kind: 'refused', why: `it could not open the goal (${claim.reason})`, cpuSeconds };
  }
  if (proof !== null) {
    const verdict = await judges.proof(goal, proof, signal);
    const spent = verdict.cpuSeconds;
    if (countsAsSolved(verdict))
      return await examined(spent, (facts, cpuSeconds) => ({
        worker,
        kind: 'proved',
        claim,
        facts,
        verdict,
        cpuSeconds,
      }));
    const why = `${verdict.verdict}: ${verdict.kind}: ${verdict.message}`;
    return { worker, kind: 'refused', why, proof: { text: proof, verdict }, cpuSeconds: spent };
  }
  if (refuted !== null) {
    const { verdict, why, cpuSeconds: spent } = await judges.refutation(goal, refuted, signal);
    if (verdict === 'accepted')
      return await examined(spent, (facts, cpuSeconds) => ({
        worker,
        kind: 'refuted',
        claim,
        facts,
        instance: refuted,
        cpuSeconds,
      }));
    return { worker, kind: 'refused', why: `it is not shown to be false: ${why}`, cpuSeconds: spent };
  }
  return await examined(0, (facts, cpuSeconds) => ({ worker, kind: 'not-found', claim, facts, cpuSeconds }));

  /** With what this side knows of the goal. */
  async function examined(
    spent: number,
    known: (facts: GoalFacts, cpuSeconds: number) => Assessed<Evidence>,
  ): Promise<Assessed<Evidence>> {
    const answer = await judges.examine(goal, signal);
    const cpuSeconds = spent + answer.cpuSeconds;
    if (answer.kind === 'read') return known(answer.facts, cpuSeconds);
    if (answer.kind === 'unreadable') return { worker, kind: 'unreadable', why: answer.why, cpuSeconds };
    return { worker, kind: 'refused', why: `the goal could not be read here: ${answer.why}`, cpuSeconds };
  }
}
