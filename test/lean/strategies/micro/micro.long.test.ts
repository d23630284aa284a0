import { describe } from 'vitest';
import { othersDoNot } from './arms.ts';

describe('other arms do not solve it, and say what is left', () => {
  othersDoNot();
});
