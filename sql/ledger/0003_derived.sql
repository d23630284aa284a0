-- Tables that can be recomputed from the events. Every derived row comes from an INSERT INTO derivation: once when the event
-- arrives, and once more for each event when the tables are rebuilt. The same statements in the same order: a rebuilt table
-- is equal to the last bit, averages included. Derived triggers read no source row that a later event may change.

-- The state of a goal in its run.
CREATE TABLE goal_status (
  run TEXT NOT NULL,
  goal TEXT NOT NULL,
  status TEXT NOT NULL, -- queued, racing, parked, solved, unsolved
  until INTEGER,
  ticket TEXT,
  attempts INTEGER NOT NULL DEFAULT 0,
  cpu_seconds REAL NOT NULL DEFAULT 0,
  latest_error TEXT,
  reason TEXT,
  PRIMARY KEY (run, goal)
) STRICT, WITHOUT ROWID;

-- Attempts that started and did not finish: after a crash, what was lost.
CREATE TABLE in_flight (
  run TEXT NOT NULL,
  attempt TEXT NOT NULL,
  goal TEXT NOT NULL,
  strategy TEXT NOT NULL,
  arm TEXT NOT NULL,
  started INTEGER NOT NULL,
  PRIMARY KEY (run, attempt)
) STRICT, WITHOUT ROWID;

-- Counters, so that no question of `stats` has to read the attempts themselves: by hour, by day, and of all time. Ten arms
-- with seven outcomes make 600,000 rows of hours a year, 25,000 of days.
CREATE TABLE statistics (
  span TEXT NOT NULL, -- hour, day, all
  since INTEGER NOT NULL, -- when it begins; 0 for all
  strategy TEXT NOT NULL,
  arm TEXT NOT NULL,
  outcome TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  successes INTEGER NOT NULL DEFAULT 0, -- attempts with a proof that the gate accepted
  cpu_seconds REAL NOT NULL DEFAULT 0,
  wall_seconds REAL NOT NULL DEFAULT 0,
  gpu_seconds REAL NOT NULL DEFAULT 0,
  cloud_seconds REAL NOT NULL DEFAULT 0,
  cache_hits INTEGER NOT NULL DEFAULT 0,
  attempts_with_hits INTEGER NOT NULL DEFAULT 0,
  peak_bytes INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (span, since, strategy, arm, outcome)
) STRICT, WITHOUT ROWID;

-- What the bandit knows: an average that forgets (α 0.1, from 0.05) over the rewards that are not censored,
-- in each context, and with context '' in all of them.
CREATE TABLE arm_records (
  arm TEXT NOT NULL,
  context TEXT NOT NULL,
  trials INTEGER NOT NULL,
  mean REAL NOT NULL,
  PRIMARY KEY (arm, context)
) STRICT, WITHOUT ROWID;

-- Each script that the gate judged for a goal, and how often it was accepted. A hint: the gate checks it again at every use.
CREATE TABLE tactic_cache (
  goal_hash TEXT NOT NULL,
  tactics TEXT NOT NULL,
  use_count INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  seconds REAL NOT NULL,
  last_used INTEGER NOT NULL,
  success_rate REAL GENERATED ALWAYS AS (CAST(successes AS REAL) / use_count) VIRTUAL,
  avg_time REAL GENERATED ALWAYS AS (seconds / use_count) VIRTUAL,
  PRIMARY KEY (goal_hash, tactics)
) STRICT;
CREATE INDEX tactic_cache_use ON tactic_cache (use_count);

