import { test } from 'vitest';
import { SeededRandom } from '../../helpers/random.ts';
import { surviveKills } from './kills.ts';

test('nothing recorded is lost when a writer is killed, again and again', async () => {
  await surviveKills(8, new SeededRandom(20));
});
