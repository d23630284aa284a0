import { attacks } from './suite.ts';
import { testAttacks } from './testing.ts';

testAttacks(attacks);
