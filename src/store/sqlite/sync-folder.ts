import { closeSync, fsyncSync, openSync } from 'node:fs';

/** New and renamed entries of a folder are on the disk when this returns. Windows has no such call and does it by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
