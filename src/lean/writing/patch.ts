/** Lines around a change. */
const context = 3;

/** How a text became another, as a unified diff that `git apply` takes; empty where they are equal. */
export function patchOf(file: string, before: string, after: string): string {
  if (before === after) return '';
  const [old, now] = [linesOf(before), linesOf(after)];
  const hunks = hunksOf(changesOf(old, now)).map((changes) => hunkText(old, now, changes));
  return [`--- a/${file}`, `+++ b/${file}`, ...hunks, ''].join('\n');
}

/** Lines `from` up to `to` of the one text became lines of the other. */
interface Change {
  readonly old: readonly [from: number, to: number];
  readonly now: readonly [from: number, to: number];
}

/** Lines with their ends; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** What differs, by the longest common sequence of lines of what is left when both ends that are equal are taken off. */
function changesOf(old: readonly string[], now: readonly string[]): Change[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const [first, second] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const lengths = commonLengths(first, second);
  const changes: Change[] = [];
  let [i, j] = [0, 0];
  while (i < first.length || j < second.length) {
    const from = [i, j] as const;
    while (!(i < first.length && j < second.length && first[i] === second[j])) {
      if (i >= first.length && j >= second.length) break;
      if (
        j >= second.length ||
        (i < first.length && (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))
      )
        i++;
      else j++;
    }
    if (i > from[0] || j > from[1])
      changes.push({ old: [start + from[0], start + i], now: [start + from[1], start + j] });
    while (i < first.length && j < second.length && first[i] === second[j]) [i, j] = [i + 1, j + 1];
  }
  return changes;
}

/** The length of the longest common sequence of what begins at each pair of lines. */
function commonLengths(first: readonly string[], second: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: first.length + 1 }, () => new Uint32Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--)
    for (let j = second.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row)
        row[j] =
          first[i] === second[j]
            ? 1 + (lengths[i + 1]?.[j + 1] ?? 0)
            : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  return lengths;
}

/** Changes whose contexts meet are printed together. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last && change.old[0] - last.old[1] <= 2 * context) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

function hunkText(old: readonly string[], now: readonly string[], changes: readonly Change[]): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return '';
  const start = Math.max(0, first.old[0] - context);
  const end = Math.min(old.length, last.old[1] + context);
  const newStart = first.now[0] - (first.old[0] - start);
  const newEnd = last.now[1] + (end - last.old[1]);
  const lines: string[] = [];
  let at = start;
  for (const change of changes) {
    for (; at < change.old[0]; at++) lines.push(marked(' ', old[at]));
    for (; at < change.old[1]; at++) lines.push(marked('-', old[at]));
    for (const line of now.slice(...change.now)) lines.push(marked('+', line));
  }
  for (; at < end; at++) lines.push(marked(' ', old[at]));
  return [`@@ -${span(start, end)} +${span(newStart, newEnd)} @@`, ...lines].join('\n');
}

function span(start: number, end: number): string {
  return `${end > start ? start + 1 : start},${end - start}`;
}

function marked(mark: string, line = ''): string {
  return line.endsWith('\n') ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}
