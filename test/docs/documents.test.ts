import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { documentsOf } from '../../docs/site/documents.ts';
import { deadLinks } from '../../docs/site/links.ts';
import { pageOf, searchIndex, searchOptions } from '../../docs/site/site.ts';
import { proseLines } from '../../lint/prose-findings.ts';
import { glossary } from '../../src/config/glossary.ts';
import { packageRoot } from '../../src/config/package.ts';

const documents = documentsOf(packageRoot);

test('no document has a dead link or anchor', () => {
  expect(deadLinks(packageRoot, documents)).toEqual([]);
});

test('reports a missing file, a missing anchor and a link out of the repository', () => {
  const text =
    '# One\n\n[a](docs/NONE.md) [b](#two) [c](../x.md) ![d](none.png) [e](#one) [f](https://example.org)\n';
  expect(deadLinks(packageRoot, [{ path: 'README.md', title: 'One', text }])).toEqual([
    'README.md: docs/NONE.md',
    'README.md: #two',
    'README.md: ../x.md',
    'README.md: none.png',
  ]);
});

test('the site has a page for every document, linked to pages', () => {
  const page = pageOf(packageRoot, 'docs/AGENTS.md');
  expect(page).toContain('<h1 id="i-run-agents">I run agents</h1>');
  expect(page).toContain('href="INTEGRATIONS.html"');
  expect(page).not.toMatch(/href="[^":]*\.md["#]/);
  for (const { path } of documents) expect(page).toContain(path.replace(/\.md$/, '.html'));
});

test('the search index finds sections by their words', () => {
  const index = MiniSearch.loadJSON(searchIndex(packageRoot), searchOptions);
  const [best] = index.search('threat model');
  expect(best).toMatchObject({ id: 'docs/SOUNDNESS.html#threat-model', heading: 'Threat model' });
});

const glossaryText = documents.find(({ path }) => path === 'docs/GLOSSARY.md')?.text ?? '';
const retired = [...(glossaryText.split('## Retired terms')[1] ?? '').matchAll(/^- (.+?): (.+)$/gm)].flatMap(
  ([, terms = '', instead = '']) =>
    terms
      .replaceAll('`', '')
      .split(', ')
      .map((term) => ({ term, instead })),
);

/** Uses of retired terms, as `FILE:LINE: TERM`. */
function retiredTermsIn(path: string, text: string): string[] {
  return proseLines(text).flatMap((line, index) =>
    retired
      .filter(({ term }) => new RegExp(String.raw`\b${term}s?\b`, 'i').test(line))
      .map(({ term, instead }) => `${path}:${index + 1}: ${term} (write ${instead})`),
  );
}

test('no document uses a retired term', () => {
  expect(retired.length).toBeGreaterThan(5);
  const uses = documents
    .filter(({ path }) => path !== 'docs/GLOSSARY.md' && path !== 'THIRD-PARTY-NOTICES.md')
    .flatMap(({ path, text }) => retiredTermsIn(path, text));
  expect(uses).toEqual([]);
});

test('a retired term is reported in prose, but not in code', () => {
  expect(retiredTermsIn('a.md', 'It has two rooms.\n\nSee `rooms`.\n')).toEqual([
    'a.md:1: room (write module)',
  ]);
});

test('the glossary has at most 40 terms, each once', () => {
  const words = glossary().map(({ word }) => word);
  expect(words.length).toBeLessThanOrEqual(40);
  expect(new Set(words).size).toBe(words.length);
});
