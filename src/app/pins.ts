import { readFileSync } from 'node:fs';
import { nearest } from '../config/nearest.ts';
import { UserError } from '../core/errors.ts';
import { blueprintOf } from '../lean/blueprint/read.ts';
import { filesOf } from '../lean/goals/sources.ts';

/** A name to pin that neither the blueprint nor the Lean files of a folder contain, with the name probably meant. */
export interface UnknownPin {
  readonly name: string;
  readonly meant: string | undefined;
}

/** A goal may also be in another folder, so an unknown name is a reason to warn, not to refuse. */
export function unknownPins(names: readonly string[], folder: string): UnknownPin[] {
  const labels = blueprintOf(folder)?.statements.map(({ id }) => id) ?? [];
  const declared = leanFiles(folder).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(declaration)].map(([, name = '']) => name),
  );
  const known = [...new Set([...labels, ...declared])];
  return names
    .filter(
      (name) => !known.some((one) => name === one || name.endsWith(`.${one}`) || name.endsWith(` ${one}`)),
    )
    .map((name) => ({ name, meant: nearest(name, known) }));
}

/** An `example` has no name; its goals are named after their lines, which no text search finds. */
const declaration =
  /^[^\S\n]*(?:@\[[^\]]*\]\s*)*(?:[a-z]+\s+)*(?:theorem|lemma|def|abbrev|instance|opaque)\s+([^\s:({[⦃]+)/gmu;

function leanFiles(folder: string): string[] {
  try {
    return filesOf([folder]).filter((file) => file.endsWith('.lean'));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
