/** Random numbers below a bound. */
export type Pick = (bound: number) => number;

type Row = unknown[];
interface Declaration extends Record<string, unknown> {
  kind: string;
}
interface Export {
  names: (null | Row)[];
  levels: (null | Row)[];
  exprs: Row[];
  declarations: Declaration[];
}

/** Ways to change one place of an export; each says whether it found one. */
const changes: Record<string, (data: Export, pick: Pick) => boolean> = {
  type: (data, pick) => redirect(data, pick, 'type'),
  value: (data, pick) => redirect(data, pick, 'value'),
  universe: (data, pick) => {
    const row = data.levels[1 + pick(Math.max(1, data.levels.length - 1))];
    if (!Array.isArray(row)) return false;
    if (row[0] === 'p') row.splice(0, 2, 's', 0);
    else row[1] = pick(Math.max(1, data.levels.indexOf(row)));
    return true;
  },
  sort: (data, pick) => onRow(data, pick, 's', (row) => (row[1] = pick(data.levels.length))),
  levels: (data, pick) =>
    onRow(data, pick, 'c', (row) => (row[2] = (row[2] as number[]).map(() => pick(data.levels.length)))),
  constant: (data, pick) => onRow(data, pick, 'c', (row) => (row[1] = constantOf(data, pick))),
  'bound variable': (data, pick) => onRow(data, pick, 'b', (row) => (row[1] = pick(4))),
  argument: (data, pick) =>
    onRow(data, pick, 'a', (row, at) => (row[1 + pick(row.length - 1)] = pick(Math.max(1, at)))),
  'order of arguments': (data, pick) =>
    onRow(data, pick, 'a', (row) => row.splice(1, 1, row.splice(-1, 1, row[1])[0])),
  'one argument less': (data, pick) => onRow(data, pick, 'a', (row) => row.length > 3 && row.pop()),
  domain: (data, pick) =>
    onRow(data, pick, pick(2) === 0 ? 'l' : 'p', (row, at) => (row[3] = pick(Math.max(1, at)))),
  body: (data, pick) =>
    onRow(data, pick, pick(2) === 0 ? 'l' : 'p', (row, at) => (row[4] = pick(Math.max(1, at)))),
  'lambda for pi': (data, pick) =>
    onRow(data, pick, pick(2) === 0 ? 'l' : 'p', (row) => (row[0] = row[0] === 'l' ? 'p' : 'l')),
  number: (data, pick) =>
    onRow(data, pick, 'n', (row) => (row[1] = String(BigInt(String(row[1])) + BigInt(1 + pick(3))))),
  text: (data, pick) => onRow(data, pick, 't', (row) => (row[1] = `${String(row[1])}x`)),
  projection: (data, pick) => onRow(data, pick, 'j', (row) => (row[2] = pick(4))),
  'projected structure': (data, pick) => onRow(data, pick, 'j', (row) => (row[1] = constantOf(data, pick))),
  let: (data, pick) => onRow(data, pick, 'd', (row, at) => (row[2 + pick(3)] = pick(Math.max(1, at)))),
  hints: (data, pick) => {
    const found = oneOf(
      data.declarations.filter((row) => row.kind === 'definition'),
      pick,
    );
    if (found) found['hints'] = [0, 1000, 'abbrev', 'opaque'][pick(4)];
    return found !== undefined;
  },
  kind: (data, pick) => {
    const found = oneOf(
      data.declarations.filter((row) => 'value' in row),
      pick,
    );
    if (!found) return false;
    found.kind = ['theorem', 'definition', 'opaque'][pick(3)] ?? 'theorem';
    found['hints'] ??= 'abbrev';
    found['safe'] ??= true;
    return true;
  },
  'universe parameters': (data, pick) => {
    const found = oneOf(data.declarations, pick);
    if (!found) return false;
    const levels = found['levels'] as number[];
    if (levels.length > 0 && pick(2) === 0) levels.pop();
    else levels.push(pick(data.names.length));
    return true;
  },
  'number of parameters': (data, pick) => {
    const found = oneOf(
      data.declarations.filter((row) => row.kind === 'inductive'),
      pick,
    );
    if (found) found['parameters'] = pick(4);
    return found !== undefined;
  },
  constructors: (data, pick) => {
    const block = oneOf(
      data.declarations.filter((row) => row.kind === 'inductive'),
      pick,
    );
    const type = block && oneOf(block['types'] as { constructors: Row[] }[], pick);
    const found = type && oneOf(type.constructors, pick);
    if (!type || !found) return false;
    if (pick(2) === 0) type.constructors.reverse();
    else found[1] = pick(data.exprs.length);
    return true;
  },
  name: (data, pick) => {
    const row = data.names[1 + pick(Math.max(1, data.names.length - 1))];
    if (!Array.isArray(row)) return false;
    if (pick(2) === 0) row[1] = `${String(row[1])}'`;
    else row[0] = pick(data.names.indexOf(row));
    return true;
  },
  safety: (data, pick) => {
    const found = oneOf(
      data.declarations.filter((row) => 'safe' in row),
      pick,
    );
    if (found) found['safe'] = false;
    return found !== undefined;
  },
  'one declaration less': (data, pick) => {
    data.declarations.splice(pick(data.declarations.length), 1);
    return true;
  },
  'one declaration twice': (data, pick) => {
    const found = oneOf(data.declarations, pick);
    if (found) data.declarations.push(structuredClone(found));
    return found !== undefined;
  },
  'order of declarations': (data, pick) => {
    const [from, to] = [pick(data.declarations.length), pick(data.declarations.length)];
    if (from === to) return false;
    data.declarations.splice(to, 0, ...data.declarations.splice(from, 1));
    return true;
  },
};

