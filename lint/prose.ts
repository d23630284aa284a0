import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { findingsIn } from './prose-findings.ts';

/** `npm run prose`: checks the English of every document. Help texts and settings are covered by the pages generated from them. */
const root = path.dirname(import.meta.dirname);
const files = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\0')
  .filter((file) => file !== '' && !file.startsWith('scaffold/'));
const findings = files.flatMap((file) =>
  findingsIn(readFileSync(path.join(root, file), 'utf8')).map(
    ({ line, text, instead }) => `${file}:${line}: "${text}" → ${instead}`,
  ),
);
process.stderr.write(findings.map((finding) => `${finding}\n`).join(''));
process.stdout.write(`${files.length} documents, ${findings.length} findings\n`);
process.exitCode = findings.length === 0 ? 0 : 1;
