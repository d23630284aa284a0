import { rowAttacks, rowsBeside } from './attacks/rows.ts';
import { testRows } from './rows.ts';

testRows(rowAttacks, rowsBeside);
