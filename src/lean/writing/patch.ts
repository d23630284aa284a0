import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** How a text became another, as a unified diff that `git apply` takes; empty where they are equal. */
export function patchOf(file: string, before: string, after: string): string {
  if (before === after) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options);
}
