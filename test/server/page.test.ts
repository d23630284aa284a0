import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { PageSource } from '../../src/server/page.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { smallPage, started } from './started.ts';

test('the dashboard is bundled from its sources, and again after a change', async () => {
  const folder = smallPage();
  const source = new PageSource(folder);
  const first = await source.page();
  expect(first['main.js']).toContain('not the end');
  expect(first['main.js']).not.toContain('import');
  expect(await source.page()).toBe(first);
  writeFileSync(path.join(folder, 'greeting.ts'), 'export const greeting: string = "another greeting";\n');
  expect((await source.page())['main.js']).toContain('another greeting');
  writeFileSync(path.join(folder, 'greeting.ts'), 'export const greeting = ;\n');
  await expect(source.page()).rejects.toThrow('greeting.ts');
});

test('a built dashboard is served as it is; a missing one is a user error', async () => {
  const folder = temporaryFolder();
  expect(() => new PageSource(folder)).toThrow(expect.objectContaining({ code: 'no-page' }));
  for (const name of ['index.html', 'style.css', 'main.js'])
    writeFileSync(path.join(folder, name), `built ${name}`);
  expect(await new PageSource(folder).page()).toEqual({
    'index.html': 'built index.html',
    'style.css': 'built style.css',
    'main.js': 'built main.js',
  });
});

test('every view has a URL; files are compressed, and sent only when changed', async () => {
  const { get, port } = await started();
  for (const address of ['/', '/goals', '/goals/a%2Fb%20c', '/runs/run-1?token=x']) {
    const { status, headers, text } = await get(address);
    expect([address, status, headers['content-type']]).toEqual([address, 200, 'text/html; charset=utf-8']);
    expect(text).toContain('<div id="page">');
  }
  const { headers, text } = await get('/main.js');
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  const again = await get('/main.js', { 'if-none-match': headers.etag ?? '' });
  expect([again.status, again.text]).toEqual([304, '']);
  const zipped = await fetch(`http://127.0.0.1:${port}/main.js`, { headers: { 'accept-encoding': 'gzip' } });
  expect(zipped.headers.get('content-encoding')).toBe('gzip');
  expect(await zipped.text()).toBe(text); // fetch unpacks it
  expect(gunzipSync((await new PageSource(smallPage()).file('main.js')).gzipped).toString()).toBe(text);
});
