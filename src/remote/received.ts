import type { WorkerAnswer } from '../store/queue/queue.ts';
import { claimSchema, type RemoteClaim } from './claim.ts';
import { sha256 } from '../core/sha256.ts';

/** A proof as text, the only form that a worker can send. */
export interface RemoteCandidate {
  readonly proof: string;
  readonly premises: readonly string[];
}

/** A worker's answer and its claim, before any judgement. */
export interface Received {
  readonly answer: WorkerAnswer;
  readonly claim: Claimed;
  /** Why it was refused. */
  refusal?: string;
}

type Claimed =
  | {
      readonly kind: 'proof';
      readonly candidate: RemoteCandidate;
      /** As reported by the worker. */
      readonly cloudSeconds: number;
    }
  | { readonly kind: 'counterexample'; readonly instance: string; readonly cloudSeconds: number }
  | { readonly kind: 'not-found'; readonly reason: string; readonly cloudSeconds: number }
  /** The answer contains no claim. */
  | { readonly kind: 'none'; readonly why: string };

export function receive(answer: WorkerAnswer): Received {
  return { answer, claim: claimedBy(answer.body) };
}

function claimedBy(body: unknown): Claimed {
  const parsed = claimSchema.safeParse(body);
  if (!parsed.success) return { kind: 'none', why: 'malformed answer' };
  return claimed(parsed.data);
}

function claimed({ opened, proof, refuted, premises, reason, cpuSeconds }: RemoteClaim): Claimed {
  if (!opened) return { kind: 'none', why: `it could not open the goal (${reason})` };
  if (proof !== null) return { kind: 'proof', candidate: { proof, premises }, cloudSeconds: cpuSeconds };
  if (refuted !== null) return { kind: 'counterexample', instance: refuted, cloudSeconds: cpuSeconds };
  return { kind: 'not-found', reason, cloudSeconds: cpuSeconds };
}

/** The value that the loop guard compares. A claim can be long, so it is hashed. */
export function signatureOfAnswer({ answer, claim }: Received): string {
  const text = JSON.stringify([answer.worker, claim]);
  return sha256(text).slice(0, 16);
}
