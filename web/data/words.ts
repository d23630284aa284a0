import { wordsElementId } from '../../src/shared/api.ts';

let known: ReadonlyMap<string, string> | undefined;

/** Definitions of glossary terms, embedded in the page. */
export function meaningOf(word: string): string | undefined {
  known ??= new Map(Object.entries(carried()));
  return known.get(word);
}

function carried(): Record<string, string> {
  const text = document.getElementById(wordsElementId)?.textContent;
  return text ? (JSON.parse(text) as Record<string, string>) : {};
}
