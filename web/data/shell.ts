/** Quotes a name for a shell. */
export function inShell(name: string): string {
  return /^[\w.:/#-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
