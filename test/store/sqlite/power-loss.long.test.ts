import { describe, test } from 'vitest';
import { SeededRandom } from '../../helpers/random.ts';
import { surviveFailures, survivePowerCuts } from './power-loss.ts';

describe('a ledger on a disk that fails', () => {
  test.for([1, 2])('a power cut after every step of the writer (seed %i)', async (seed) => {
    await survivePowerCuts('every step', new SeededRandom(seed));
  });

  test('any write or sync may fail', async () => {
    const at = Array.from({ length: 40 }, (_, index) => 1 + 13 * index);
    await surviveFailures([
      ...at.map((when) => `pwrite64:error=ENOSPC:when=${when}`),
      ...at.map((when) => `pwrite64:error=EIO:when=${when}`),
      ...at.slice(0, 10).map((when) => `fsync,fdatasync:error=EIO:when=${1 + Math.floor(when / 13)}`),
    ]);
  });
});
