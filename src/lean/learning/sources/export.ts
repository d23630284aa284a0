import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolders } from '../../../core/folders.ts';
import type { Premise } from '../../../store/premises/premise.ts';
import { goalFeatures, premiseFeatures, type WordBags } from '../../premises/encoder/features.ts';
import type { ImportGraph } from '../../premises/visible.ts';
import { readDeclarations, type SourceDeclaration } from './declarations.ts';
import { premisesNamedBy } from './labels.ts';
import { siblingsIn } from './siblings.ts';
import { replaceFile } from '../../../io/whole-file.ts';

/** The source of a library module. */
export interface ModuleText {
  readonly name: string;
  readonly text: string;
}

interface ReadModule {
  readonly name: string;
  readonly imports: readonly string[];
  readonly declarations: readonly SourceDeclaration[];
}

export interface ExportCounts {
  readonly modules: number;
  readonly premises: number;
  readonly theorems: number;
  readonly labelled: number;
  readonly heldOut: number;
  /** Fraction of lemma-like names in proofs that resolve to a premise. */
  readonly resolved: number;
}

/** Lean's own library, whose sources are not available. */
export interface LibraryData {
  readonly premises: readonly Premise[];
  readonly imports: ImportGraph;
}

/** Basic lemmas of logic: any proof may use them, so they carry no information about a goal. */
const basicLemmas =
  /^(?:rfl|Eq\.\w+|HEq\.\w+|Iff\.\w+|And\.\w+|Or\.\w+|Not\.\w+|Ne\.\w+|False\.\w+|True\.\w+|Exists\.\w+|absurd|id|trivial|congr\w*|funext\w*|propext|of_eq_true|eq_self_iff_true|if_pos|if_neg|dif_pos|dif_neg|by_contra\w*|not_not|and_\w+|or_\w+|iff_\w+|eq_comm|forall_\w+|exists_\w+|imp_\w+|ite_\w+|not_\w+_iff)$/;

/** One in this many modules is held out. */
const heldOutEvery = 12;

/**
 * Writes the premises named in source proofs as training data: `premises.jsonl`, `theorems.jsonl`,
 * `siblings.jsonl` and `card.md`. The same sources give the same bytes. Modules are held out by the hash of their names; statements that also occur in
 * held-out modules are excluded from the training data.
 */
export function exportPremises(
  modules: readonly ModuleText[],
  { premises: library, imports: graph }: LibraryData,
  folder: string,
): ExportCounts {
  const read = modules
    .map(({ name, text }): ReadModule => ({ name, ...readDeclarations(text) }))
    .sort((first, second) => (first.name < second.name ? -1 : 1));
  const premises = premisesOf(read, library);
  const known = new Set(premises.keys());
  const theorems = read.flatMap((module) =>
    module.declarations
      .filter(({ isTheorem, proof, statement }) => isTheorem && proof !== '' && statement !== '')
      .map((declaration) => ({
        module: module.name,
        declaration,
        labels: premisesNamedBy(declaration, known),
      })),
  );
  const rows = theorems
    .map(({ module, declaration: { name, statement }, labels }) => ({
      name,
      module,
      held_out: isHeldOut(module),
      statement,
      features: goalFeatures(statement),
      used: labels.used.filter((one) => premises.get(one)?.isTheorem === true && !basicLemmas.test(one)),
    }))
    .filter(({ used }) => used.length > 0);
  const tested = new Set(rows.filter(({ held_out }) => held_out).map(({ features }) => keyOf(features)));
  const kept = rows.filter(({ held_out, features }) => held_out || !tested.has(keyOf(features)));
  const resolved = theorems.reduce((sum, { labels }) => sum + labels.used.length, 0);
  const unresolved = theorems.reduce((sum, { labels }) => sum + labels.unresolved, 0);
  const counts: ExportCounts = {
    modules: read.length,
    premises: premises.size,
    theorems: theorems.length,
    labelled: kept.length,
    heldOut: tested.size,
    resolved: resolved / Math.max(1, resolved + unresolved),
  };
  makeFolders(folder);
  const write = (name: string, text: string): void => replaceFile(path.join(folder, name), text);
  write('premises.jsonl', lines([...premises.values()]));
  write('theorems.jsonl', lines(kept));
  const siblings = siblingsIn(library, graph).map((row) => ({
    ...row,
    used: row.used.filter((one) => !basicLemmas.test(one)),
  }));
  write('siblings.jsonl', lines(siblings.filter(({ used }) => used.length > 0)));
  write(
    'imports.jsonl',
    lines([
      ...read.map(({ name, imports }) => ({ name, imports })),
      ...Object.entries(graph).map(([name, imports]) => ({ name, imports, library: true })),
    ]),
  );
  write('card.md', card(counts, read));
  return counts;
}

interface PremiseRow {
  readonly name: string;
  readonly module: string;
  readonly isTheorem: boolean;
  readonly features: WordBags;
}

/** All premises that proofs may name: those of the library as listed by Lean, and those declared in the sources. */
function premisesOf(read: readonly ReadModule[], library: Iterable<Premise>): Map<string, PremiseRow> {
  const found = new Map<string, PremiseRow>();
  for (const { name: module, declarations } of read)
    for (const { name, aliases, isTheorem, isPrivate, statement } of declarations) {
      if (isPrivate) continue;
      for (const one of [name, ...aliases])
        found.set(one, { name: one, module, isTheorem, features: premiseFeatures(one, { text: statement }) });
    }
  for (const { name, module, kind, symbols } of library)
    found.set(name, {
      name,
      module,
      isTheorem: kind === 'theorem' || kind === 'axiom',
      features: premiseFeatures(name, { symbols }),
    });
  return new Map([...found].sort(([first], [second]) => (first < second ? -1 : 1)));
}

/** Whether training never sees a module. */
function isHeldOut(module: string): boolean {
  return createHash('sha256').update(module).digest().readUInt32BE(0) % heldOutEvery === 0;
}

function keyOf({ main, rest }: WordBags): string {
  return `${main.join(' ')} | ${rest.join(' ')}`;
}

function card(counts: ExportCounts, read: readonly ReadModule[]): string {
  const held = read.filter(({ name }) => isHeldOut(name)).map(({ name }) => name);
  return `# Premises named by proofs

- ${counts.modules} modules, ${counts.premises} premises, ${counts.theorems} theorems with a proof, of which ${counts.labelled} name a premise.
- ${(100 * counts.resolved).toFixed(1)} % of the names in proofs that look like those of lemmas resolve to a premise.
- \`siblings.jsonl\`: theorems of Lean's library, whose proofs are not available, with theorems of the same name in the modules that they import. Half of the modules are held out.
- Basic lemmas of logic are left out. A theorem may use the premises of the modules that it imports, and those above it in its file.
- Held out: ${held.length} modules, chosen by the hash of their names. Statements that occur there too are not in the training part.

## Held-out modules

${held.map((name) => `- ${name}`).join('\n')}
`;
}

function lines(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

/** The Lean source files of a checkout, in folders named like modules; tests, scripts and build output are skipped. */
export function modulesIn(folder: string): ModuleText[] {
  const files = globSync('**/*.lean', {
    cwd: folder,
    exclude: (name) => /^(?:\.lake|\.git|[a-z])/.test(path.basename(name)),
  });
  return files.sort().map((file) => ({
    name: file
      .replace(/\.lean$/, '')
      .split(path.sep)
      .join('.'),
    text: readFileSync(path.join(folder, file), 'utf8'),
  }));
}
