import { closingOf, outside } from '../../base/brackets.ts';

/** A tactic of a script, with one block per remaining goal if the script proves them separately. */
export interface Step {
  readonly tactic: string;
  readonly cases: readonly Case[];
}

export interface Case {
  /**
   * The header of a case of `induction … with`: its name and those of its fields. A case without one has a
   * bullet.
   */
  readonly head?: string;
  readonly steps: readonly Step[];
}

export type Outline = readonly Step[];

/** Maximum columns of a line, the indentation of a proof in a theorem included. */
const columns = 100;
/** Minimum indentation of a proof. */
const margin = 2;

/** A script with bullets as its steps. A tactic of several lines is one step. */
export function outlineOf(script: string): Outline {
  const steps: { tactic: string; cases: Case[] }[] = [];
  const lines = script.split('\n');
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const last = steps.at(-1);
    if (line.startsWith('· ') && last) {
      const block = [line.slice(2)];
      while (/^ {2}/.test(lines[index + 1] ?? '')) block.push((lines[++index] ?? '').slice(2));
      last.cases.push({ steps: outlineOf(block.join('\n')) });
    } else if (/^(?:\s|\| |$)/.test(line) && last && last.cases.length === 0) last.tactic += `\n${line}`;
    else steps.push({ tactic: line, cases: [] });
  }
  return steps;
}

export function step(tactic: string, cases: readonly Case[] = []): Step {
  return { tactic, cases };
}

/** All steps in the order in which they are run. */
export function flat(outline: Outline): Step[] {
  return outline.flatMap((one) => [one, ...one.cases.flatMap(({ steps }) => flat(steps))]);
}

/** The outline with one step replaced by others. */
export function replaced(outline: Outline, old: Step, by: readonly Step[]): Outline {
  return outline.flatMap((one) => {
    if (one === old) return by;
    // unchanged parts stay the same object
    if (!flat([one]).includes(old)) return [one];
    const cases = one.cases.map((each) => ({ ...each, steps: replaced(each.steps, old, by) }));
    return [{ ...one, cases }];
  });
}

/** The step without its cases, which remain as goals in order. */
export function runnable({ tactic, cases }: Step): string {
  if (cases[0]?.head === undefined) return tactic;
  return [`${tactic} with`, ...cases.map(({ head }) => `| ${head} => ?_`)].join('\n');
}

/** The outline as a tactic block. */
export function writtenOutline(outline: Outline, depth = margin): string {
  return outline.flatMap((one) => linesOf(one, depth)).join('\n');
}

function linesOf({ tactic, cases }: Step, depth: number): string[] {
  const own = wrapped(tactic, depth);
  if (cases[0]?.head === undefined)
    return [...own, ...cases.flatMap(({ steps }) => bullet(writtenOutline(steps, depth + 2).split('\n')))];
  return [
    ...own.slice(0, -1),
    `${own.at(-1)} with`,
    ...cases.flatMap(({ head = '', steps }) => {
      const lines = writtenOutline(steps, depth + 2).split('\n');
      const inline = `| ${head} => ${lines[0]}`;
      const isShort = lines.length === 1 && depth + inline.length <= columns;
      return isShort ? [inline] : [`| ${head} =>`, ...lines.map((line) => `  ${line}`)];
    }),
  ];
}

function bullet(lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? '·' : ' '} ${line}`);
}

/** Marks after which a long line may be broken, best first. */
const breaks = [
  [' → ', ' := ', ' : '],
  [', ', ' <;>', ' ∧ ', ' ∨ ', ' ↔ '],
  [' (', ' = '],
] as const;

/** Breaks a long line at the best mark; continuation lines are indented further. */
function wrapped(tactic: string, depth: number): string[] {
  const lines: string[] = [];
  for (const line of tactic.split('\n')) {
    const [indent = ''] = /^ */.exec(line) ?? [];
    let rest = line;
    for (let room = columns - depth; rest.length > room;) {
      const at = bestBreak(rest.slice(0, room + 1), indent.length + leastPart);
      if (at === undefined) break;
      lines.push(rest.slice(0, at).trimEnd());
      rest = `${indent}  ${rest.slice(at).trimStart()}`;
    }
    lines.push(rest);
  }
  return lines;
}

/** Minimum length of a continuation line. */
const leastPart = 20;

/** The end of the last mark in the fewest brackets, and of the best one there. */
function bestBreak(part: string, least: number): number | undefined {
  const depths: number[] = [];
  let depth = 0;
  for (const character of part) {
    if (closing.includes(character)) depth--;
    for (let unit = 0; unit < character.length; unit++) depths.push(depth);
    if (opening.includes(character)) depth++;
  }
  const found = breaks.flatMap((marks, rank) =>
    marks.flatMap((mark) => endsOf(part, mark).map((end) => ({ end, rank, depth: depths[end - 1] ?? 0 }))),
  );
  const [best] = found
    .filter(({ end }) => end > least && end < part.length)
    .toSorted((one, two) => one.depth - two.depth || one.rank - two.rank || two.end - one.end);
  return best?.end;
}

/** The positions after each such mark. An opening bracket and a `<;>` move to the next line with what follows them. */
function endsOf(part: string, mark: string): number[] {
  const length = mark === ' (' || mark === ' <;>' ? 0 : mark.trimEnd().length;
  const ends: number[] = [];
  for (let at = part.indexOf(mark); at >= 0; at = part.indexOf(mark, at + 1)) ends.push(at + length);
  return ends;
}

const opening = '([{⟨⦃';
const closing = ')]}⟩⦄';

/** A text cut at a separator outside of brackets. */
export function cutAt(text: string, separator: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const at of outside(text)) {
    if (at < from || !text.startsWith(separator, at)) continue;
    parts.push(text.slice(from, at));
    from = at + separator.length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim());
}

/** Without brackets around the whole text. */
export function bare(tactic: string): string {
  const isWhole = tactic.startsWith('(') && closingOf(tactic) === tactic.length - 1;
  return isWhole ? tactic.slice(1, -1).trim() : tactic;
}
