import type { Journal } from '../../core/journal.ts';
import { codeOf, fieldOf, messageOf } from '../../core/errors.ts';

/** SQLITE_FULL, and the error that the file system may cause first. */
const fullCode = 13;
const retryMs = 5000;

/**
 * A journal for an endless run: when the disk is full, it and the run wait until there is space again. Other errors are
 * reported as usual.
 */
export function patient(
  journal: Pick<Journal, 'append'>,
  { sleep, told }: { readonly sleep: (ms: number) => Promise<void>; readonly told: (text: string) => void },
): Pick<Journal, 'append'> {
  return {
    async append(events) {
      for (let tries = 0; ; tries++) {
        try {
          return await journal.append(events);
        } catch (error) {
          if (!isFull(error)) throw error;
          if (tries === 0) told('the disk is full: the run waits until space is free');
          await sleep(retryMs);
        }
      }
    },
  };
}

function isFull(error: unknown): boolean {
  const isSaid = /disk is full|no space left/i.test(messageOf(error));
  return isSaid || fieldOf(error, 'errcode') === fullCode || codeOf(error) === 'ENOSPC';
}
