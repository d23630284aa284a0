import { rowAttacks, rowsBeside } from './attacks/rows.ts';
import { testRows } from './rows.ts';

/** One disguise, and the two rows that begin alike; the second tier runs them all. */
const isNear = ({ id }: { id: string }): boolean => id.includes('comment') || id === 'a lemma by sorry';
testRows(rowAttacks.filter(isNear), rowsBeside.filter(isNear));
