import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { handWrittenWords, maxDocumentWords } from './document-length.ts';
import { findingsIn } from './prose-findings.ts';
import { plural } from '../src/shared/plural.ts';
import { passagesOf } from './prose-sources.ts';

/** `npm run prose`: checks the English of documents, comments, user-facing strings and test names, and the length of docs/. */
const root = path.dirname(import.meta.dirname);
/** The rules quote what they object to. */
const quoting = new Set(['lint/prose-rules.ts', 'test/lint/prose.test.ts']);

const files = execFileSync('git', ['ls-files', '-z', '*.md', '*.ts', '*.tsx', '*.lean', '*.sql'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && !quoting.has(file) && !file.startsWith('scaffold/'));

const findings = files.flatMap((file) => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const passages = file.endsWith('.md') ? [{ line: 1, text }] : passagesOf(file, text);
  return passages.flatMap((passage) =>
    findingsIn(passage.text).map(
      ({ line, text: phrase, instead }) => `${file}:${passage.line + line - 1}: "${phrase}" → ${instead}`,
    ),
  );
});
const words = files
  .filter((file) => /^docs\/.*\.md$/.test(file))
  .reduce((sum, file) => sum + handWrittenWords(readFileSync(path.join(root, file), 'utf8')), 0);
if (words > maxDocumentWords)
  findings.push(`docs/: ${words} hand-written words → at most ${maxDocumentWords}: shorten what you added`);
process.stderr.write(findings.map((finding) => `${finding}\n`).join(''));
process.stdout.write(
  `${files.length} files, ${plural(findings.length, 'finding')}; ${words} words in hand-written documents\n`,
);
process.exitCode = findings.length === 0 ? 0 : 1;
