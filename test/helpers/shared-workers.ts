/** The processes that a file's tests share: they may stay until the file ends. */
const sources = new Set<() => readonly number[]>();

/** From now on these may stay; the answer takes that back. */
export function shareWorkers(pids: () => readonly number[]): () => void {
  sources.add(pids);
  return () => sources.delete(pids);
}

export function sharedWorkers(): ReadonlySet<number> {
  return new Set([...sources].flatMap((pids) => pids()));
}
