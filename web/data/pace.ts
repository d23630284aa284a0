/**
 * What data changes on the page happens together, at most ten times a second, however fast events arrive; what the reader
 * does happens at once and does not pass through here.
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
