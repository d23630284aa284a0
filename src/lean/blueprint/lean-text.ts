/** Lean code as LaTeX. */
export function texCode(text: string): string {
  const escaped = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\{}$&#^_%~]/g, (character) =>
      character === '\\'
        ? String.raw`\textbackslash{}`
        : '^~'.includes(character)
          ? `\\${character}{}`
          : `\\${character}`,
    );
  return String.raw`\texttt{${escaped}}`;
}
