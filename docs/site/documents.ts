import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';

/** A Markdown file of the repository; `path` is relative to the root. */
export interface Document {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

export interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export const markdown = new MarkdownIt({ html: true, linkify: false });

type Token = ReturnType<typeof markdown.parse>[number];

/** Every tracked document that readers see; the scaffold's files belong to the projects that it creates. */
export function documentsOf(root: string): Document[] {
  const files = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '*.md'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  return files
    .split('\0')
    .filter((file) => file !== '' && !/^(?:scaffold|prompts|test)\//.test(file))
    .map((file) => documentOf(root, file));
}

export function documentOf(root: string, file: string): Document {
  const text = readFileSync(path.join(root, file), 'utf8');
  return { path: file, title: /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? file, text };
}

/** The sections of a document, each with the anchor that GitHub gives its heading. */
export function sectionsOf(text: string): Section[] {
  const sections: { anchor: string; heading: string; text: string }[] = [];
  const seen = new Map<string, number>();
  const tokens = markdown.parse(text, {});
  for (const [index, token] of tokens.entries()) {
    if (tokens[index - 1]?.type === 'heading_open') {
      const heading = plainText(token);
      sections.push({ anchor: uniqueAnchor(heading, seen), heading, text: '' });
    } else if (token.type === 'inline' || token.type === 'fence' || token.type === 'code_block') {
      const section = sections.at(-1);
      if (section) section.text += `${token.type === 'inline' ? plainText(token) : token.content}\n`;
    }
  }
  return sections;
}

/** Where links and images point to, as written. */
export function targetsOf(text: string): string[] {
  return markdown
    .parse(text, {})
    .flatMap((token) => token.children ?? [])
    .map((token) => token.attrGet('href') ?? token.attrGet('src'))
    .filter((target) => typeof target === 'string');
}

function plainText(token: Token): string {
  return (token.children ?? [])
    .map((child) => (child.type === 'softbreak' ? ' ' : child.type === 'image' ? '' : child.content))
    .join('');
}

/** GitHub's rule: lower case, punctuation dropped, spaces to hyphens, repeated anchors numbered. */
function uniqueAnchor(heading: string, seen: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}