export const changeNames: readonly string[] = Object.keys(changes);

/** A copy of an export, changed in one place in the named way; undefined if it has no such place. */
export function mutate(exported: string, change: string, pick: Pick): string | undefined {
  const data = JSON.parse(exported) as Export;
  if (changes[change]?.(data, pick) !== true) return undefined;
  const changed = JSON.stringify(data);
  return changed === exported ? undefined : changed;
}

/** The same export with `max` for every `imax` whose second level is never zero. */
export function withPlainLevels(exported: string): unknown {
  const data = JSON.parse(exported) as Export;
  const isPositive: boolean[] = [];
  for (const [at, row] of data.levels.entries()) {
    const [left, right] = [1, 2].map((part) => isPositive[Number(row?.[part])] ?? false);
    if (row?.[0] === 'i' && right === true) row[0] = 'm';
    isPositive[at] =
      row?.[0] === 's' ||
      (row?.[0] === 'm' && (left === true || right === true)) ||
      (row?.[0] === 'i' && right === true);
  }
  return data;
}

function redirect(data: Export, pick: Pick, field: string): boolean {
  const found = oneOf(
    data.declarations.filter((row) => field in row),
    pick,
  );
  if (found) found[field] = pick(data.exprs.length);
  return found !== undefined;
}

function onRow(data: Export, pick: Pick, tag: string, change: (row: Row, at: number) => unknown): boolean {
  const at = oneOf(
    [...data.exprs.keys()].filter((i) => data.exprs[i]?.[0] === tag),
    pick,
  );
  const row = at === undefined ? undefined : data.exprs[at];
  if (at === undefined || row === undefined) return false;
  change(row, at);
  return true;
}

function constantOf(data: Export, pick: Pick): unknown {
  return (
    oneOf(
      data.exprs.filter((row) => row[0] === 'c'),
      pick,
    )?.[1] ?? 0
  );
}

function oneOf<T>(items: readonly T[], pick: Pick): T | undefined {
  return items.length === 0 ? undefined : items[pick(items.length)];
}
