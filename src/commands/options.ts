import { InvalidArgumentError } from 'commander';

/** Parsers for option values; commander prints their message and we exit 2. */

export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0)
    throw new InvalidArgumentError('expected a number of seconds above 0.');
  return seconds;
}
