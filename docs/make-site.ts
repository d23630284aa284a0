import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';
import { deadLinks } from './site/links.ts';
import { documentsOf, targetsOf } from './site/documents.ts';
import { assetOf, pageOf } from './site/site.ts';

/**
 * `npm run docs` serves the documents with search; a reload shows edits. `npm run docs -- --out FOLDER` writes the same
 * site as files. `npm run docs -- --check` only looks for dead links.
 */
const root = path.dirname(import.meta.dirname);
const { values } = parseArgs({
  options: { out: { type: 'string' }, port: { type: 'string', default: '5173' }, check: { type: 'boolean' } },
});
const assets = ['site.css', 'search.js', 'minisearch.js', 'search.json'];

if (values.check === true) checkLinks();
else if (values.out === undefined) serveSite(Number(values.port));
else writeSite(path.resolve(values.out));

function checkLinks(): void {
  const documents = documentsOf(root);
  const dead = deadLinks(root, documents);
  for (const link of dead) process.stderr.write(`dead link in ${link}\n`);
  process.stdout.write(`${documents.length} documents, ${dead.length} dead links\n`);
  process.exitCode = dead.length === 0 ? 0 : 1;
}

function serveSite(port: number): void {
  const app = new Hono();
  app.get('/', (context) => context.redirect('/README.html'));
  for (const name of assets)
    app.get(`/${name}`, (context) => context.body(assetOf(root, name) ?? '', 200, typeOf(name)));
  app.get('/*', async (context, next) => {
    const file = decodeURI(context.req.path)
      .slice(1)
      .replace(/\.html$/, '.md');
    if (!documentsOf(root).some((document) => document.path === file)) return next();
    return context.html(pageOf(root, file));
  });
  app.get('/docs/*', serveStatic({ root }));
  serve({ fetch: app.fetch, hostname: '127.0.0.1', port }, (address) => {
    process.stdout.write(`http://127.0.0.1:${address.port}/\n`);
  });
}

const typeOf = (name: string): Record<string, string> => ({
  'content-type': `${name.endsWith('.css') ? 'text/css' : name.endsWith('.js') ? 'text/javascript' : 'application/json'}; charset=utf-8`,
});

function writeSite(folder: string): void {
  const write = (name: string, text: string): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const document of documentsOf(root)) {
    write(document.path.replace(/\.md$/, '.html'), pageOf(root, document.path));
    for (const target of targetsOf(document.text).filter((each) => /^[^:]+\.(?:svg|png)$/.test(each)))
      cpSync(
        path.join(root, path.dirname(document.path), target),
        path.join(folder, path.dirname(document.path), target),
      );
  }
  for (const name of assets) write(name, assetOf(root, name) ?? '');
  write(
    'index.html',
    '<!doctype html><meta http-equiv="refresh" content="0; url=README.html"><title>orch</title>\n',
  );
}
