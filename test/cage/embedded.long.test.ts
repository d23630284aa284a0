import { testAttempts } from './attempts.ts';

testAttempts(() => true);
