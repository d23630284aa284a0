import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../../core/clock.ts';
import { Child, type SpawnRequest } from '../../../io/child.ts';
import { LeanWorker } from '../../worker.ts';
import { codeWarmUp, headerSession, stepWarmUp } from './warm-up.ts';

/** Enough rounds for V8 to have optimised what proofs use. */
const rounds = 10;
/** V8 finishes its background compilations in this time. */
const settleMs = 1500;

async function attempt(worker: LeanWorker, statement: string, proof: string): Promise<void> {
  const limits = { deadlineMs: 20_000 };
  const session = headerSession;
  const stated = await worker.request('statement', { session, statement, data: true }, limits);
  const reply = await worker.request('check', { session, statement, proof, export: true }, limits);
  if (!stated.ok || !reply.ok) return;
  const judged = { statement: JSON.stringify(stated.data), candidate: reply.export };
  await worker.request('judge', judged, limits);
}

/** Run the warm-up in a worker and let it save its machine code. A failure costs speed, never correctness. */
export async function makeCodeCache(
  request: SpawnRequest,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const worker = new LeanWorker(new Child(request), systemClock);
  try {
    if (!(await worker.ready)) throw new Error(`Lean did not start from its snapshot. ${worker.errorTail}`);
    const start = await worker.request('start', { session: headerSession, statement: stepWarmUp.statement });
    for (let round = 0; round < rounds; round++) {
      for (const [statement, proof] of codeWarmUp) await attempt(worker, statement, proof);
      if (start.ok) {
        const steps = await worker.request('steps', { state: start.state, tactics: stepWarmUp.tactics });
        if (steps.ok)
          await worker.request('drop', {
            states: steps.results.flatMap((result) => (result.ok ? [result.state] : [])),
          });
      }
      onProgress((round + 1) / rounds);
    }
    await sleep(settleMs);
    await worker.request('save-code', {});
  } finally {
    worker.kill();
    await worker.exited;
  }
}
