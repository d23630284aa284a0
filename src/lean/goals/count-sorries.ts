import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '../../core/inside.ts';
import { plainCode } from '../base/plain-code.ts';
import { isPassedBy } from './sources.ts';

/** Counts `sorry` and `admit` outside comments and strings, without Lean, unlike `orch goals`. */
export function sorriesIn(text: string): number {
  const plain = plainCode(text, 'blank');
  return [...plain.matchAll(/(?<![\p{L}\p{N}_.'!?«])(?:sorry|admit)(?![\p{L}\p{N}_'!?»])/gu)].length;
}

/** Lean files below a folder, relative to it, without packages, tools and links to places outside it. */
export function leanFilesBelow(folder: string): string[] {
  return globSync('**/*.lean', { cwd: folder, exclude: isPassedBy })
    .filter((file) => path.basename(file) !== 'lakefile.lean' && isInside(file, folder))
    .filter((file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
}

export function sorriesBelow(folder: string): number {
  return leanFilesBelow(folder).reduce(
    (sum, file) => sum + sorriesIn(readFileSync(path.join(folder, file), 'utf8')),
    0,
  );
}
