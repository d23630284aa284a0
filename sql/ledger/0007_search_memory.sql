-- The effects of tactics on proof states, and where searches stopped. Neither sources nor derived: a memory of bounded size that
-- makes later searches cheaper and that may be lost without harm. Not a word of it is evidence; whatever a search finds in
-- here is tried again and judged. It stays out of the events because a search makes a thousand steps a second.

-- The number only grows and is assigned again when a step is seen again: the lowest are the oldest, and the span of the numbers
-- bounds the number of rows without counting them. About 100 bytes a row.
CREATE TABLE tactic_steps (
  number INTEGER PRIMARY KEY,
  state BLOB NOT NULL, -- 16 bytes: the first half of the SHA-256 of the state in its environment
  tactic TEXT NOT NULL,
  outcome TEXT NOT NULL, -- closed, advanced, failed, timeout
  cpu_seconds REAL NOT NULL,
  heartbeats INTEGER NOT NULL, -- the limit that it ran under
  premises TEXT, -- JSON; null for none
  next BLOB, -- the states that it left, 16 bytes each; null for none
  UNIQUE (state, tactic)
) STRICT;

-- The frontier of a goal: the states that its last search had reached and not yet looked at.
CREATE TABLE frontiers (
  number INTEGER PRIMARY KEY,
  goal_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  at INTEGER NOT NULL,
  nodes TEXT NOT NULL, -- JSON: [{state, tactics, goals, score}, …], the most promising first
  UNIQUE (goal_hash, fingerprint)
) STRICT;
