/** A name as a shell wants it. */
export function inShell(name: string): string {
  return /^[\w.:/#-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
