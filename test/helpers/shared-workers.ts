import { descendantsOf } from './processes.ts';

/** The processes that a file's tests share: they may stay until the file ends. */
interface Shared {
  readonly pids: () => readonly number[];
  readonly end: () => Promise<void>;
}
const all = new Set<Shared>();
/** Those that the files of one process share: they end with it. */
const lasting = new Set<() => readonly number[]>();

/** Allows these processes until the last test of the file has ended; then calls `end`, unless it was revoked. */
export function shareWorkers(
  pids: () => readonly number[],
  end: () => Promise<void> = async () => {},
): () => void {
  const shared = { pids, end };
  all.add(shared);
  return () => all.delete(shared);
}

/** Allows these processes until this process exits, which ends them. */
export function shareWithLaterFiles(pids: () => readonly number[]): void {
  lasting.add(pids);
}

/** The same for everything this process starts, for files whose tests share a server or an open orch. */
export function shareOwnProcesses(): () => void {
  return shareWorkers(() => descendantsOf(process.pid).map(({ pid }) => pid));
}

export function sharedWorkers(): ReadonlySet<number> {
  return new Set([...lastingWorkers(), ...[...all].flatMap(({ pids }) => pids())]);
}

export function lastingWorkers(): ReadonlySet<number> {
  return new Set([...lasting].flatMap((pids) => pids()));
}

export async function endShared(): Promise<void> {
  for (const shared of all) {
    await shared.end();
    all.delete(shared);
  }
}
