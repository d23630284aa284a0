import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Flushes new and renamed entries of a folder to disk. Windows has no such call and does not need it. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
