import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Takes the ledger's lock again and again, as a run that writes does, and tells how long it had to wait at most. */
const database = new DatabaseSync(workerData as string, { timeout: 600_000 });
let longestMs = 0;
let isDone = false;
parentPort?.once('message', () => (isDone = true));
parentPort?.postMessage('ready');
while (!isDone) {
  const from = performance.now();
  database.exec('BEGIN IMMEDIATE; COMMIT');
  longestMs = Math.max(longestMs, performance.now() - from);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
database.close();
parentPort?.postMessage(longestMs);
