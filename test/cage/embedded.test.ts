import { atHome, testAttempts } from './attempts.ts';

testAttempts(atHome);
