const dayMs = 86_400_000;

/**
 * The numbers of samples that stay when a ledger is pruned, as a statement of SQL. They thin out with age: all of the last day, one a
 * minute of the last week, one in ten minutes of what is older; the last one of a run stays, as it shows what a run that was killed
 * had cost.
 */
export function keptSamples(now: string): string {
  return `SELECT max(seq) FROM events WHERE type = 'sample'
    GROUP BY run, CASE WHEN at > ${now} - ${dayMs} THEN seq ELSE 0 END,
      CASE WHEN at > ${now} - ${7 * dayMs} THEN at / 60000 ELSE at / 600000 END`;
}
