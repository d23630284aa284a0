import type { Outcome, Strategy } from '../core/strategy.ts';
import type { RemoteWork } from './domain.ts';
import { signatureOfAnswer, type Received, type RemoteCandidate } from './received.ts';
import type { RemoteTrace } from './rows.ts';

/** An attempt has no cost here: the worker's own run records its attempts and their costs. */
const budget = { cpu_seconds: 1, heartbeats: 0 };

export function armOf(worker: string): string {
  return `remote/${worker}`;
}

/**
 * One arm per worker that answered, so that the ledger has figures per worker. An attempt only passes the
 * answer on.
 */
export function remoteStrategy<Goal>(): Strategy<RemoteWork<Goal>, RemoteCandidate, RemoteTrace> {
  return {
    name: 'remote',
    slot: 'light',
    tier: 0,
    budget,
    isExhaustive: true,
    ready: async () => ({ ready: true }),
    arms: ({ answers }) =>
      answers.map((received) => ({
        name: armOf(received.answer.worker),
        signature: signatureOfAnswer(received),
      })),
    attempt: async ({ answers, settle }, { name }) => {
      const received = answers.find(({ answer }) => armOf(answer.worker) === name);
      if (!received) throw new Error(`no answer for ${name}`);
      return await handOver(received, settle);
    },
  };
}

async function handOver(
  received: Received,
  settle: RemoteWork<unknown>['settle'],
): Promise<Outcome<RemoteCandidate, RemoteTrace>> {
  const { claim, refusal } = received;
  const spent = { cpuSeconds: 0, peakBytes: 0, sent: undefined, cacheHits: 0 };
  // the answer is offered again if the judge's tools failed
  if (refusal !== undefined) return { ...spent, kind: 'failed', message: refusal };
  if (claim.kind === 'none') {
    await settle(received, 'refused', claim.why);
    return { ...spent, kind: 'failed', message: claim.why };
  }
  const { cloudSeconds } = claim;
  switch (claim.kind) {
    case 'proof': {
      const { candidate } = claim;
      return { ...spent, sent: candidate, cloudSeconds, kind: 'solved', candidate };
    }
    case 'counterexample':
      return { ...spent, cloudSeconds, kind: 'failed', message: `counterexample claimed: ${claim.instance}` };
    case 'not-found':
      await settle(received, 'not-found');
      return { ...spent, cloudSeconds, kind: 'exhausted', message: claim.reason };
  }
}
