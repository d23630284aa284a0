import type { Verdict, VerdictWord } from '../core/verdict.ts';
import type { Answer } from '../store/queue/queue.ts';
import { claimSchema, type RemoteClaim } from './claim.ts';

/** The coordinator's side of a domain: nothing that a worker says counts before one of these has said the same. */
export interface Judges<Goal> {
  proof(goal: Goal, proof: string, signal: AbortSignal): Promise<Verdict>;
  /** Whether an instance shows the goal to be false. */
  refutation(goal: Goal, instance: string, signal: AbortSignal): Promise<JudgedInstance>;
  /** Why the goal cannot be read here either; null: it can. */
  unreadable(
    goal: Goal,
    signal: AbortSignal,
  ): Promise<{ readonly why: string | null; readonly cpuSeconds: number }>;
}

interface JudgedInstance {
  readonly verdict: VerdictWord;
  readonly why: string;
  readonly cpuSeconds: number;
}

type Facts = NonNullable<RemoteClaim['facts']>;

/** What an answer is worth. CPU-seconds are those of judging it. */
export type Weighed = { readonly worker: string; readonly cpuSeconds: number } & (
  | { readonly kind: 'proved'; readonly claim: RemoteClaim; readonly facts: Facts; readonly verdict: Verdict }
  | {
      readonly kind: 'refuted';
      readonly claim: RemoteClaim;
      readonly facts: Facts;
      readonly instance: string;
    }
  /** Nobody can judge that there is nothing to find: the run goes by it. */
  | { readonly kind: 'not-found'; readonly claim: RemoteClaim; readonly facts: Facts }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Not as it says, or nobody could tell; a proof comes with the verdict on it. */
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly proof?: { readonly text: string; readonly verdict: Verdict };
    }
);

export async function weigh<Goal>(
  judges: Judges<Goal>,
  goal: Goal,
  { worker, body }: Answer,
  signal: AbortSignal,
): Promise<Weighed> {
  const read = claimSchema.safeParse(body);
  if (!read.success) return { worker, kind: 'refused', why: 'no proper answer', cpuSeconds: 0 };
  const claim = read.data;
  const { facts, proof, refuted } = claim;
  if (facts === null) {
    const { why, cpuSeconds } = await judges.unreadable(goal, signal);
    if (why !== null) return { worker, kind: 'unreadable', why, cpuSeconds };
    return { worker, kind: 'refused', why: `it could not open the goal (${claim.reason})`, cpuSeconds };
  }
  if (proof !== null) {
    const verdict = await judges.proof(goal, proof, signal);
    const cpuSeconds = verdict.cpu_seconds;
    if (isProof(verdict)) return { worker, kind: 'proved', claim, facts, verdict, cpuSeconds };
    const why = `${verdict.verdict}: ${verdict.kind}: ${verdict.message}`;
    return { worker, kind: 'refused', why, proof: { text: proof, verdict }, cpuSeconds };
  }
  if (refuted !== null) {
    const { verdict, why, cpuSeconds } = await judges.refutation(goal, refuted, signal);
    if (verdict === 'accepted')
      return { worker, kind: 'refuted', claim, facts, instance: refuted, cpuSeconds };
    return { worker, kind: 'refused', why: `it is not shown to be false: ${why}`, cpuSeconds };
  }
  return { worker, kind: 'not-found', claim, facts, cpuSeconds: 0 };
}

/** The same as the engine asks for. */
function isProof({ verdict, assurance }: Verdict): boolean {
  return verdict === 'accepted' && (assurance === 'replayed' || assurance === 'second-kernel');
}
