import type { Image } from '../rules/image.ts';
import { bind, isList, type Arguments, type Operation } from '../rules/operation.ts';
import { operations } from '../rules/registry.ts';

/** Panel logic: the list that an operation makes of every input, and a table over the cells at one place. */
export interface PanelRule {
  readonly op: string;
  readonly args: Arguments;
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
    const rule = tableFor(parts, targets);
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

function tableFor(
  lists: readonly (readonly Image[])[],
  targets: readonly Image[],
): Omit<PanelRule, 'op' | 'args'> | null {
  const table = new Map<string, { colour: number; pairs: Set<number> }>();
  for (const [pair, target] of targets.entries()) {
    for (let i = 0; i < target.cells.length; i++) {
      const key = keyAt(lists[pair] as readonly Image[], i);
      const known = table.get(key);
      if (known === undefined) table.set(key, { colour: target.cells[i] as number, pairs: new Set([pair]) });
      else if (known.colour !== target.cells[i]) return null;
      else known.pairs.add(pair);
    }
  }
  const alone = new Set(
    [...table.values()].filter(({ pairs }) => pairs.size === 1).map(({ pairs }) => [...pairs][0]),
  );
  return {
    table: Object.fromEntries(
      [...table].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { colour }]) => [key, `${colour}`]),
    ),
    keys: (lists[0] as readonly Image[]).length,
    held: 1 - alone.size / targets.length,
  };
}

function keyAt(list: readonly Image[], i: number): string {
  return list.map(({ cells }) => cells[i]).join(',');
}
