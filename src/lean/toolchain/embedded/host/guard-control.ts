import path from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Lean computes in the main thread, where JavaScript cannot interrupt it. The guard is a second thread that shares
 * its memory. It raises the cancel flag of the running request after its soft deadline, or when the parent sends a
 * cancellation on descriptor 4. It ends the process when that channel closes, which means that the parent has
 * exited.
 *
 * control[0]: number of the running request, 0 between requests. deadline[0]: its deadline, in milliseconds of the
 * monotonic clock.
 */
export interface GuardData {
  readonly heap: SharedArrayBuffer;
  readonly cancelFlag: number;
  readonly control: SharedArrayBuffer;
}

export interface Guard {
  begin(sequence: number, deadlineMs: number | undefined): void;
  end(): void;
}

const controlBytes = 16;
const flagLowered = 1; // lean_box(false)
export const flagRaised = 3; // lean_box(true)
/** A reference object holds its value after the 8 bytes of its header. */
export const flagIndex = (reference: number): number => (reference + 8) >> 2;

export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1000n) / 1000;
}

export function startGuard(heap: SharedArrayBuffer, cancelFlag: number): Guard {
  const control = new SharedArrayBuffer(controlBytes);
  const running = new Int32Array(control, 0, 1);
  const deadline = new Float64Array(control, 8, 1);
  const flag = new Int32Array(heap);
  const worker = new Worker(new URL(`./guard${path.extname(import.meta.url)}`, import.meta.url), {
    workerData: { heap, cancelFlag, control } satisfies GuardData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  return {
    begin(sequence, deadlineMs) {
      Atomics.store(flag, flagIndex(cancelFlag), flagLowered);
      deadline[0] = deadlineMs ? monotonicMs() + deadlineMs : Number.POSITIVE_INFINITY;
      Atomics.store(running, 0, sequence);
      Atomics.notify(running, 0);
    },
    end() {
      Atomics.store(running, 0, 0);
      Atomics.notify(running, 0);
    },
  };
}
