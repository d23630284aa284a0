import { allHonest } from './run.ts';
import { ways } from './suite.ts';
import { testAttacks, testHonest } from './testing.ts';

testAttacks(ways, 2);
testHonest(allHonest, 2);
