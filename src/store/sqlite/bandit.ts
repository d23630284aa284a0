import { learningRate, startingMean } from '../../core/bandit.ts';
import type { SqliteDatabase } from './database.ts';
import { rebuildDerived } from './rebuild.ts';

/** Passes the bandit's constants to the triggers. If they have changed, the file recomputes its averages from the events. */
export function teachSqliteBandit(database: SqliteDatabase): void {
  const [known] = database.all<{ starting_mean: number; learning_rate: number }>(
    'SELECT starting_mean, learning_rate FROM bandit',
  );
  if (known?.starting_mean === startingMean && known.learning_rate === learningRate) return;
  database.run(
    'INSERT OR REPLACE INTO bandit (one, starting_mean, learning_rate) VALUES (1, ?, ?)',
    startingMean,
    learningRate,
  );
  if (known !== undefined) rebuildDerived(database);
}
