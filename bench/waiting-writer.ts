import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';

/**
 * Takes the ledger's lock again and again, as a run that writes does. `shared` holds whether to stop, and the longest wait so
 * far in microseconds.
 */
const { file, shared } = workerData as { readonly file: string; readonly shared: Int32Array };
const [isOver, longest] = [0, 1];
const database = new DatabaseSync(file, { timeout: 600_000 });
while (Atomics.load(shared, isOver) === 0) {
  const from = performance.now();
  database.exec('BEGIN IMMEDIATE; COMMIT');
  const micros = Math.ceil(1000 * (performance.now() - from));
  Atomics.store(shared, longest, Math.max(micros, Atomics.load(shared, longest)));
  await sleep(1);
}
database.close();
