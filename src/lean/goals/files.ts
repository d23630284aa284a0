import { environmentOf, environmentOfFile, libraryOf, onlyModules } from '../project/environment.ts';
import type { LeanPool } from '../workers/pool.ts';
import type { ImageName } from '../toolchain/embedded/embedded.ts';
import { imageOf } from '../project/image-choice.ts';
import { readGoalText, type BorrowLean } from './read.ts';

export interface Workers {
  readonly pool: LeanPool;
}

/** The image that the goals of files need; for a row, its preamble and imports decide. */
export function imageOfFiles(files: readonly string[]): ImageName {
  const environments = files.flatMap((file) => {
    const text = readGoalText(file);
    if (file.endsWith('.lean')) return [environmentOfFile(file, text)];
    return [...preamblesIn(text).map(environmentOf), onlyModules(importsIn(text))];
  });
  return imageOf(environments.flatMap(libraryOf));
}

/** There may be many rows, some broken; only their imports matter here. */
function preamblesIn(text: string): string[] {
  const found = text.matchAll(/"preamble"\s*:\s*"((?:[^"\\]|\\.)*)"/g);
  return [...found].map(([, preamble = '']) => preamble.replaceAll('\\n', '\n'));
}

function importsIn(text: string): string[] {
  const lists = text.matchAll(/"imports"\s*:\s*\[([^\]]*)\]/g);
  return [...lists].flatMap(([, names = '']) =>
    [...names.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name),
  );
}

/** Workers that read texts. */
export function borrow({ pool }: Workers): BorrowLean {
  return async (environment, talk) => await pool.use(talk, { environment });
}
