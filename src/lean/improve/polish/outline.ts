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
const breaks = [[' → ', ' := ', ' : '], [', ', ' <;>'], [' (']] as const;

/** Breaks a long line at the best mark; continuation lines are indented further. */
function wrapped(tactic: string, depth: number): string[] {
  const lines: string[] = [];
  for (const line of tactic.split('\n')) {
    const [indent = ''] = /^ */.exec(line) ?? [];
    let rest = line;
    for (let room = columns - depth; rest.length > room;) {
      const part = rest.slice(0, room + 1);
      const at = breaks
        .map((marks) => Math.max(...marks.map((mark) => endOf(part, mark))))
        .find((end) => end > indent.length + leastPart);
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

/**
 * The position after the last such mark. An opening bracket and a `<;>` move to the next line with what follows
 * them.
 */
function endOf(part: string, mark: string): number {
  const at = lastOf(part, mark);
  if (at < 0) return -1;
  return mark === ' (' || mark === ' <;>' ? at : at + mark.trimEnd().length;
}

const opening = '([{⟨⦃';
const closing = ')]}⟩⦄';

/** The last such mark; a colon inside brackets does not count: `(x : T)` stays on one line. */
function lastOf(part: string, mark: string): number {
  let at = part.lastIndexOf(mark, part.length - mark.length);
  if (mark !== ' : ') return at;
  while (at >= 0 && isInBrackets(part.slice(0, at))) at = part.lastIndexOf(mark, at - 1);
  return at;
}

function isInBrackets(before: string): boolean {
  let depth = 0;
  for (let index = 0; index < before.length; index++) {
    if (opening.includes(before.charAt(index))) depth++;
    if (closing.includes(before.charAt(index)) && depth > 0) depth--;
  }
  return depth > 0;
}

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
