import { describe, expect, test } from 'vitest';
import type { Premise } from '../../../src/store/premises/premise.ts';
import { sharedPremises } from '../../../src/lean/premises/shared.ts';
import type { Temporary } from '../ledger/temporary.ts';

const premises: Premise[] = [
  { name: 'Nat.add_comm', kind: 'theorem', module: 'Init.Core', symbols: ['Nat', 'HAdd.hAdd'] },
  { name: 'List.length_map', kind: 'theorem', module: 'Init.Data', symbols: ['List'] },
];

/** Data that machines share. */
export function shelfHolds(open: () => Promise<Temporary>): void {
  describe('shared premises', () => {
    test('one machine reads the premises from Lean; the others load them from the database', async () => {
      const { ledger } = await open();
      let reads = 0;
      const read = async function* pages(): AsyncGenerator<Premise[]> {
        reads++;
        for (const premise of premises) yield [premise];
      };
      const ask = async (name: string): Promise<unknown[]> =>
        (await Array.fromAsync(sharedPremises(ledger.shelf, name, read))).flat();
      expect(await ask('one')).toEqual(premises);
      expect(await ask('one')).toEqual(premises);
      expect(reads).toBe(1);
      // anything other than a list of premises is ignored
      await ledger.shelf?.put('two', Buffer.from('nonsense'));
      expect(await ask('two')).toEqual(premises);
      expect(reads).toBe(2);
    });
  });
}
