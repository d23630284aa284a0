const dayMs = 86_400_000;

/**
 * SQL for the numbers of the samples that pruning keeps: all of the last day, one per minute of the last week, one per ten
 * minutes before that, and the last one of every run, which has the cost of a killed run.
 */
export function keptSamples(now: string): string {
  return `SELECT max(seq) FROM events WHERE type = 'sample'
    GROUP BY run, CASE WHEN at > ${now} - ${dayMs} THEN seq ELSE 0 END,
      CASE WHEN at > ${now} - ${7 * dayMs} THEN at / 60000 ELSE at / 600000 END`;
}
