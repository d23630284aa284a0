import type { Command } from 'commander';
import { glossary, type Word } from '../../config/glossary.ts';
import { nearest } from '../../config/nearest.ts';
import { UserError } from '../../core/errors.ts';
import { alignColumns } from '../../reporters/format.ts';

export function registerExplain(program: Command): void {
  program
    .command('explain')
    .description('Explain a term: arm, slate, replayed, hit rate, …')
    .argument('[word]', 'the term (default: list all)')
    .option('--json', 'print JSON')
    .action((word: string | undefined, { json }: { json?: true }) => {
      const found = word === undefined ? glossary() : meaningsOf(word);
      process.stdout.write(json ? `${JSON.stringify(found)}\n` : describe(found));
    });
}

/** A term may have several meanings; returns all of them. */
function meaningsOf(asked: string): Word[] {
  const words = glossary();
  const found = words.filter(({ word }) => plain(word).replace(/ \(.*\)$/, '') === plain(asked));
  if (found.length > 0) return found;
  const partly = words.filter(({ word }) => plain(word).includes(plain(asked)));
  if (partly.length > 0 && plain(asked).length > 2) return partly;
  const meant = nearest(
    asked,
    words.map(({ word }) => word),
  );
  throw new UserError(
    'no-such-word',
    `the glossary has no entry for ${asked}`,
    meant === undefined
      ? '`orch explain` lists them.'
      : `Did you mean ${meant}? \`orch explain\` lists them all.`,
  );
}

/** Ignores case, and treats hyphens as spaces. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[-_ ]+/g, ' ')
    .trim();
}

function describe(words: readonly Word[]): string {
  if (words.length > 1) return alignColumns(words.map(({ word, means }) => [word, means]));
  return words.map(({ word, means }) => `${word}: ${means}\n`).join('');
}
