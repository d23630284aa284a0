import path from 'node:path';
import * as z from 'zod';
import { withProofs } from '../lean/writing/in-place.ts';
import { patchOf } from '../lean/writing/patch.ts';
import type { GoalPlace } from '../shared/api.ts';

const Position = z.tuple([z.int(), z.int()]);
/** The part of a Lean goal's task that says where its proof belongs. */
const Task = z.object({
  place: z.object({
    file: z.string(),
    start: Position,
    end: Position,
    form: z.enum(['term', 'tactic', 'value', 'equations']),
    around: z.object({ first: z.int(), text: z.string() }).exactOptional(),
  }),
});

type Place = z.infer<typeof Task>['place'];

/** The URL that opens a file in an editor. */
export interface EditorLink {
  /** Contains {file}, {line} and {column}. */
  readonly template: string;
  /** The folder that file names are relative to. */
  readonly folder: string;
}

/** Where a goal's proof belongs, and the proof as a patch; null for a goal that has no such place. */
export function goalPlace(task: unknown, proof: string | null, editor: EditorLink | null): GoalPlace | null {
  const place = Task.safeParse(task).data?.place;
  if (!place) return null;
  const { file, start } = place;
  const [line, column] = [start[0], start[1] + 1];
  return {
    file,
    line,
    column,
    editor: editor && linkTo(editor, file, line, column),
    patch: proof === null ? null : patchFor(place, proof),
  };
}

function patchFor(place: Place, proof: string): string | null {
  const { file, around } = place;
  if (!around) return null;
  // the text of the lines before is unknown; only their number matters
  const before = '\n'.repeat(around.first - 1) + around.text;
  return patchOf(file, before, withProofs(before, [{ place, proof }]));
}

function linkTo({ template, folder }: EditorLink, file: string, line: number, column: number): string {
  const values: Record<string, string> = {
    file: encodeURI(path.resolve(folder, file)),
    line: String(line),
    column: String(column),
  };
  return template.replaceAll(/\{(file|line|column)\}/g, (_, name: string) => values[name] ?? '');
}
