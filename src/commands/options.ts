import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { UserError } from '../core/errors.ts';

/** What options hold, read and checked; whatever is wrong with it is told in one line, and we exit 2. */

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('expected a number of seconds above 0.');
  return seconds;
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UserError('unreadable-file', `cannot read ${file}: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}
