import { test } from 'vitest';
import { SeededRandom } from '../../helpers/random.ts';
import { surviveKills } from './kills.ts';

test('nothing recorded is lost when a writer is killed: 20 times', async () => {
  await surviveKills(20, new SeededRandom(20));
});
