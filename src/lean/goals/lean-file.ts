import type { Lease } from '../pool.ts';
import type { Position, Sorry, Written } from '../protocol.ts';
import { wholeStatement, type LeanGoal } from './goal.ts';

/** A declaration with `sorry`s: a goal, or why it is none. */
export type FileGoal = {
  readonly id: string;
  readonly source: string;
  /** Where its `sorry`s stand in the file. */
  readonly sorries: readonly Position[];
} & ({ readonly goal: LeanGoal } | { readonly goal: undefined; readonly message: string });

/** Reading is no search: a file may take a while, a minute is a broken one. */
const deadlineMs = 60_000;

/** The theorems of a text that have `sorry`s in them, each on what stands before it. */
export async function sorriesOfText(lease: Lease, text: string, file: string): Promise<FileGoal[]> {
  const body = { session: lease.rootSession, text, sorries: true, keep_going: true };
  const loaded = await lease.request('load', body, { deadlineMs });
  if (!loaded.ok) {
    const missing = loaded.missing.length > 0 ? `: ${loaded.missing.join(', ')}` : '';
    return [unreadable(file, 1, file, [], `${loaded.message}${missing}`)];
  }
  await lease.request('drop', { states: loaded.sorries.flatMap(({ state }) => state ?? []) });
  const found: FileGoal[] = [];
  const lines = text.split('\n');
  lease.expect(loaded.theorems.map(({ start }) => between(lines, [1, 0], start)));
  for (const [declaration, sorries] of byDeclaration(loaded.sorries)) {
    const places = sorries.map(({ start }) => start);
    const line = places[0]?.[0] ?? 1;
    const written = loaded.theorems.find(({ start, end }) =>
      places.every((place) => isWithin(place, start, end)),
    );
    found.push(
      written
        ? await goalOf(lease, lines, written, places, file)
        : unreadable(file, line, declaration, places, 'only theorems can be worked on'),
    );
  }
  await lease.request('unload', { sessions: [loaded.session] });
  return found;
}

async function goalOf(
  lease: Lease,
  lines: readonly string[],
  { name, start, end }: Written,
  places: readonly Position[],
  file: string,
): Promise<FileGoal> {
  const preamble = between(lines, [1, 0], start);
  const declaration = between(lines, start, end);
  const session = await lease.session(preamble, { deadlineMs });
  if (typeof session !== 'number')
    return unreadable(file, start[0], name, places, 'what stands before it does not load by itself');
  for (const split of assignments(declaration)) {
    const statement = declaration.slice(0, split).trim();
    const reply = await lease.request('statement', { session, statement }, { deadlineMs });
    if (!reply.ok) continue;
    const template = declaration.slice(split + ':='.length).trim();
    const isWhole = /^(?:sorry|by\s+sorry)$/.test(template);
    const goal: LeanGoal = {
      id: name,
      preamble,
      statement,
      holes: isWhole ? wholeStatement : { kind: 'sorries', template },
      topic: null,
      label: null,
      allowAxioms: [],
      source: `${file}:${places[0]?.[0] ?? start[0]}`,
    };
    return { id: name, source: `${file}:${start[0]}`, sorries: places, goal };
  }
  return unreadable(
    file,
    start[0],
    name,
    places,
    'it is not of the form `theorem NAME BINDERS : TYPE := PROOF`',
  );
}

function unreadable(
  file: string,
  line: number,
  id: string,
  sorries: readonly Position[],
  message: string,
): FileGoal {
  return { id, source: `${file}:${line}`, sorries, goal: undefined, message };
}

function byDeclaration(sorries: readonly Sorry[]): Map<string, Sorry[]> {
  return Map.groupBy(sorries, ({ declaration }) => declaration);
}

/** Where a `:=` stands outside brackets, comments and strings: one of these begins the proof. */
function assignments(text: string): number[] {
  const found: number[] = [];
  let depth = 0;
  const tokens = /--[^\n]*|\/-[\s\S]*?-\/|"(?:\\.|[^"\\])*"|:=|[([{⟨⦃]|[)\]}⟩⦄]/g;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if ('([{⟨⦃'.includes(token)) depth++;
    else if (')]}⟩⦄'.includes(token)) depth--;
    else if (token === ':=' && depth === 0) found.push(index);
  }
  return found;
}

function isWithin([line, column]: Position, start: Position, end: Position): boolean {
  const isAfter = line > start[0] || (line === start[0] && column >= start[1]);
  return isAfter && (line < end[0] || (line === end[0] && column <= end[1]));
}

/** The text between two positions; Lean counts columns in code points. */
function between(lines: readonly string[], start: Position, end: Position): string {
  return lines
    .slice(start[0] - 1, end[0])
    .map((line, index) => {
      const points = Array.from(line);
      const from = index === 0 ? start[1] : 0;
      const to = index === end[0] - start[0] ? end[1] : points.length;
      return points.slice(from, to).join('');
    })
    .join('\n');
}
