import * as z from 'zod';
import { UserError } from '../../core/errors.ts';
import { environmentOfFile } from '../../lean/project/environment.ts';
import type { FileGoal } from '../../lean/goals/lean-file.ts';
import * as answers from './answers.ts';
import {
  declarationsIn,
  declarationsNamed,
  nameAt,
  shorterNames,
  throughCommandAt,
  typedBefore,
} from './declarations.ts';
import { diagnosticsOf } from './diagnostics.ts';
import { declarationsByLean, referencesAt, referencesTo } from './file-names.ts';
import { goalAt } from './goal-at.ts';
import { about, type FileView } from './project-files.ts';
import { filePath, line, textContent, tool, type Call, type Tool } from './tool.ts';

const column = z.int().min(1).describe('Column, from 1');
const limit = z.int().min(1).max(500).default(50);
const offset = z.int().min(0).default(0);
const hoverSeconds = 60;

/** Tools for an editor's questions: what a name means, where it is declared and used, how to complete it. */
export const codeTools: readonly Tool[] = [
  tool({
    name: 'lean_hover_info',
    output: answers.hover,
    title: 'Type of a name',
    description:
      'The type of the hypothesis or constant at a position, and the doc comment if the project declares it.',
    input: z.object({ file_path: filePath, line, column }),
    async run({ file_path, ...place }, call) {
      const { files } = call.desk;
      const view = files.read(file_path);
      const name = nameAt(view, place);
      const local = hypothesisOf(await goalOrNone(call, view, place), name);
      const signature = local ?? (await signatureOf(call, view, place.line, name));
      const [declared] = local === undefined ? declarationsNamed(files, name) : [];
      return {
        ...about(view, files.isStale(view)),
        symbol: name,
        info: signature,
        documentation: /\/--([\s\S]*?)-\//.exec(declared?.source ?? '')?.[1]?.trim() ?? null,
      };
    },
  }),
  tool({
    name: 'lean_completions',
    output: answers.completions,
    title: 'Completions',
    description:
      'Names that begin with what is typed before a position: hypotheses, declarations of the project, then the library.',
    input: z.object({ file_path: filePath, line, column, max_completions: limit }),
    async run({ file_path, max_completions, ...place }, call) {
      const { desk } = call;
      const view = desk.files.read(file_path);
      const typed = typedBefore(view, place);
      if (typed === '') throw new UserError('no-name', 'nothing is typed before the position');
      const found = await goalOrNone(call, view, {
        ...place,
        column: place.column - Array.from(typed).length,
      });
      const locals = (found?.shown?.hypotheses ?? []).map(({ name, type }) => ({
        label: name,
        detail: type,
      }));
      const own = desk.files
        .all()
        .flatMap((file) =>
          declarationsIn(file).flatMap(({ name, kind, file: where }) =>
            shorterNames(name).map((label) => ({ label, detail: `${kind} ${name} (${where})` })),
          ),
        );
      const wanted = [typed, ...ofType(found, typed)];
      const begins = ({ label }: { readonly label: string }): boolean =>
        wanted.some((begin) => label.startsWith(begin));
      const library = await desk.orch.names(wanted, max_completions);
      const items = [
        ...locals.filter(begins),
        ...own.filter(begins),
        ...library.map((label) => ({ label, detail: 'library' })),
      ];
      const unique = [...new Map(items.map((item) => [item.label, item])).values()];
      return { prefix: typed, items: unique.slice(0, max_completions), total: unique.length };
    },
  }),
  tool({
    name: 'lean_references',
    output: answers.references,
    title: 'Uses of a name',
    description:
      'Where the project’s files declare and use a name, given by itself or by a position, as Lean resolves it. `found_by: text` marks places in files or commands that Lean cannot read: other names with the same last part match there too.',
    input: z.object({
      name: textContent.optional(),
      file_path: filePath.optional(),
      line: line.optional(),
      column: column.optional(),
      limit,
      offset,
    }),
    async run({ name, file_path, line: at, column: exact, limit: most, offset: from }, call) {
      const found =
        name === undefined
          ? await atPlace(call, file_path, at, exact)
          : { symbol: name, items: await referencesTo(call, name) };
      return { ...found, items: found.items.slice(from, from + most), total: found.items.length };
    },
  }),
  tool({
    name: 'lean_declaration_file',
    output: answers.source,
    title: 'Source of a declaration',
    description:
      'The text of the project’s declarations of a name. For a library name: its module and statement (the embedded library has no sources).',
    input: z.object({ symbol: textContent }),
    async run({ symbol }, call) {
      const { desk, budget } = call;
      const items = (await declarationsByLean(call, symbol)).map(({ endLine, ...one }) => ({
        ...one,
        end_line: endLine,
      }));
      if (items.length > 0) return { symbol, items, library: null };
      const pay = (cpuSeconds: number): void => budget.charge(cpuSeconds);
      const found = await desk.orch.declaration(symbol, pay);
      if (!found)
        throw new UserError(
          'no-declaration',
          `neither the project nor the library's theorems and definitions have ${symbol}`,
          'lean_local_search and lean_premises find names.',
        );
      return { symbol, items: [], library: found };
    },
  }),
  tool({
    name: 'lean_file_outline',
    output: answers.outline,
    title: 'Declarations of a file',
    description: 'The declarations of a file in order, with their lines.',
    input: z.object({ file_path: filePath }),
    async run({ file_path }, { desk }) {
      const view = desk.files.read(file_path);
      return await Promise.resolve({
        ...about(view, false),
        items: declarationsIn(view).map(({ name, kind, line: at, endLine }) => ({
          name,
          kind,
          line: at,
          end_line: endLine,
        })),
      });
    },
  }),
];

