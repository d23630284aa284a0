import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { UserError, codeOf, messageOf } from '../core/errors.ts';

/** Reads a text file. One that is not UTF-8 is an error: Lean refuses it, and decoding it would change the text. */
export function readTextFile(file: string): string {
  const bytes = readFileSync(file);
  if (!isUtf8(bytes))
    throw new UserError(
      'not-utf8',
      `${file} is not valid UTF-8`,
      'Save it as UTF-8; Lean reads nothing else.',
    );
  return bytes.toString('utf8');
}
export function readText(file: string): string {
  try {
    return readTextFile(file);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const [code, message] = [codeOf(error), messageOf(error)];
    const why = code === 'ENOENT' ? `there is no file ${file}` : `cannot read ${file}: ${message}`;
    throw new UserError('unreadable-file', why, undefined, { cause: error });
  }
}
