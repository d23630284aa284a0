import type { Image } from '../rules/image.ts';
import { bind, isList, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';
import { fixedColours } from './decide.ts';

/** Panel logic: the list that an operation makes of every input, and a table over the cells at one place. */
export interface PanelRule {
  readonly op: string;
  readonly args: Arguments;
  /** Whether the table asks for colours, or only for what is filled. */
  readonly by: 'cells_of_list' | 'cells_of_masks';
  readonly table: Readonly<Record<string, string>>;
  /** How many parts there are. */
  readonly keys: number;
  readonly held: number;
}

const splits: readonly { op: string; args: Arguments }[] = [
  { op: 'panels', args: {} },
  ...['halves-across', 'halves-down', 'quarters', 'thirds', 'squares'].map((way) => ({
    op: 'parts',
    args: { way },
  })),
  { op: 'by_colour', args: {} },
  { op: 'cut', args: { by: 'object' } },
  { op: 'cut', args: { by: 'blob' } },
];

/** Learns the colour of each output cell from the cells at its place in the parts of the input. */
export function learnPanels(roots: readonly Image[], targets: readonly Image[]): PanelRule[] {
  const rules: PanelRule[] = [];
  for (const { op, args } of splits) {
    const apply = bind(operations.get(op) as Operation, args);
    const lists = roots.map((input) => apply(input, { input, frame: null }));
    const parts = lists.filter((list): list is readonly Image[] => list !== null && isList(list));
    if (parts.length < roots.length || !alike(parts, targets)) continue;
    for (const rule of [colourTable(parts, targets), maskTable(parts, targets)])
      if (rule !== null) rules.push({ op, args, ...rule });
  }
  return rules;
}

/** Every list has the same number of parts, all of the size of its output (tests: of one size). */
function alike(lists: readonly (readonly Image[])[], targets: readonly Image[]): boolean {
  const count = (lists[0] as readonly Image[]).length;
  if (count < 2 || count > 9) return false;
  return lists.every((list, i) => {
    const wanted: Image | undefined = targets[i] ?? list[0];
    return (
      list.length === count &&
      list.every((part) => part.width === wanted?.width && part.height === wanted.height)
    );
  });
}

type Rule = Omit<PanelRule, 'op' | 'args'>;
type Parts = readonly (readonly Image[])[];

/** The colours at one place say the colour. */
function colourTable(lists: Parts, targets: readonly Image[]): Rule | null {
  return tableFor('cells_of_list', lists, targets, (cell) => cell, fixedColours);
}

/** Which parts are filled says the colour, or the part that it is read from, so it holds for colours that no pair shows. */
function maskTable(lists: Parts, targets: readonly Image[]): Rule | null {
  const reads = (lists[0] as readonly Image[]).map((_, part) => `@${part}`);
  return tableFor('cells_of_masks', lists, targets, (cell) => Math.min(1, cell), [...fixedColours, ...reads]);
}

/** The first answer that is right wherever its key is asked for; null where a key has none. */
function tableFor(
  by: Rule['by'],
  lists: Parts,
  targets: readonly Image[],
  asked: (cell: number) => number,
  answers: readonly string[],
): Rule | null {
  const table = new Map<string, { answers: readonly string[]; pairs: Set<number> }>();
  for (const [pair, target] of targets.entries()) {
    const parts = lists[pair] as readonly Image[];
    for (const [i, colour] of target.cells.entries()) {
      const key = parts.map(({ cells }) => asked(cells[i] as number)).join(',');
      const known = table.get(key) ?? { answers, pairs: new Set() };
      const right = known.answers.filter(
        (answer) =>
          colour === (answer.startsWith('@') ? parts[Number(answer.slice(1))]?.cells[i] : Number(answer)),
      );
      if (right.length === 0) return null;
      table.set(key, { answers: right, pairs: known.pairs.add(pair) });
    }
  }
  const alone = new Set(
    [...table.values()].filter(({ pairs }) => pairs.size === 1).map(({ pairs }) => [...pairs][0]),
  );
  return {
    by,
    table: Object.fromEntries(
      [...table]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([
            key,
            {
              answers: [first],
            },
          ]) => [key, first as string],
        ),
    ),
    keys: (lists[0] as readonly Image[]).length,
    held: 1 - alone.size / targets.length,
  };
}
