import { describe, test } from 'vitest';
import { SeededRandom } from '../../helpers/random.ts';
import { surviveFailures, survivePowerCuts } from './power-loss.ts';

describe('a ledger on a disk that fails', () => {
  test('no announced event is lost in a power failure, whatever the disk had not synced', async () => {
    await survivePowerCuts(6, new SeededRandom(1));
  });

  test('a failed write or sync ends the run, and announced events stay', async () => {
    await surviveFailures([
      'pwrite64:error=ENOSPC:when=200',
      'pwrite64:error=EIO:when=101',
      'fsync,fdatasync:error=EIO:when=20',
    ]);
  });
});
