import { descendantsOf } from './processes.ts';

/** The processes that a file's tests share: they may stay until the file ends. */
interface Shared {
  readonly pids: () => readonly number[];
  readonly end: () => Promise<void>;
}
const all = new Set<Shared>();

/** From now on these may stay until the last test of the file has ended; then `end` is called, unless it was taken back. */
export function shareWorkers(
  pids: () => readonly number[],
  end: () => Promise<void> = async () => {},
): () => void {
  const shared = { pids, end };
  all.add(shared);
  return () => all.delete(shared);
}

/** The same for whatever this process starts: a file whose tests share a server, or an open orch. */
export function shareOwnProcesses(): () => void {
  return shareWorkers(() => descendantsOf(process.pid).map(({ pid }) => pid));
}

export function sharedWorkers(): ReadonlySet<number> {
  return new Set([...all].flatMap(({ pids }) => pids()));
}

export async function endShared(): Promise<void> {
  for (const shared of all) {
    await shared.end();
    all.delete(shared);
  }
}
