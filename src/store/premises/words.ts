/** The words of a name or a statement: `List.reverse_append` has list, reverse and append; `natAbs` has nat and abs. */
export function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? [])
    .flatMap((part) => part.split(/(?<=\p{Ll})(?=\p{Lu})/u))
    .map((word) => word.toLowerCase());
}