-- A goal across all runs, by its identity.
CREATE TABLE goal_history (
  goal_hash TEXT PRIMARY KEY,
  goal_seq INTEGER, -- the last event that examined it
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0, -- definite ones: failed or exhausted
  cpu_seconds REAL NOT NULL DEFAULT 0,
  proofs INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX goal_history_open ON goal_history (goal_hash) WHERE proofs = 0;

CREATE VIEW frontier AS SELECT * FROM goal_history WHERE proofs = 0;

-- How many goals there are, are solved, and have a script that held: counting them took 50 ms with 50,000 goals.
CREATE TABLE counters (
  name TEXT PRIMARY KEY, -- goals_known, goals_solved, cached_goals
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER count_known_goal AFTER INSERT ON goal_history
BEGIN
  INSERT INTO counters VALUES ('goals_known', 1) ON CONFLICT DO UPDATE SET value = value + 1;
  INSERT INTO counters SELECT 'goals_solved', 1 WHERE new.proofs > 0 ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER count_solved_goal AFTER UPDATE OF proofs ON goal_history WHEN old.proofs = 0 AND new.proofs > 0
BEGIN
  INSERT INTO counters VALUES ('goals_solved', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER count_cached_goal AFTER INSERT ON tactic_cache
WHEN new.successes > 0 AND NOT EXISTS (SELECT 1 FROM tactic_cache
  WHERE goal_hash = new.goal_hash AND successes > 0 AND tactics <> new.tactics)
BEGIN
  INSERT INTO counters VALUES ('cached_goals', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER count_cached_goal_later AFTER UPDATE OF successes ON tactic_cache
WHEN old.successes = 0 AND new.successes > 0 AND NOT EXISTS (SELECT 1 FROM tactic_cache
  WHERE goal_hash = new.goal_hash AND successes > 0 AND tactics <> new.tactics)
BEGIN
  INSERT INTO counters VALUES ('cached_goals', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;

-- The words of tickets, to find similar ones.
CREATE VIRTUAL TABLE ticket_text USING fts5(goal, tokenize = 'unicode61');

CREATE VIEW derivation AS SELECT seq, run, at, type, body FROM events;

CREATE TRIGGER derive_after_insert AFTER INSERT ON events
BEGIN INSERT INTO derivation VALUES (new.seq, new.run, new.at, new.type, new.body); END;

CREATE TRIGGER derive_goal_added INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-added'
BEGIN
  INSERT INTO goal_status (run, goal, status) VALUES (new.run, new.body ->> 'goal', 'queued');
END;

CREATE TRIGGER derive_goal_examined INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-examined'
BEGIN
  UPDATE goal_status SET cpu_seconds = cpu_seconds + (new.body ->> 'cpu_seconds')
  WHERE run = new.run AND goal = new.body ->> 'goal';
  INSERT INTO goal_history (goal_hash, goal_seq) VALUES (new.body ->> 'goal_hash', new.seq)
  ON CONFLICT DO UPDATE SET goal_seq = excluded.goal_seq;
END;

CREATE TRIGGER derive_goal_opened INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-opened'
BEGIN
  UPDATE goal_status SET status = 'racing', until = NULL WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER derive_slate_started INSTEAD OF INSERT ON derivation WHEN new.type = 'slate-started'
BEGIN
  UPDATE goal_status SET status = 'racing', until = NULL, ticket = NULL, reason = new.body ->> 'reason'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER derive_goal_parked INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-parked'
BEGIN
  UPDATE goal_status SET status = 'parked', until = CAST(new.body ->> 'until' AS INTEGER),
    ticket = new.body ->> 'ticket', reason = new.body ->> 'reason'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER derive_goal_closed INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-closed'
BEGIN
  UPDATE goal_status SET status = iif(new.body ->> 'solved', 'solved', 'unsolved'), until = NULL, ticket = NULL,
    reason = new.body ->> 'reason'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER derive_attempt_started INSTEAD OF INSERT ON derivation WHEN new.type = 'attempt-started'
BEGIN
  INSERT INTO in_flight (run, attempt, goal, strategy, arm, started)
  VALUES (new.run, new.body ->> 'attempt', new.body ->> 'goal', new.body ->> 'strategy', new.body ->> 'arm', new.at);
END;

CREATE TRIGGER derive_attempt_finished INSTEAD OF INSERT ON derivation WHEN new.type = 'attempt-finished'
BEGIN
  DELETE FROM in_flight WHERE run = new.run AND attempt = new.body ->> 'attempt';
  UPDATE goal_status SET attempts = attempts + 1, cpu_seconds = cpu_seconds + (new.body ->> 'cpu_seconds'),
    latest_error = coalesce(new.body ->> 'error', latest_error)
  WHERE run = new.run AND goal = new.body ->> 'goal';
  INSERT INTO goal_history (goal_hash, attempts, failures, cpu_seconds)
  VALUES (new.body ->> 'goal_hash', 1, new.body ->> 'outcome' IN ('failed', 'exhausted'), new.body ->> 'cpu_seconds')
  ON CONFLICT DO UPDATE SET attempts = attempts + 1, failures = failures + excluded.failures,
    cpu_seconds = cpu_seconds + excluded.cpu_seconds;
  INSERT INTO statistics (span, since, strategy, arm, outcome, attempts, cpu_seconds, wall_seconds, gpu_seconds, cloud_seconds,
    cache_hits, attempts_with_hits, peak_bytes)
  SELECT column1, column2, new.body ->> 'strategy', new.body ->> 'arm', new.body ->> 'outcome', 1,
    new.body ->> 'cpu_seconds', new.body ->> 'wall_seconds', new.body ->> 'gpu_seconds', new.body ->> 'cloud_seconds',
    new.body ->> 'cache_hits', new.body ->> 'cache_hits' > 0, CAST(new.body ->> 'peak_bytes' AS INTEGER)
  FROM (VALUES ('hour', new.at - new.at % 3600000), ('day', new.at - new.at % 86400000), ('all', 0)) WHERE true
  ON CONFLICT DO UPDATE SET attempts = attempts + 1, cpu_seconds = cpu_seconds + excluded.cpu_seconds,
    wall_seconds = wall_seconds + excluded.wall_seconds, gpu_seconds = gpu_seconds + excluded.gpu_seconds,
    cloud_seconds = cloud_seconds + excluded.cloud_seconds, cache_hits = cache_hits + excluded.cache_hits,
    attempts_with_hits = attempts_with_hits + excluded.attempts_with_hits,
    peak_bytes = max(peak_bytes, excluded.peak_bytes);
END;

CREATE TRIGGER derive_reward INSTEAD OF INSERT ON derivation
WHEN new.type = 'attempt-finished' AND new.body ->> 'reward' IS NOT NULL
BEGIN
  INSERT INTO arm_records (arm, context, trials, mean)
  SELECT DISTINCT new.body ->> 'arm', column1, 1, 0.9 * 0.05 + 0.1 * (new.body ->> 'reward')
  FROM (VALUES (''), (coalesce(new.body ->> 'context', ''))) WHERE true
  ON CONFLICT DO UPDATE SET trials = trials + 1, mean = 0.9 * mean + 0.1 * (new.body ->> 'reward');
END;

-- An unknown verdict is no evidence about the script.
CREATE TRIGGER derive_candidate_judged INSTEAD OF INSERT ON derivation WHEN new.type = 'candidate-judged'
BEGIN
  UPDATE goal_status SET cpu_seconds = cpu_seconds + (new.body ->> 'cpu_seconds')
  WHERE run = new.run AND goal = new.body ->> 'goal';
  INSERT INTO tactic_cache (goal_hash, tactics, use_count, successes, seconds, last_used)
  SELECT new.body ->> 'goal_hash', new.body ->> 'proof', 1, new.body ->> 'verdict' = 'accepted',
    new.body ->> 'cpu_seconds', new.at
  WHERE new.body ->> 'verdict' <> 'unknown'
  ON CONFLICT DO UPDATE SET use_count = use_count + 1, successes = successes + excluded.successes,
    seconds = seconds + excluded.seconds, last_used = excluded.last_used;
END;

-- Solved means accepted at `replayed` or better. An attempt succeeds once, however often its proof is judged again.
CREATE TRIGGER derive_proof INSTEAD OF INSERT ON derivation
WHEN new.type = 'candidate-judged' AND new.body ->> 'verdict' = 'accepted'
  AND new.body ->> 'assurance' IN ('replayed', 'second-kernel')
BEGIN
  INSERT INTO goal_history (goal_hash, proofs) VALUES (new.body ->> 'goal_hash', 1)
  ON CONFLICT DO UPDATE SET proofs = proofs + 1;
  INSERT INTO statistics (span, since, strategy, arm, outcome, successes)
  SELECT column1, column2, new.body ->> 'strategy', new.body ->> 'arm', 'solved', 1
  FROM (VALUES ('hour', new.at - new.at % 3600000), ('day', new.at - new.at % 86400000), ('all', 0))
  WHERE new.body ->> 'attempt' IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM proofs WHERE run = new.run AND attempt = new.body ->> 'attempt' AND seq < new.seq
      AND assurance IN ('replayed', 'second-kernel'))
  ON CONFLICT DO UPDATE SET successes = successes + 1;
END;

CREATE TRIGGER derive_ticket_opened INSTEAD OF INSERT ON derivation WHEN new.type = 'ticket-opened'
BEGIN
  INSERT INTO ticket_text (rowid, goal) VALUES (new.seq, new.body ->> 'goal');
END;
