import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PageSource } from '../../src/server/page.ts';
import { reportHtml, reportOf } from '../../src/server/report.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { start, Story } from '../store/ledger/story.ts';
import { openDesk, type Desk } from './desk.ts';

const attack = '</script><img src=x onerror="alert(1)"><script>alert(2)</script><svg onload=alert(3)>';
const name = `<b>bold</b>${attack}`;

/** The attack in every text that a goal, a prover or Lean can choose. */
function story(): Story {
  return new Story('run-1', start)
    .begin()
    .add(name, { statement: attack, preamble: attack, topic: attack, source: attack })
    .add('other', { topic: 'Nat' })
    .examine(name)
    .slate(name, attack)
    .startAttempt('a1', name)
    .finishAttempt('a1', name, { error: attack, tactics: [attack], next_goals: [attack] })
    .judge('a1', name, { verdict: 'rejected', message: attack, proof: attack })
    .openTicket('t1', { goal: attack, suggested_name: attack, requester: name, constraints: [attack] })
    .tell('note', { level: 'error', text: attack })
    .sample();
}

const views = [
  '',
  'goals',
  `goals/${encodeURIComponent(name)}`,
  'strategies',
  'market',
  'cache',
  'machine',
  'runs',
];

async function visitAll(desk: Desk, address: (view: string) => string): Promise<void> {
  for (const view of views) {
    await desk.page.goto(address(view));
    await desk.page.getByRole('heading', { level: 1 }).waitFor();
    expect(await desk.page.locator('img').count()).toBe(0);
    expect(await desk.page.locator('main b', { hasText: /^bold$/ }).count()).toBe(0);
  }
  await desk.page.goto(address('goals'));
  await desk.page.getByText(name).first().waitFor(); // all of it, letter by letter
  expect(desk.complaints).toEqual([]);
}

test('markup in goal names, statements and errors stays text', async () => {
  await using desk = await openDesk(story().events);
  await visitAll(desk, (view) => `http://127.0.0.1:${desk.port}/#/${view}`);
});

test('a report is one file that shows the same and makes no requests', async () => {
  await using desk = await openDesk(story().events);
  const file = path.join(temporaryFolder(), 'report.html');
  writeFileSync(
    file,
    reportHtml(await new PageSource().page(), await reportOf(desk.ledger, 'run-1', start + 20_000)),
  );
  await desk.stopServer();
  await visitAll(desk, (view) => `${pathToFileURL(file).href}#/${view}`);
  await desk.page.getByText(/^Report /).waitFor();
  expect(await desk.page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
});