async function atPlace(
  call: Call,
  file: string | undefined,
  row: number | undefined,
  exact: number | undefined,
): ReturnType<typeof referencesAt> {
  if (file === undefined || row === undefined || exact === undefined)
    throw new UserError('usage', 'required: name, or file_path, line and column');
  const view = call.desk.files.read(file);
  const place = { line: row, column: exact };
  return await referencesAt(call, view, place, nameAt(view, place));
}

/** The goal at the position or at the start of its line; none if Lean cannot read the text before it as a proof. */
async function goalOrNone(
  call: Call,
  view: FileView,
  place: { readonly line: number; readonly column: number },
): Promise<FileGoal | undefined> {
  try {
    const { line: at } = place;
    return (await goalAt(call, view, place)) ?? (await goalAt(call, view, { line: at }));
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function hypothesisOf(found: FileGoal | undefined, name: string): string | undefined {
  const [first = name] = name.split('.', 1);
  const local = found?.shown?.hypotheses.find((one) => one.name === first);
  return local && `${local.name} : ${local.type}`;
}

/** `h.` after `h : List Nat` completes to names of `List`. */
function ofType(found: FileGoal | undefined, typed: string): string[] {
  const [, name = '', rest = ''] = /^([^.]+)\.(.*)$/.exec(typed) ?? [];
  const type = found?.shown?.hypotheses.find((one) => one.name === name)?.type;
  const [head = ''] = /^[\p{L}_][\p{L}\p{N}_.']*/u.exec(type ?? '') ?? [];
  return head === '' ? [] : [`${head}.${rest}`];
}

/** The output of `#check` for a name after the command at a line. */
async function signatureOf(call: Call, view: FileView, at: number, name: string): Promise<string> {
  const before = throughCommandAt(view, at);
  const code = `${before}\n#check ${name}\n`;
  const environment = environmentOfFile(view.file, view.text);
  const said = await diagnosticsOf(call, code, environment, hoverSeconds);
  const asked = before.split('\n').length;
  const answer = said.diagnostics.findLast((one) => one.line > asked);
  if (answer?.severity === 'info') return answer.message;
  throw new UserError(
    'no-info',
    `${view.name}:${at}: Lean has no type for ${name}: ${answer?.message ?? ''}`,
  );
}
