import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Option, type Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { ExitCode } from '../../core/exit.ts';
import { assurances } from '../../shared/assurance.ts';
import type { Assurance } from '../../shared/assurance.ts';
import { writeWhole } from '../../io/whole-file.ts';
import type { Remark } from '../../lean/blueprint/blueprint.ts';
import type { LeanFile, LeanSide } from '../../lean/blueprint/lean-side.ts';
import type { StatedBlueprint } from '../../lean/blueprint/states.ts';
import type { Lean } from '../../app/lean.ts';
import { escaped } from '../../shared/for-people.ts';
import { readTextFile } from '../../io/text-file.ts';

interface LeanOptions {
  readonly lean?: string[] | false;
  readonly json?: true;
}

interface SyncOptions extends LeanOptions {
  readonly assurance: Assurance;
  readonly against?: string;
  readonly dryRun?: true;
  readonly restate?: true;
}

interface ReviewOptions extends LeanOptions {
  readonly node: string[];
}

interface NewOptions extends LeanOptions {
  readonly name: string;
  readonly label?: string;
  readonly into?: string;
}

/** The parts of `orch blueprint` that ask Lean whether the blueprint is right. */
export function registerBlueprintLean(blueprint: Command): void {
  const about = 'project, blueprint folder or .tex file (default: this folder)';
  const leanOption = new Option('--lean <paths...>', 'Lean files or folders (default: those of the project)');
  blueprint
    .command('check')
    .description(
      'Find errors: labels, cycles, stray proofs, missing files, and mismatches with Lean; exit 1 if any, 3 if Lean could not check',
    )
    .argument('[place]', about, '.')
    .addOption(leanOption)
    .option('--no-lean', 'check the sources only')
    .option('--json', 'print JSON')
    .action(async (where: string, options: LeanOptions) => {
      process.exitCode = await check(where, options);
    });
  blueprint
    .command('sync')
    .description('Add \\leanok where Lean accepts a declaration, remove it elsewhere')
    .argument('[place]', about, '.')
    .addOption(leanOption)
    .addOption(
      new Option('--assurance <level>', 'assurance that a proof must have')
        .choices([...assurances])
        .default('axioms-clean'),
    )
    .option('--against <folder>', 'an earlier copy of the project whose statements must be unchanged')
    .option('--restate', 'accept changed statements as new statements')
    .option('--dry-run', 'print what would change, write nothing')
    .option('--json', 'print JSON')
    .action(async (where: string, options: SyncOptions) => {
      process.exitCode = await sync(where, options);
    });
  blueprint
    .command('new')
    .description('Draft a node for a Lean declaration that has none')
    .argument('[place]', about, '.')
    .requiredOption('--name <name>', 'name of the declaration')
    .addOption(leanOption)
    .option('--label <label>', 'label (default: from the name)')
    .option('--into <file>', 'append to this .tex file (default: stdout)')
    .action(async (where: string, options: NewOptions) => {
      process.exitCode = await newNode(where, options);
    });
  blueprint
    .command('review')
    .description(
      'Ask the language model whether Lean statements say what the text says; exit 1 if it has doubts',
    )
    .argument('[place]', about, '.')
    .option('--node <label>', 'only this node (repeatable)', (label, all: string[]) => [...all, label], [])
    .addOption(leanOption)
    .option('--json', 'print JSON')
    .action(async (where: string, options: ReviewOptions) => {
      process.exitCode = await review(where, options);
    });
}

async function review(place: string, options: ReviewOptions): Promise<ExitCode> {
  const { reviewCommand } = await import('../../app/review.ts');
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  return await reviewCommand(
    stated.blueprint,
    files.map(({ file }) => file),
    { labels: options.node, json: options.json === true },
  );
}

async function open(place: string): Promise<StatedBlueprint> {
  const { readBlueprint } = await import('../../lean/blueprint/read.ts');
  const { stateBlueprint } = await import('../../lean/blueprint/states.ts');
  return stateBlueprint(readBlueprint(place));
}

async function check(place: string, options: LeanOptions): Promise<ExitCode> {
  const { findRemarks } = await import('../../lean/blueprint/remarks.ts');
  const { findLeanRemarks } = await import('../../lean/blueprint/lean-remarks.ts');
  const { findDrift, readRecord } = await import('../../lean/blueprint/drift.ts');
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  const lean = files.length === 0 ? undefined : await askLean(files, namesOf(stated));
  const remarks = [
    ...findRemarks(stated),
    ...(lean ? findLeanRemarks(stated, lean) : []),
    ...(lean ? findDrift(readRecord(recordFile(stated)), stated.blueprint, lean) : []),
  ].map((remark) => ({ ...remark, place: placeOf(stated, remark) }));
  if (options.json)
    process.stdout.write(
      `${JSON.stringify(remarks.map(({ kind, message, place: at }) => ({ kind, message, place: at })))}\n`,
    );
  else for (const { place: at, message } of remarks) process.stdout.write(escaped`${at}: ${message}\n`);
  tellUnread(lean);
  if (lean && lean.unread.size > 0) return ExitCode.unknown;
  return remarks.length === 0 ? ExitCode.done : ExitCode.notAll;
}

