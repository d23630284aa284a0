import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import { ExitCode } from '../core/exit.ts';
import type { Assurance } from '../shared/assurance.ts';
import { writeWhole } from '../io/whole-file.ts';
import type { Remark } from '../lean/blueprint/blueprint.ts';
import { type LeanFile, type LeanSide, readLeanSide } from '../lean/blueprint/lean-side.ts';
import { type SyncStep, planSync } from '../lean/blueprint/sync.ts';
import { type StatedBlueprint, stateBlueprint } from '../lean/blueprint/states.ts';
import { type Lean, openLean } from './lean.ts';
import { type ShipFlags, exitCodeOfShipped, openYard, tellShipped } from './ship.ts';
import { escaped } from '../shared/for-people.ts';
import { readTextFile } from '../io/text-file.ts';
import { reviewCommand } from './review.ts';
import { readBlueprint } from '../lean/blueprint/read.ts';
import { findRemarks } from '../lean/blueprint/remarks.ts';
import { findLeanRemarks } from '../lean/blueprint/lean-remarks.ts';
import { findDrift, readRecord, renewRecord } from '../lean/blueprint/drift.ts';
import { syncBlueprint } from '../lean/blueprint/sync-project.ts';
import { ship } from '../lean/ship/ship.ts';
import { blueprintMarks } from '../lean/ship/marks.ts';
import { newNode as write } from '../lean/blueprint/new-node.ts';
import { readSource } from '../lean/blueprint/node-source.ts';
import { filesOf } from '../lean/goals/sources.ts';
import { environmentOfFile } from '../lean/project/environment.ts';
import { settingsFrom } from './settings.ts';
import { imageOfFiles } from '../lean/goals/files.ts';

export interface LeanOptions {
  readonly lean?: string[] | false;
  readonly json?: true;
}

export interface SyncOptions extends LeanOptions, ShipFlags {
  readonly assurance: Assurance;
  readonly against?: string;
  readonly dryRun?: true;
  readonly restate?: true;
  readonly ship?: true;
}

export interface ReviewOptions extends LeanOptions {
  readonly node: string[];
}

export interface NewOptions extends LeanOptions {
  readonly name: string;
  readonly label?: string;
  readonly into?: string;
}

export async function reviewStatements(place: string, options: ReviewOptions): Promise<ExitCode> {
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  return await reviewCommand(
    stated.blueprint,
    files.map(({ file }) => file),
    { labels: options.node, json: options.json === true },
  );
}

async function open(place: string): Promise<StatedBlueprint> {
  return stateBlueprint(readBlueprint(place));
}

export async function checkBlueprint(place: string, options: LeanOptions): Promise<ExitCode> {
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

export async function syncMarks(place: string, options: SyncOptions): Promise<ExitCode> {
  if (options.ship) return await shipMarks(place, options);
  const stated = await open(place);
  const files = await leanFiles(stated, options);
  if (files.length === 0) throw noLeanFile(place);
  const lean = await askLean(files, namesOf(stated));
  const told = options.dryRun
    ? planSync(stated.blueprint, lean, options.assurance)
    : await writeMarks(place, stated, lean, options);
  const rows = told.map(({ node, part, change, message, file }) => ({ node, part, change, message, file }));
  const mark = { add: '+', remove: '-', unknown: '?' };
  if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else
    for (const { change, part, node, message } of rows)
      process.stdout.write(escaped`${mark[change]} ${part} of ${node}: ${message}\n`);
  tellUnread(lean);
  return rows.some(({ change }) => change === 'unknown') ? ExitCode.unknown : ExitCode.done;
}

const noLeanFile = (place: string): UserError =>
  new UserError('BLUEPRINT_LEAN', `there are no Lean files next to ${place}`, 'Name them: --lean PATH.');

/** Writes the marks, and the record of the statements that they belong to. */
async function writeMarks(
  place: string,
  stated: StatedBlueprint,
  lean: LeanSide,
  { assurance, restate }: SyncOptions,
): Promise<readonly SyncStep[]> {
  const steps = syncBlueprint(place, lean, assurance);
  const record = readRecord(recordFile(stated));
  const { blueprint } = await open(place);
  const renewed = renewRecord(record, blueprint, lean, restate === true);
  if (JSON.stringify(record) !== JSON.stringify(renewed))
    writeWhole(recordFile(stated), `${JSON.stringify(renewed, null, 2)}\n`);
  return steps;
}

async function shipMarks(place: string, options: SyncOptions): Promise<ExitCode> {
  if (options.lean !== undefined || options.against !== undefined || options.dryRun)
    throw new UserError(
      'BLUEPRINT_SHIP',
      '--ship reads the base branch; it cannot be combined with --lean, --against or --dry-run',
      'Leave them out.',
    );
  const here = await open(place);
  const files = await leanFiles(here, options);
  const yard = await openYard(options);
  await using lean = await leanFor(files);
  const sync = async (folder: string): Promise<readonly SyncStep[]> => {
    const stated = await open(folder);
    const there = await leanFiles(stated, options);
    // without them every mark would look wrong
    if (there.length === 0) throw noLeanFile(place);
    const side = await sideOf(lean, there, namesOf(stated));
    tellUnread(side);
    return await writeMarks(folder, stated, side, options);
  };
  const project = path.relative(yard.git.folder, realpathSync(projectFolder(here)));
  const shipped = await ship(yard.git, yard.start, [blueprintMarks(yard.git, project, sync)], yard);
  tellShipped(shipped, options.json === true);
  return exitCodeOfShipped(shipped);
}

export async function draftNodeFor(place: string, options: NewOptions): Promise<ExitCode> {
  const stated = await open(place);
  const { blueprint } = stated;
  const files = await leanFiles(stated, options);
  await using lean = await leanFor(files);
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
  const root = projectFolder(stated);
  const files = lean ? filesOf(lean) : filesBelow(root);
  return files.map((file) => {
    const text = readTextFile(file);
    if (against === undefined) return { file, text };
    const place = path.join(against, path.relative(root, file));
    const before = readTextFile(place);
    return { file, text, against: before, againstIn: environmentOfFile(place, before) };
  });
}

/** Undefined for a blueprint without its project. */
function filesBelow(folder: string): string[] {
  try {
    return filesOf([folder]).filter((file) => path.basename(file) !== 'lakefile.lean');
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

async function leanFor(files: readonly LeanFile[]): Promise<Lean> {
  return await openLean(settingsFrom(), { image: imageOfFiles(files.map(({ file }) => file)), slots: 1 });
}

async function askLean(files: readonly LeanFile[], names: readonly string[]): Promise<LeanSide> {
  await using lean = await leanFor(files);
  return await sideOf(lean, files, names);
}

async function sideOf(lean: Lean, files: readonly LeanFile[], names: readonly string[]): Promise<LeanSide> {
  return await readLeanSide(lean, files, names);
}

function tellUnread(lean: LeanSide | undefined): void {
  for (const [file, why] of lean?.unread ?? []) process.stderr.write(escaped`orch: ${file}: ${why}\n`);
}

function placeOf({ blueprint }: StatedBlueprint, { at }: Remark): string {
  const before = (blueprint.files.get(at.file) ?? '').slice(0, at.start);
  return `${at.file}:${before.split('\n').length}`;
}
