import { readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { documentOf, documentsOf, markdown, sectionsOf, type Document } from './documents.ts';

/** The sidebar: readers first, then reference. Documents that no group names come last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: [
    'README.md',
    'docs/TOUR.md',
    'docs/LEAN-PROJECT.md',
    'docs/AGENTS.md',
    'docs/ARC.md',
    'CONTRIBUTING.md',
  ],
  Use: [
    'docs/WORKFLOW.md',
    'docs/PROJECTS.md',
    'docs/BLUEPRINT.md',
    'docs/DASHBOARD.md',
    'docs/INTEGRATIONS.md',
    'docs/LIBRARY.md',
    'docs/MODELS.md',
    'docs/SCALE.md',
    'docs/PLATFORMS.md',
  ],
  Reference: [
    'docs/CLI.md',
    'docs/SETTINGS.md',
    'docs/GLOSSARY.md',
    'docs/LEDGER.md',
    'docs/PROTOCOL.md',
    'docs/FIGURES.md',
  ],
  'How it works': [
    'docs/ARCHITECTURE.md',
    'docs/SEARCH.md',
    'docs/SCHEDULING.md',
    'docs/SOUNDNESS.md',
    'docs/ATTACKS.md',
    'docs/kernel-advisories.md',
  ],
};

/** One HTML page per document, at the document's path with `.html`, so relative links keep working. */
export function pageOf(root: string, file: string): string {
  const document = documentOf(root, file);
  const up = path.relative(path.dirname(file), '.') || '.';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.title)} · orch</title>
<link rel="stylesheet" href="${up}/site.css">
<body data-root="${up}/">
<nav>
<label>Search <input id="search" type="search" autocomplete="off"></label>
<ol id="results"></ol>
${sidebar(documentsOf(root), file, up)}
</nav>
<main>
${contentOf(document)}
</main>
<script src="${up}/minisearch.js"></script>
<script src="${up}/search.js"></script>
`;
}

function sidebar(documents: readonly Document[], current: string, up: string): string {
  const titles = new Map(documents.map((document) => [document.path, document.title]));
  const named = new Set(Object.values(groups).flat());
  const all = { ...groups, More: [...titles.keys()].filter((file) => !named.has(file)) };
  return Object.entries(all)
    .map(([group, files]) => {
      const items = files.map((file) => {
        const mark = file === current ? ' aria-current="page"' : '';
        return `<li><a href="${up}/${htmlName(file)}"${mark}>${escapeHtml(titles.get(file) ?? file)}</a></li>`;
      });
      return `<h2>${group}</h2><ul>${items.join('')}</ul>`;
    })
    .join('\n');
}

function contentOf({ text }: Document): string {
  const tokens = markdown.parse(text, {});
  const anchors = sectionsOf(text).map(({ anchor }) => anchor);
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrSet('id', anchors.shift() ?? '');
    for (const child of token.children ?? []) {
      const target = child.attrGet('href');
      if (typeof target === 'string' && !/^[a-z]+:/.test(target))
        child.attrSet(
          'href',
          target.replace(/^[^#]*\.md/, (name) => htmlName(name)),
        );
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** The index for the search box, one entry per section; search.js loads it with the same options. */
export function searchIndex(root: string): string {
  const index = new MiniSearch(searchOptions);
  index.addAll(
    documentsOf(root).flatMap((document) =>
      sectionsOf(document.text).map(({ anchor, heading, text }) => ({
        id: `${htmlName(document.path)}#${anchor}`,
        title: document.title,
        heading,
        text,
      })),
    ),
  );
  return JSON.stringify(index);
}

export const searchOptions = { fields: ['title', 'heading', 'text'], storeFields: ['title', 'heading'] };

/** Files of the site that are not pages. */
export function assetOf(root: string, name: string): string | undefined {
  if (name === 'search.json') return searchIndex(root);
  if (name === 'site.css' || name === 'search.js')
    return readFileSync(path.join(import.meta.dirname, name), 'utf8');
  if (name === 'minisearch.js')
    return readFileSync(path.join(root, 'node_modules/minisearch/dist/umd/index.js'), 'utf8');
  return undefined;
}

const htmlName = (file: string): string => file.replace(/\.md$/, '.html');

const escapeHtml = (text: string): string => markdown.utils.escapeHtml(text);
