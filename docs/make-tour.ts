import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs the tour and draws what it printed: `npm run docs:tour` writes docs/tour.svg. */
const root = path.dirname(import.meta.dirname);
const output = execFileSync(process.execPath, [path.join(root, 'src/cli.ts'), 'tour'], { encoding: 'utf8' });
const lines = ['$ npm start', ...output.trimEnd().split('\n')].map((line) => clip(line.replace('\t', '  ')));

const lineHeight = 19;
const top = 52;
const width = 900;
const height = top + lines.length * lineHeight + 16;

writeFileSync(
  path.join(root, 'docs/tour.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5">
<rect width="${width}" height="${height}" rx="10" fill="#16181d"/>
<g fill="#3b3f4a"><circle cx="22" cy="22" r="6"/><circle cx="42" cy="22" r="6"/><circle cx="62" cy="22" r="6"/></g>
${lines.map((line, index) => `<text x="20" y="${top + index * lineHeight}" fill="${colour(line)}" xml:space="preserve">${escape(line)}</text>`).join('\n')}
</svg>
`,
);

function colour(line: string): string {
  if (line.startsWith('$') || /^\d\./.test(line)) return '#ffffff';
  if (line.includes('✓') || line.includes('closes it')) return '#7fd1a0';
  if (line.includes('✗')) return '#f0938a';
  if (/^ {5}/.test(line)) return '#8d93a1';
  return '#c9cdd6';
}

function clip(line: string): string {
  return line.length > 104 ? `${line.slice(0, 103)}…` : line;
}

function escape(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
