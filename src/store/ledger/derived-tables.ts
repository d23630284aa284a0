/**
 * The tables that follow from the events; a test compares this list with the tables that SQLite's triggers write. The counters
 * come last: rows of other tables are counted when they are inserted.
 */
export const derivedTables = [
  'goal_status',
  'in_flight',
  'statistics',
  'arm_records',
  'tactic_cache',
  'goal_history',
  'ticket_text',
  'counters',
] as const;
