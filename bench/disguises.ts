import { declaredAxioms, type LeanGoal } from '../src/lean/goals/goal.ts';

/** Renamed and reordered versions of the same goals, to test what the caches recognise. */

const word = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*/gu;

/** Renames the binders, and permutes independent binders of the last groups. */
export function permuted(goal: LeanGoal): LeanGoal {
  const { head, groups, rest } = parsed(goal.statement);
  const names = groups.flatMap(({ names: some }) => some);
  const renamed = new Map(names.map((name, index) => [name, `${name}_${names.length - index}`]));
  const rename = (text: string): string => text.replaceAll(word, (name) => renamed.get(name) ?? name);
  const others = groups.map((group) => ({
    ...group,
    names: group.names.map(rename),
    type: rename(group.type),
  }));
  const moved = others
    .map((group, index) => ({
      group,
      rank: others.slice(0, index).some((before) => needs(group, before)) ? 1 : 0,
    }))
    .toReversed()
    .sort((one, two) => one.rank - two.rank)
    .map(({ group }) => group);
  const isFine = moved.every((group, index) => moved.slice(index + 1).every((later) => !needs(group, later)));
  const order = isFine ? moved : others;
  const binders = order.map(
    ({ open, names: some, type, close }) => `${open}${some.join(' ')} : ${type}${close}`,
  );
  return { ...goal, statement: `${[head, ...binders].join(' ')} :${rename(rest)}` };
}

/** Renames everything that its preamble defines, as in an unrelated project. */
export function otherNames(goal: LeanGoal): LeanGoal {
  const defined = [
    ...goal.preamble.matchAll(/^(?:def|inductive|structure|theorem|abbrev) ([\p{L}_][\p{L}\p{N}_']*)/gmu),
  ]
    .map(([, name = '']) => name)
    .filter((name) => !declaredAxioms(goal.preamble).includes(name));
  const renamed = new Map(defined.map((name) => [name, `${name}Elsewhere`]));
  const rename = (text: string): string => text.replaceAll(word, (name) => renamed.get(name) ?? name);
  return { ...goal, preamble: rename(goal.preamble), statement: rename(goal.statement) };
}

interface Group {
  readonly open: string;
  readonly names: readonly string[];
  readonly type: string;
  readonly close: string;
}

/** `theorem name (a b : T) … : rest`; binders in other brackets stay in the head with everything before them. */
function parsed(statement: string): { head: string; groups: Group[]; rest: string } {
  const groups: Group[] = [];
  let at = statement.indexOf('(');
  const colon = statement.indexOf(' :');
  if (at < 0 || (colon >= 0 && colon < at))
    return { head: statement.slice(0, colon), groups, rest: statement.slice(colon + 2) };
  const head = statement.slice(0, at).trim();
  for (; statement[at] === '('; at = skipSpace(statement, at)) {
    let depth = 0;
    const start = at;
    do {
      if (statement[at] === '(') depth++;
      if (statement[at] === ')') depth--;
      at++;
    } while (depth > 0);
    const [names = '', ...type] = statement.slice(start + 1, at - 1).split(' : ');
    groups.push({ open: '(', names: names.trim().split(' '), type: type.join(' : '), close: ')' });
  }
  const rest = statement.slice(at);
  // an instance between the binders: move nothing, and keep everything in the head
  if (!rest.startsWith(':'))
    return {
      head: statement.slice(0, statement.lastIndexOf(' : ')),
      groups: [],
      rest: statement.slice(statement.lastIndexOf(' : ') + 2),
    };
  return { head, groups, rest: rest.slice(1) };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text[at] ?? '')) at++;
  return at;
}

function needs({ type }: Group, { names }: Group): boolean {
  const words = new Set(type.match(word) ?? []);
  return names.some((name) => words.has(name));
}
