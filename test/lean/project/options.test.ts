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

test('a lakefile may set exactly the options that a text may set', async () => {
  for (const name of [...plainOptionNames, 'pp.all', 'linter.unusedVariables', 'backward.privateInPublic'])
    expect([name, await runsCode(name)]).toEqual([name, false]);
  for (const name of ['doc.verso', 'weak.linter.all'])
    expect([name, await runsCode(name), arePlainOptions({ [name]: true })]).toEqual([name, true, false]);
});

test('a weak option means the option it names, or nothing where the project does not have it', () => {
  expect(arePlainOptions({ autoImplicit: false, 'pp.unicode.fun': true })).toBe(true);
  expect(arePlainOptions({ 'weak.linter.all': true })).toBe(false);
  expect(runHiddenCode({ 'weak.linter.all': true, autoImplicit: true })).toBe(false);
  expect(runHiddenCode({ 'weak.doc.verso': true })).toBe(true);
});
