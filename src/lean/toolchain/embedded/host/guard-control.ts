import path from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Lean computes in the main thread and cannot be interrupted from JavaScript there. The guard is a second thread that
 * sees the same memory: it raises the request's cancel flag when the soft deadline has passed, and ends the process when
 * the parent has died.
 *
 * control[0]: 1 while a request with a deadline runs. deadline[0]: when, in milliseconds of the monotonic clock.
 */
export interface GuardData {
  readonly heap: SharedArrayBuffer;
  readonly cancelFlag: number;
  readonly control: SharedArrayBuffer;
  readonly parent: number;
}

export interface Guard {
  begin(deadlineMs: number | undefined): void;
  end(): void;
}

export const controlBytes = 16;
export const flagLowered = 1; // lean_box(false)
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
    workerData: { heap, cancelFlag, control, parent: process.ppid } satisfies GuardData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  worker.unref();
  return {
    begin(deadlineMs) {
      Atomics.store(flag, flagIndex(cancelFlag), flagLowered);
      if (deadlineMs === undefined || deadlineMs <= 0) return;
      deadline[0] = monotonicMs() + deadlineMs;
      Atomics.store(running, 0, 1);
      Atomics.notify(running, 0);
    },
    end() {
      Atomics.store(running, 0, 0);
    },
  };
}
