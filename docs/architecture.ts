import { readFileSync } from 'node:fs';
import path from 'node:path';
import { modules, type Module } from '../lint/modules.ts';

const file = 'docs/ARCHITECTURE.md';
const [start, end] = ['<!-- modules: generated from lint/modules.ts -->', '<!-- end of modules -->'];

/** docs/ARCHITECTURE.md with the modules as lint enforces them; the rest of the page is hand-written. */
export function architecturePage(root: string): Record<string, string> {
  const text = readFileSync(path.join(root, file), 'utf8');
  const [before, rest = ''] = text.split(start);
  const after = rest.slice(rest.indexOf(end));
  return { [file]: `${before}${start}\n\n${drawing()}\n\n${table()}\n\n${after}` };
}

/** Modules of `src`, each on a level above everything that it may import. */
function drawing(): string {
  const top = modules.filter(({ folder }) => /^src\/\w+$/.test(folder));
  const levels = new Map<string, number>();
  const levelOf = ({ folder, mayImport }: Module): number => {
    const known = levels.get(folder);
    if (known !== undefined) return known;
    const below = top.filter((other) => other.folder !== folder && mayImport.includes(other.folder));
    const level = below.length === 0 ? 0 : 1 + Math.max(...below.map(levelOf));
    levels.set(folder, level);
    return level;
  };
  const byLevel = Map.groupBy(top, levelOf);
  const rows = [...byLevel].toSorted(([one], [other]) => other - one);
  return rows.map(([, row]) => `    ${row.map(({ folder }) => nameOf(folder)).join('   ')}`).join('\n');
}

function table(): string {
  const rows = modules.map(
    ({ folder, contains, mayImport }) => `| \`${folder}/\` | ${contains} | ${listOf(folder, mayImport)} |`,
  );
  return ['| module | contains | may import |', '|---|---|---|', ...rows].join('\n');
}

/** Inside `lean` and `arc` the table is ordered, so the folders before a row need no list. */
function listOf(folder: string, allowed: readonly string[]): string {
  const [, parent = ''] = /^(src\/(?:lean|arc))(?:\/|$)/.exec(folder) ?? [];
  if (parent === '') return allowed.map(nameOf).join(', ') || 'nothing';
  const outside = allowed.filter((other) => other !== parent && !other.startsWith(`${parent}/`));
  const isFirst = outside.length === allowed.length;
  return isFirst ? outside.map(nameOf).join(', ') : 'the same, and the rows above';
}

function nameOf(folder: string): string {
  return folder.replace(/^src\//, '');
}
