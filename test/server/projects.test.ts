import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { startDashboards } from '../../src/server/server.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { smallPage } from './started.ts';

test('one dashboard shows several projects, each with its own ledger, behind one token', async () => {
  const folder = temporaryFolder();
  const ledgers = ['sums', 'sorting'].map((name) => {
    mkdirSync(path.join(folder, name));
    return { name, ledger: path.join(folder, name, 'ledger.db') };
  });
  const token = 'token';
  const options = { port: 0, token, clock: systemClock, pageFolder: smallPage() };
  await using server = await startDashboards(ledgers, options);
  const at = `http://127.0.0.1:${server.port}`;
  const start = await (await fetch(`${at}/?token=${token}`)).text();
  expect(start).toContain('<a class="link" href="/p/sums/?token=token">sums</a>');
  expect(await (await fetch(`${at}/?token="><script>`)).text()).toContain('href="/p/sorting/"');
  for (const { name, ledger } of ledgers) {
    const health = (await (await fetch(`${at}/p/${name}/api/health`)).json()) as { ledger: string };
    expect(health.ledger).toBe(ledger);
    expect(await (await fetch(`${at}/p/${name}/`)).text()).toContain('<div id="page">');
    const control = await fetch(`${at}/p/${name}/api/control`, { method: 'POST', body: '{}' });
    expect(control.status).toBe(401);
  }
  expect((await fetch(`${at}/main.js`)).status).toBe(200);
  expect((await fetch(`${at}/p/other/api/health`)).status).toBe(404);
  expect((await fetch(`${at}/`, { headers: { origin: 'http://example.invalid' } })).status).toBe(403);
});
