import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import { fileOf } from '../../lean/base/module-names.ts';
import {
  declarationsIn,
  occurrencesOf,
  shorterNames,
  sourceOfLines,
  type ProjectDeclaration,
  type TextPlace,
} from './declarations.ts';
import { elaborateText } from './diagnostics.ts';
import type { FileView } from './project-files.ts';
import type { Call, Desk } from './tool.ts';

/** A place where a file declares or uses a name. */
interface NamePlace extends TextPlace {
  /** The full name; a local variable has none. */
  readonly name: string | undefined;
  /** The module that declares it; undefined for a local variable. */
  readonly module: string | undefined;
  /** Equal for the places of one constant or local variable of the file. */
  readonly key: string;
  readonly length: number;
}

/** What Lean says about the names of a file. */
interface FileNames {
  readonly places: readonly NamePlace[];
  readonly declared: readonly ProjectDeclaration[];
  /** A part of the file was not elaborated. */
  readonly hasErrors: boolean;
}

/** A use or declaration in an answer. `text`: Lean could not read this part of the file, so other names may match. */
export interface NameUse extends TextPlace {
  readonly file: string;
  readonly text: string;
  readonly found_by: 'lean' | 'text';
}

const fileSeconds = 60;

/** Per project, the last answer for each file. */
const known = new WeakMap<Desk, Map<string, { readonly version: string; readonly names: FileNames }>>();

