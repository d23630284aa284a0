import fc from 'fast-check';
import type { Export } from './attack.ts';

/** One change of an export. Places are taken modulo the size of the table, so that every edit fits every export. */
export type Edit =
  | {
      readonly change: 'number' | 'type' | 'drop' | 'double' | 'swap';
      readonly table: Table;
      readonly at: number;
      readonly to: number;
    }
  | { readonly change: 'value'; readonly table: Table; readonly at: number; readonly value: unknown }
  | { readonly change: 'kind'; readonly at: number; readonly kind: string }
  | { readonly change: 'truncate'; readonly table: Table; readonly at: number }
  | { readonly change: 'nest'; readonly table: Table; readonly at: number; readonly depth: number }
  | { readonly change: 'deepen'; readonly at: number; readonly depth: number }
  | { readonly change: 'replace'; readonly table: Table; readonly value: unknown };

const tables = ['names', 'levels', 'exprs', 'declarations', 'theorems'] as const;
type Table = (typeof tables)[number];

const table = fc.constantFrom(...tables);
/** Most edits hit the expressions: there are most of them. */
const likelyTable = fc.oneof({ weight: 3, arbitrary: fc.constant('exprs' as const) }, table);
const oddNumber = fc.oneof(
  fc.nat(),
  fc.nat(40),
  fc.constantFrom(-1, 0, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e300, Number.MAX_VALUE),
);
const oddValue = fc.oneof(
  oddNumber,
  fc.string(),
  fc.constantFrom(
    null,
    true,
    [],
    {},
    '',
    '\u{d800}',
    '\0',
    '9'.repeat(30_000),
    'sorryAx',
    [[]],
    [['c', 0, []]],
  ),
);

const anEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    change: fc.constantFrom(
      'number' as const,
      'type' as const,
      'drop' as const,
      'double' as const,
      'swap' as const,
    ),
    table: likelyTable,
    at: fc.nat(),
    to: oddNumber,
  }),
  fc.record({ change: fc.constant('value' as const), table: likelyTable, at: fc.nat(), value: oddValue }),
  fc.record({
    change: fc.constant('kind' as const),
    at: fc.nat(),
    kind: fc.constantFrom('theorem', 'definition', 'opaque', 'axiom', 'inductive', 'quotient', 'nothing'),
  }),
  fc.record({ change: fc.constant('truncate' as const), table, at: fc.nat() }),
  fc.record({
    change: fc.constant('nest' as const),
    table: likelyTable,
    at: fc.nat(),
    depth: fc.nat(300),
  }),
  fc.record({
    change: fc.constant('deepen' as const),
    at: fc.nat(),
    depth: fc.constantFrom(50, 5000, 19_000, 30_000),
  }),
  fc.record({ change: fc.constant('replace' as const), table, value: oddValue }),
);

export const edits: fc.Arbitrary<readonly Edit[]> = fc.array(anEdit, { minLength: 1, maxLength: 4 });

export function applyEdits(exported: Export | undefined, changes: readonly Edit[]): unknown {
  const copy = structuredClone(exported) as unknown as Record<string, unknown>;
  for (const change of changes) apply(copy, change);
  return copy;
}

function apply(exported: Record<string, unknown>, edit: Edit): void {
  switch (edit.change) {
    case 'replace':
      exported[edit.table] = edit.value;
      return;
    case 'kind':
      return onRow(exported['declarations'], edit.at, (rows, at) => {
        rows[at] = { ...(rows[at] as object), kind: edit.kind, safe: true, hints: 'abbrev' };
      });
    case 'deepen':
      return onRow(exported['exprs'], edit.at, (rows, at) => deepen(exported, rows, at, edit.depth));
    case 'truncate':
      return onRow(exported[edit.table], edit.at, (rows, at) => void rows.splice(at));
    case 'nest':
      return onRow(exported[edit.table], edit.at, (rows, at) => {
        for (let level = 0; level < edit.depth; level++) rows[at] = [rows[at]];
      });
    case 'value':
      return onRow(exported[edit.table], edit.at, (rows, at) => changeItem(rows, at, edit.at, edit.value));
    case 'number':
      return onRow(exported[edit.table], edit.at, (rows, at) => changeItem(rows, at, edit.to, edit.to));
    case 'type':
      return onRow(exported[edit.table], edit.at, (rows, at) =>
        changeItem(rows, at, edit.at, [String(edit.to)]),
      );
    case 'drop':
      return onRow(exported[edit.table], edit.at, (rows, at) => void rows.splice(at, 1));
    case 'double':
      return onRow(exported[edit.table], edit.at, (rows, at) => void rows.splice(at, 0, rows[at]));
    case 'swap':
      return onRow(exported[edit.table], edit.at, (rows, at) => {
        const other = Math.floor(Math.abs(edit.to)) % rows.length;
        [rows[at], rows[other]] = [rows[other], rows[at]];
      });
  }
}

function onRow(rows: unknown, at: number, change: (rows: unknown[], at: number) => void): void {
  if (Array.isArray(rows) && rows.length > 0) change(rows, at % rows.length);
}

/** Change one item of a row, whether that is an array, an object or a bare number. */
function changeItem(rows: unknown[], at: number, which: number, value: unknown): void {
  const row = rows[at];
  const place = Math.floor(Math.abs(which));
  if (Array.isArray(row) && row.length > 0) row[place % row.length] = value;
  else if (typeof row === 'object' && row !== null) {
    const keys = Object.keys(row);
    (row as Record<string, unknown>)[keys[place % keys.length] ?? ''] = value;
  } else rows[at] = value;
}

/** A value of a declaration becomes a long chain of applications. */
function deepen(exported: Record<string, unknown>, rows: unknown[], at: number, depth: number): void {
  let last = at;
  for (let level = 0; level < depth; level++) last = rows.push(['a', at, last]) - 1;
  onRow(exported['declarations'], at, (declarations, index) => {
    const row = declarations[index];
    if (typeof row === 'object' && row !== null) (row as Record<string, unknown>)['value'] = last;
  });
}
