import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { globalPrefix } from '../patch-wasm.ts';
import { writeHeap, type HeapImage } from './image.ts';

export const taskThreads = 2;

/** Threads cannot be saved, so they are dropped, and the restored process gets a task manager without threads. */
export function freshTaskManager(): void {
  const { PThread, exports } = orchHost.glue;
  PThread.terminateAllThreads();
  exports._ZN4lean19scoped_task_managerC1Ej(exports.malloc(64), taskThreads);
}

/**
 * Saves the heap of this process. The process cannot serve requests afterwards, because its threads have ended.
 */
export function saveImage(
  folder: string,
  published: Pick<HeapImage, 'handler' | 'cancelFlag' | 'imported'>,
): void {
  freshTaskManager();
  const { exports, HEAPU8 } = orchHost.glue;
  const globals: Record<string, number> = {};
  for (const [name, value] of Object.entries(exports))
    if (name.startsWith(globalPrefix)) globals[name] = (value as WebAssembly.Global).value;
  const runs = writeHeap(path.join(folder, 'heap.bin'), HEAPU8);
  const image: HeapImage = {
    ...published,
    pages: HEAPU8.length / 65_536,
    runs,
    globals,
    modules: orchHost.modules.saved(),
  };
  writeFileSync(path.join(folder, 'heap.json'), JSON.stringify(image), { mode: 0o600 });
}
