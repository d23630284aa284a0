import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** The difference of two texts as a unified diff for `git apply`; empty if they are equal. */
export function patchOf(file: string, before: string, after: string): string {
  if (before === after) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, options);
}
