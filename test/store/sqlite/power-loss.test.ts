import { describe, test } from 'vitest';
import { SeededRandom } from '../../helpers/random.ts';
import { surviveFailures, survivePowerCuts } from './power-loss.ts';

describe('a ledger on a disk that fails', () => {
  test('nothing that was announced is lost when the power fails, whatever the disk had not synced', async () => {
    await survivePowerCuts(6, new SeededRandom(1));
  });

  test('a write or sync that fails ends the run, and leaves what was announced', async () => {
    await surviveFailures([
      'pwrite64:error=ENOSPC:when=200',
      'pwrite64:error=EIO:when=101',
      'fsync,fdatasync:error=EIO:when=20',
    ]);
  });
});
