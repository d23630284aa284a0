import { workerData } from 'node:worker_threads';
import { flagIndex, flagRaised, monotonicMs, type GuardData } from './guard-control.ts';

const { heap, cancelFlag, control, parent } = workerData as GuardData;
const running = new Int32Array(control, 0, 1);
const deadline = new Float64Array(control, 8, 1);
const flag = new Int32Array(heap);
const tickMs = 10;
const idleMs = 250;

for (;;) {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (Atomics.load(running, 0) === 0) {
    Atomics.wait(running, 0, 0, idleMs);
    continue;
  }
  const left = (deadline[0] ?? 0) - monotonicMs();
  // Raised again at every tick: Lean may be holding the old value in its hands while we write.
  if (left <= 0) Atomics.store(flag, flagIndex(cancelFlag), flagRaised);
  Atomics.wait(running, 0, 1, left > 0 ? Math.min(left, idleMs) : tickMs);
}
