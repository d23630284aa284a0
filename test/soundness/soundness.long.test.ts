import { ways } from './suite.ts';
import { testAttacks } from './testing.ts';

testAttacks(ways);
