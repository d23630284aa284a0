import { describe } from 'vitest';
import { othersDoNot } from './arms.ts';
import { beginBench } from './bench.ts';

beginBench();

describe('other arms do not solve it, and report the remaining goals', () => {
  othersDoNot();
});
