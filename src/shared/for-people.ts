/**
 * Text that someone else wrote (the name of a theorem, a message, a path), as a person reads it. Such text could break a line
 * and forge the next one, move the cursor, turn the direction of what follows or hide a part of itself. Those characters are
 * shown as escapes: `\n`, `\u{1B}`, `\u{202E}`. Data (JSON, the ledger, Lean) keeps the text as it is.
 */
const deceptive =
  /[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\p{Surrogate}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/gu;

/** On one line. */
export function forPeople(text: string): string {
  return text.replaceAll(deceptive, escapeOf);
}

/** On as many lines as it has; the others follow a bar, so that none of them is taken for one of ours. */
export function linesForPeople(text: string): string {
  return harmless(text).split('\n').join('\n    │ ');
}

/** Line breaks and tabs are kept: for code and proofs, which someone copies. */
export function harmless(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(deceptive, (character) => (/[\n\t]/.test(character) ? character : escapeOf(character)));
}

/** A line of ours with foreign text in it: `escaped\`✓ ${name}\``. */
export function escaped(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...values.map((value) => forPeople(String(value))));
}

const short: Readonly<Record<string, string>> = {
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
  '\t': String.raw`\t`,
};

function escapeOf(character: string): string {
  return short[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