async function sync(place: string, options: SyncOptions): Promise<ExitCode> {
  const { planSync } = await import('../../lean/blueprint/sync.ts');
  const { syncBlueprint } = await import('../../lean/blueprint/sync-project.ts');
  const { readRecord, renewRecord } = await import('../../lean/blueprint/drift.ts');
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  if (files.length === 0)
    throw new UserError('BLUEPRINT_LEAN', `there is no Lean file beside ${place}`, 'Name them: --lean PATH.');
  const lean = await askLean(files, namesOf(stated));
  const told = options.dryRun
    ? planSync(stated.blueprint, lean, options.assurance)
    : syncBlueprint(place, lean, options.assurance);
  if (!options.dryRun) {
    const record = readRecord(recordFile(stated));
    const { blueprint } = await open(place);
    const renewed = renewRecord(record, blueprint, lean, options.restate === true);
    if (JSON.stringify(record) !== JSON.stringify(renewed))
      writeWhole(recordFile(stated), `${JSON.stringify(renewed, null, 2)}\n`);
  }
  const rows = told.map(({ node, part, change, message, file }) => ({ node, part, change, message, file }));
  const mark = { add: '+', remove: '-', unknown: '?' };
  if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else
    for (const { change, part, node, message } of rows)
      process.stdout.write(escaped`${mark[change]} ${part} of ${node}: ${message}\n`);
  tellUnread(lean);
  return rows.some(({ change }) => change === 'unknown') ? ExitCode.unknown : ExitCode.done;
}

async function newNode(place: string, options: NewOptions): Promise<ExitCode> {
  const { newNode: write } = await import('../../lean/blueprint/new-node.ts');
  const { blueprint } = await open(place);
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  await using lean = await openLean(settingsFrom(), {
    image: imageOfFiles(files.map(({ file }) => file)),
    slots: 1,
  });
  const side = await sideOf(lean, files, [options.name, ...namesOf(stated)]);
  const fact = side.names.get(options.name);
  const known = blueprint.statements.find(({ declarations }) => declarations.includes(options.name));
  if (known)
    throw new UserError(
      'BLUEPRINT_NEW',
      `${options.name} already has a node: ${known.id}`,
      'Nothing was written.',
    );
  if (fact?.kind !== 'declared')
    throw new UserError(
      'BLUEPRINT_NEW',
      `no Lean file here declares ${options.name}`,
      'Name it in full, with its namespaces.',
    );
  const { readSource } = await import('../../lean/blueprint/node-source.ts');
  const text = files.find(({ file }) => file === fact.file)?.text ?? '';
  const source = await readSource(lean.pool, text, options.name, fact.isTheorem, {
    label: options.label,
  });
  const node = write(source, blueprint, side);
  if (options.into === undefined) process.stdout.write(node);
  else {
    const before = readFileSync(options.into, 'utf8');
    writeWhole(options.into, `${before.trimEnd()}\n\n${node}`);
  }
  return ExitCode.done;
}

const namesOf = ({ blueprint }: StatedBlueprint): string[] => [
  ...new Set(blueprint.statements.flatMap(({ declarations }) => declarations)),
];

/** The project folder of a blueprint: above `blueprint/src`. */
function projectFolder({ blueprint }: StatedBlueprint): string {
  const [main = '.'] = blueprint.files.keys();
  const folder = path.dirname(main);
  return path.basename(path.dirname(path.resolve(folder))) === 'blueprint'
    ? path.join(folder, '..', '..')
    : folder;
}

function recordFile({ blueprint }: StatedBlueprint): string {
  const [main = '.'] = blueprint.files.keys();
  return path.join(path.dirname(main), 'lean_statements.json');
}

async function leanFiles(
  stated: StatedBlueprint,
  { lean, against }: LeanOptions & { readonly against?: string },
): Promise<LeanFile[]> {
  if (lean === false) return [];
  const { filesOf } = await import('../../lean/goals/sources.ts');
  const root = projectFolder(stated);
  const files = lean ? filesOf(lean) : filesBelow(root, filesOf);
  const { environmentOfFile } = await import('../../lean/project/environment.ts');
  return files.map((file) => {
    const text = readTextFile(file);
    if (against === undefined) return { file, text };
    const place = path.join(against, path.relative(root, file));
    const before = readTextFile(place);
    return { file, text, against: before, againstIn: environmentOfFile(place, before) };
  });
}

/** Undefined for a blueprint without its project. */
function filesBelow(folder: string, filesOf: (paths: readonly string[]) => string[]): string[] {
  try {
    return filesOf([folder]).filter((file) => path.basename(file) !== 'lakefile.lean');
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

async function askLean(files: readonly LeanFile[], names: readonly string[]): Promise<LeanSide> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  await using lean = await openLean(settingsFrom(), {
    image: imageOfFiles(files.map(({ file }) => file)),
    slots: 1,
  });
  return await sideOf(lean, files, names);
}

async function sideOf(lean: Lean, files: readonly LeanFile[], names: readonly string[]): Promise<LeanSide> {
  const { readLeanSide } = await import('../../lean/blueprint/lean-side.ts');
  return await readLeanSide(lean, files, names);
}

function tellUnread(lean: LeanSide | undefined): void {
  for (const [file, why] of lean?.unread ?? []) process.stderr.write(escaped`orch: ${file}: ${why}\n`);
}

function placeOf({ blueprint }: StatedBlueprint, { at }: Remark): string {
  const before = (blueprint.files.get(at.file) ?? '').slice(0, at.start);
  return `${at.file}:${before.split('\n').length}`;
}
