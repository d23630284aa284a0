/**
 * Foreign text (theorem names, messages, paths), made safe to display. Such text could break a line and forge the next one, move the cursor, reverse the text direction or hide a part of itself. Those characters are shown as escapes: `\n`, `\u{1B}`, `\u{202E}`. Data (JSON, the ledger, Lean) keeps the text as it is.
 */
const deceptive =
  /[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Surrogate}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;

/** The runner of GitHub Actions takes `##[word]`, anywhere in a line of a log, as a command to itself. */
const command = '##[';

/** On one line. */
export function forPeople(text: string): string {
  return text.replaceAll(deceptive, escapeOf).replaceAll(command, `##${escapeOf('[')}`);
}

/** On several lines. All but the first start with a bar, so that none looks like orch's own output. */
export function linesForPeople(text: string): string {
  return harmless(text).split('\n').join('\n    │ ');
}

/** Line breaks and tabs are kept, for code and proofs that users copy. */
export function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(deceptive, (character) => (/[\n\t]/.test(character) ? character : escapeOf(character)))
    .replaceAll(command, `##${escapeOf('[')}`);
}

/** A line of orch's output that contains foreign text: `escaped\`✓ ${name}\``. */
export function escaped(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => forPeople(String(value))));
}

/** A line of JSON for a log. The data is the same. */
export function jsonForLog(value: unknown): string {
  return `${JSON.stringify(value).replaceAll(command, String.raw`##\u005b`)}\n`;
}

const short: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escapeOf(character: string): string {
  return short[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
