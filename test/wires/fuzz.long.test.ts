import { fuzzEveryWire } from './fuzz-suite.ts';

fuzzEveryWire(2000);
