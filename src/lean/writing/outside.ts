import type { SourceText } from '../base/source-text.ts';
import type { Declared } from '../base/protocol.ts';

/**
 * The text outside declarations, with keyword and name of each declaration in place. A proof that contains a command (an axiom,
 * an instance, a macro, `open`) changes this; spaces and line comments do not.
 */
export function outsideDeclarations(source: SourceText, declared: readonly Declared[]): string {
  const commands = Map.groupBy(declared, ({ start, end }) => String([start, end]));
  const parts: string[] = [];
  let from: Declared['start'] = [1, 0];
  for (const words of commands.values()) {
    const [{ start, end } = { start: from, end: from }] = words;
    parts.push(bare(source.between(from, start)), ...words.map(({ word, name }) => `${word} ${name}`));
    from = end;
  }
  return [...parts, bare(source.between(from, [Infinity, 0]))].join('\n');
}

function bare(text: string): string {
  return text.replaceAll(/--[^\n]*|\s+/g, '');
}
