import { describe, expect, test } from 'vitest';
import { listingOf } from '../../src/commands/options/listing.ts';
import { makeProgram, programFor } from '../../src/program.ts';

const all = listingOf(await makeProgram());

describe('the program built for given arguments', () => {
  test.each(all.commands.map(({ name }) => name))(
    'loads the command %s exactly as the whole program does',
    async (name) => {
      const program = listingOf(await programFor([name, '--help']));
      expect(program.commands).toEqual(all.commands.filter((command) => command.name === name));
    },
  );

  test.each([
    { args: [] },
    { args: ['--help'] },
    { args: ['help'] },
    { args: ['chekc'] },
    { args: ['--', 'check'] },
    { args: ['--help', 'check'] },
    { args: ['constructor'] },
  ])('lists every command for $args', async ({ args }) => {
    const [whole, program] = [await makeProgram(), await programFor(args)];
    expect(program.helpInformation()).toBe(whole.helpInformation());
  });
});
