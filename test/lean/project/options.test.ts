import { expect, test } from 'vitest';
import { arePlainOptions, plainOptionNames, runHiddenCode } from '../../../src/lean/base/options.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();

/** Whether a text that sets an option is taken for one that can run code. */
async function runsCode(name: string): Promise<boolean> {
  return await lean.pool.use(async (lease) => {
    await lease.request('load', { session: lean.root, text: `set_option ${name} true` });
    return lease.ranCode;
  });
}

test('an option that a lakefile may set is one that a text may set, and no other', async () => {
  for (const name of [...plainOptionNames, 'pp.all', 'linter.unusedVariables', 'backward.privateInPublic'])
    expect([name, await runsCode(name)]).toEqual([name, false]);
  for (const name of ['doc.verso', 'weak.linter.all'])
    expect([name, await runsCode(name), arePlainOptions({ [name]: true })]).toEqual([name, true, false]);
});

test('a weak option is the option that it names, but its project may know another one', () => {
  expect(arePlainOptions({ autoImplicit: false, 'pp.unicode.fun': true })).toBe(true);
  expect(arePlainOptions({ 'weak.linter.all': true })).toBe(false);
  expect(runHiddenCode({ 'weak.linter.all': true, autoImplicit: true })).toBe(false);
  expect(runHiddenCode({ 'weak.doc.verso': true })).toBe(true);
});
