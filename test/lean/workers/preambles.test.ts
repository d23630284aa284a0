import { expect, test } from 'vitest';
import { PreambleFamily } from '../../../src/lean/workers/preambles.ts';
import { conversation, sessionOf } from '../../helpers/lean.ts';

const first = 'def one := 1\n';
const second = `${first}theorem two : one + one = 2 := by\n  rfl\n`;
const third = `${second}\nnamespace Deep\ndef three := one + 2\n`;

test('a preamble is loaded in steps shared with other preambles', () => {
  const family = new PreambleFamily();
  family.expect([first, second, third, 'def other := 0\n', '']);
  expect(family.stepsTo(third)).toEqual([first, second, third]);
  expect(family.stepsTo(first)).toEqual([first]);
});

test('it is split only before a command: other text may belong to the last one', () => {
  const family = new PreambleFamily();
  family.expect([first]);
  for (const next of [
    '  + 1\n',
    '  + 1\ndef x := 1\n',
    '-- remark\n  + 1\n',
    'where\n',
    'termination_by 0\n',
    '| x => 1\n',
  ])
    expect(family.stepsTo(first + next)).toEqual([first + next]);
  for (const next of [
    'def x := 1\n',
    '\n/-- doc -/\ndef x := 1\n',
    '@[simp] theorem t : True := trivial\n',
    'end\n',
  ])
    expect(family.stepsTo(first + next)).toEqual([first, first + next]);
});

const talk = conversation();

test('loading in steps gives the same session, open namespaces included', async () => {
  talk.pool.preambles.expect([first, second, third]);
  await talk.pool.use(async (lease) => {
    const session = await sessionOf(lease, third);
    const statement = 'theorem t : three = 3';
    const stepwise = await lease.request('statement', { session, statement });
    const whole = await lease.request('load', { session: lease.rootSession, text: third });
    if (!whole.ok) throw new Error(whole.message);
    const atOnce = await lease.request('statement', { session: whole.session, statement });
    expect(stepwise.ok && atOnce.ok && stepwise.canonical === atOnce.canonical).toBe(true);
  });
});

test('an error in a later step has its position in the whole text', async () => {
  const broken = `${second}theorem bad : one = 2 := by rfl\n`;
  await talk.pool.use(async (lease) => {
    const failed = await lease.session(broken);
    if (failed.ok) throw new Error('it must not load');
    expect(failed.messages[0]?.start[0]).toBe(4);
  });
});

test('a beginning that fails on its own does not affect texts that start the same way', async () => {
  const open = '/-\n';
  const whole = `${open}theorem no : 1 = 2 := rfl -/\ndef one := 1\n`;
  talk.pool.preambles.expect([open, whole]);
  await talk.pool.use(async (lease) => {
    expect(await lease.session(open)).toMatchObject({ ok: false });
    expect(await lease.session(whole)).toMatchObject({ ok: true });
  });
});
