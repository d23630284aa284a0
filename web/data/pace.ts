/**
 * Batches page updates caused by data, at most ten per second, however fast events arrive. User actions do not go
 * through here.
 */
const gapMs = 100;

let waiting: (() => void)[] = [];
let last = 0;

export function paced(change: () => void): void {
  waiting.push(change);
  if (waiting.length > 1) return;
  const wait = Math.max(0, last + gapMs - performance.now());
  setTimeout(() => {
    last = performance.now();
    const changes = waiting;
    waiting = [];
    for (const each of changes) each();
  }, wait);
}
