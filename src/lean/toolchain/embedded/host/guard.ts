import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { LineSplitter } from '../../../../io/lines.ts';
import { flagIndex, flagRaised, monotonicMs, type GuardData } from './guard-control.ts';

const { heap, cancelFlag, control } = workerData as GuardData;
const running = new Int32Array(control, 0, 1);
const deadline = new Float64Array(control, 8, 1);
const flag = new Int32Array(heap);
/** Interval at which the flag is raised again, because Lean may overwrite it with an older value. */
const tickMs = 10;
/** The longest delay that a timer supports. */
const maxTimerMs = 2 ** 31 - 1;
let cancelled = 0;

const channel = new Socket({ fd: 4, readable: true, writable: false });
const lines = new LineSplitter();
channel.on('data', (chunk: Buffer) => {
  for (const line of lines.push(chunk)) {
    if (line.kind === 'line') cancelled = Number(line.text);
  }
  raiseWhile(Atomics.load(running, 0));
});
channel.on('error', die);
channel.on('close', die);
void watchRequests();

async function watchRequests(): Promise<never> {
  for (;;) {
    const request = Atomics.load(running, 0);
    if (request !== 0) {
      const left = (deadline[0] ?? 0) - monotonicMs();
      // timers drop the fraction of a delay; one that fires too early would find the deadline not reached and raise
      // nothing
      if (left < maxTimerMs) setTimeout(raiseWhile, Math.max(Math.ceil(left) + 1, 0), request);
      // a cancellation may arrive before its request has started
      raiseWhile(request);
    }
    await changeOf(request);
  }
}

async function changeOf(request: number): Promise<void> {
  const change = Atomics.waitAsync(running, 0, request);
  if (change.async) await change.value;
}

/** Raises the flag repeatedly while the given request, which must stop, is still running. */
function raiseWhile(request: number): void {
  if (request === 0 || Atomics.load(running, 0) !== request) return;
  const isLate = (deadline[0] ?? 0) <= monotonicMs();
  if (!isLate && cancelled !== request) return;
  Atomics.store(flag, flagIndex(cancelFlag), flagRaised);
  setTimeout(raiseWhile, tickMs, request);
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}