/** Undefined if Lean cannot read the file: an import is missing, or it takes too long. */
async function namesOf(call: Call, view: FileView): Promise<FileNames | undefined> {
  const files = known.get(call.desk) ?? new Map<string, { version: string; names: FileNames }>();
  known.set(call.desk, files);
  const found = files.get(view.file);
  if (found?.version === view.version) return found.names;
  try {
    const names = await readNames(call, view);
    files.set(view.file, { version: view.version, names });
    return names;
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

const range = z.tuple([z.number(), z.number(), z.number(), z.number()]);
/** As in an `.ilean` file: lines and columns count from 0, columns in UTF-16; a use also has the declaration around it. */
const References = z.record(
  z.string(),
  z.object({ definition: range.rest(z.string()).nullish(), usages: z.array(range.rest(z.string())) }),
);
const Identity = z.object({
  c: z.object({ m: z.string(), n: z.string() }).optional(),
  f: z.unknown().optional(),
});

async function readNames(call: Call, view: FileView): Promise<FileNames> {
  const environment = environmentOfFile(view.file, view.text);
  const wanted = { places: true, decl_types: true };
  const reply = await elaborateText(call, view.text, environment, fileSeconds, wanted);
  const lines = view.text.split('\n');
  const places = Object.entries(References.parse(reply.places?.references)).flatMap(
    ([key, { definition, usages }]) => {
      const { c: constant } = Identity.parse(JSON.parse(key));
      return [...(definition ? [definition] : []), ...usages].map(([line, start, , end]): NamePlace => {
        const before = (lines[line] ?? '').slice(0, start);
        return {
          name: constant && publicName(constant.n),
          module: constant?.m,
          key,
          line: line + 1,
          column: Array.from(before).length + 1,
          length: Array.from((lines[line] ?? '').slice(start, end)).length,
        };
      });
    },
  );
  const declared = reply.declared.map(({ name, kind, start: [line], end: [endLine] }) => ({
    name: publicName(name),
    kind,
    file: view.name,
    line,
    endLine,
    source: sourceOfLines(view, line, endLine),
  }));
  return { places, declared, hasErrors: reply.messages.some(({ severity }) => severity === 'error') };
}

/** Without what Lean puts before a private name. */
function publicName(name: string): string {
  return name.replace(/^_private\..*?\.0\./, '');
}

const inOrder = (one: TextPlace, other: TextPlace): number =>
  one.line - other.line || one.column - other.column;

/** Where the project's files use a name: a full name, or its last parts. */
export async function referencesTo(call: Call, name: string): Promise<NameUse[]> {
  return await inFiles(call, name, (place) => place.name !== undefined && fits(place.name, name));
}

/** The name at a position, and where it is used. A local variable is used in its own file only. */
export async function referencesAt(
  call: Call,
  view: FileView,
  at: TextPlace,
  written: string,
): Promise<{ readonly symbol: string; readonly items: NameUse[] }> {
  const names = await namesOf(call, view);
  const place = names?.places
    .filter(
      ({ line, column, length }) => line === at.line && column <= at.column && at.column <= column + length,
    )
    .toSorted((one, other) => one.length - other.length)[0];
  if (!names || !place) return { symbol: written, items: await referencesTo(call, written) };
  const { name, key } = place;
  if (name === undefined)
    return {
      symbol: written,
      items: shown(
        view,
        names.places.filter((one) => one.key === key),
      ),
    };
  return { symbol: name, items: await inFiles(call, name, (one) => one.name === name) };
}

async function inFiles(call: Call, name: string, isMeant: (place: NamePlace) => boolean): Promise<NameUse[]> {
  const found: NameUse[] = [];
  const files = mentioning(call.desk, name);
  for (const [done, view] of files.entries()) {
    call.progress(done, files.length, view.name);
    const names = await namesOf(call, view);
    const places = names?.places ?? [];
    const isSeen = (one: TextPlace): boolean =>
      places.some(({ line, column }) => line === one.line && column === one.column);
    const byText = names && !names.hasErrors ? [] : occurrencesOf(view, name).filter((one) => !isSeen(one));
    const all = [
      ...shown(view, places.filter(isMeant)),
      ...byText.map((one) => ({ ...one, found_by: 'text' as const })),
    ];
    found.push(...all.toSorted(inOrder));
  }
  return found;
}

/** Sorted, each place once: Lean elaborates some terms twice. */
function shown({ name: file, text }: FileView, places: readonly NamePlace[]): NameUse[] {
  const lines = text.split('\n');
  const unique = new Map(places.map((one) => [`${one.line}:${one.column}`, one]));
  return [...unique.values()].toSorted(inOrder).map(({ line, column }) => ({
    file,
    line,
    column,
    text: (lines[line - 1] ?? '').trim(),
    found_by: 'lean',
  }));
}

const fits = (name: string, wanted: string): boolean => shorterNames(name).includes(wanted);

/** Files that contain the last part of a name. */
function mentioning({ files }: Desk, name: string): FileView[] {
  const last = name.split('.').at(-1) ?? name;
  return files.all().filter(({ text }) => text.includes(last));
}

/** The project's declarations of a name: the whole name, or its last parts. */
export async function declarationsByLean(call: Call, name: string): Promise<ProjectDeclaration[]> {
  const files = mentioning(call.desk, name);
  const isMeant = (one: ProjectDeclaration): boolean => fits(one.name, name);
  const inText = files.filter((view) => declarationsIn(view).some(isMeant));
  const found: ProjectDeclaration[] = [];
  for (const view of inText) {
    const names = await namesOf(call, view);
    const declared = names?.declared.filter(isMeant) ?? [];
    found.push(
      ...(declared.length > 0 || names?.hasErrors === false
        ? declared
        : declarationsIn(view).filter(isMeant)),
    );
  }
  if (found.length > 0) return found;
  // a name that a macro or an attribute has made: a file that uses it knows the module
  for (const view of files) {
    const use = (await namesOf(call, view))?.places.find(
      (one) => one.name !== undefined && fits(one.name, name),
    );
    if (use?.module === undefined) continue;
    const target = fileOf(use.module, '.lean');
    const home =
      call.desk.files.all().find((one) => one.name === target || one.name.endsWith(`/${target}`)) ?? view;
    return ((await namesOf(call, home))?.declared ?? []).filter(isMeant);
  }
  return [];
}
