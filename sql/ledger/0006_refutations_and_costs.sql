-- A goal may be shown to be false; models cost tokens; what the bandit learns by is written down once, by the program.

ALTER TABLE goal_status ADD COLUMN goal_hash TEXT; -- as it was examined last
ALTER TABLE goal_status ADD COLUMN refuted TEXT; -- the instance that shows it to be false
ALTER TABLE goal_history ADD COLUMN refutations INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER derive_goal_examined;
CREATE TRIGGER derive_goal_examined INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-examined'
BEGIN
  UPDATE goal_status SET cpu_seconds = cpu_seconds + (new.body ->> 'cpu_seconds'), goal_hash = new.body ->> 'goal_hash'
  WHERE run = new.run AND goal = new.body ->> 'goal';
  INSERT INTO goal_history (goal_hash, goal_seq) VALUES (new.body ->> 'goal_hash', new.seq)
  ON CONFLICT DO UPDATE SET goal_seq = excluded.goal_seq;
END;

DROP TRIGGER derive_goal_closed;
CREATE TRIGGER derive_goal_closed INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-closed'
BEGIN
  UPDATE goal_status SET
    status = CASE WHEN new.body ->> 'solved' THEN 'solved' WHEN new.body ->> 'refuted' IS NOT NULL THEN 'refuted'
      ELSE 'unsolved' END,
    until = NULL, ticket = NULL, refuted = new.body ->> 'refuted', reason = new.body ->> 'reason'
  WHERE run = new.run AND goal = new.body ->> 'goal';
  UPDATE goal_history SET refutations = refutations + 1
  WHERE new.body ->> 'refuted' IS NOT NULL AND goal_hash = (SELECT goal_hash FROM goal_status
    WHERE run = new.run AND goal = new.body ->> 'goal');
END;

DROP TRIGGER derive_retry;
CREATE TRIGGER derive_retry INSTEAD OF INSERT ON derivation
WHEN new.type = 'control-obeyed' AND new.body ->> 'action' = 'retry' AND new.body ->> 'refused' IS NULL
BEGIN
  UPDATE goal_status SET status = 'queued', until = NULL, ticket = NULL, refuted = NULL, reason = 'tried again by hand'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER count_refuted_goal AFTER UPDATE OF refutations ON goal_history
WHEN old.refutations = 0 AND new.refutations > 0
BEGIN
  INSERT INTO counters VALUES ('goals_refuted', 1) ON CONFLICT DO UPDATE SET value = value + 1;
END;

-- Goals that are neither proved nor refuted, across all runs.
DROP VIEW frontier;
DROP INDEX goal_history_open;
CREATE INDEX goal_history_open ON goal_history (goal_hash) WHERE proofs = 0 AND refutations = 0;
CREATE VIEW open_goals AS SELECT * FROM goal_history WHERE proofs = 0 AND refutations = 0;

-- One row, which the program writes when it opens the file to write: src/core/bandit.ts has the figures.
CREATE TABLE bandit (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  starting_mean REAL NOT NULL,
  learning_rate REAL NOT NULL
) STRICT;

DROP TRIGGER derive_reward;
CREATE TRIGGER derive_reward INSTEAD OF INSERT ON derivation
WHEN new.type = 'attempt-finished' AND new.body ->> 'reward' IS NOT NULL
BEGIN
  INSERT INTO arm_records (arm, context, trials, mean)
  SELECT DISTINCT new.body ->> 'arm', column1, 1,
    (1 - learning_rate) * starting_mean + learning_rate * (new.body ->> 'reward')
  FROM bandit, (VALUES (''), (coalesce(new.body ->> 'context', ''))) WHERE true
  ON CONFLICT DO UPDATE SET trials = trials + 1,
    mean = (SELECT (1 - learning_rate) * mean + learning_rate * (new.body ->> 'reward') FROM bandit);
END;

-- Tokens that language models read and wrote.
ALTER TABLE finished_attempts ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE finished_attempts ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE statistics ADD COLUMN input_tokens INTEGER NOT NULL DEFAULT 0;
ALTER TABLE statistics ADD COLUMN output_tokens INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER on_attempt_finished;
CREATE TRIGGER on_attempt_finished AFTER INSERT ON events WHEN new.type = 'attempt-finished'
BEGIN
  INSERT INTO finished_attempts (seq, attempt, run, goal, goal_hash, goal_text, fingerprint, strategy, arm, context,
    signature, params, started, at, outcome, tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds,
    peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, error, parent, reward, by_hand)
  VALUES (new.seq, new.body ->> 'attempt', iif(new.run = 'by-hand', NULL, new.run), new.body ->> 'goal',
    new.body ->> 'goal_hash', new.body ->> 'goal_text', new.body ->> 'fingerprint', new.body ->> 'strategy',
    new.body ->> 'arm', coalesce(new.body ->> 'context', ''), new.body ->> 'signature', new.body -> 'params',
    CAST(new.body ->> 'started' AS INTEGER), new.at, new.body ->> 'outcome', new.body -> 'tactics',
    new.body -> 'next_goals', new.body -> 'premises', new.body ->> 'cache_hits', new.body ->> 'cpu_seconds',
    new.body ->> 'wall_seconds', CAST(new.body ->> 'peak_bytes' AS INTEGER), new.body ->> 'gpu_seconds',
    new.body ->> 'cloud_seconds', coalesce(new.body ->> 'input_tokens', 0), coalesce(new.body ->> 'output_tokens', 0),
    new.body ->> 'error', new.body ->> 'parent', new.body ->> 'reward', new.body ->> 'by_hand');
END;

DROP TRIGGER derive_attempt_finished;
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
    input_tokens, output_tokens, cache_hits, attempts_with_hits, peak_bytes)
  SELECT column1, column2, new.body ->> 'strategy', new.body ->> 'arm', new.body ->> 'outcome', 1,
    new.body ->> 'cpu_seconds', new.body ->> 'wall_seconds', new.body ->> 'gpu_seconds', new.body ->> 'cloud_seconds',
    coalesce(new.body ->> 'input_tokens', 0), coalesce(new.body ->> 'output_tokens', 0),
    new.body ->> 'cache_hits', new.body ->> 'cache_hits' > 0, CAST(new.body ->> 'peak_bytes' AS INTEGER)
  FROM (VALUES ('hour', new.at - new.at % 3600000), ('day', new.at - new.at % 86400000), ('all', 0)) WHERE true
  ON CONFLICT DO UPDATE SET attempts = attempts + 1, cpu_seconds = cpu_seconds + excluded.cpu_seconds,
    wall_seconds = wall_seconds + excluded.wall_seconds, gpu_seconds = gpu_seconds + excluded.gpu_seconds,
    cloud_seconds = cloud_seconds + excluded.cloud_seconds, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, cache_hits = cache_hits + excluded.cache_hits,
    attempts_with_hits = attempts_with_hits + excluded.attempts_with_hits,
    peak_bytes = max(peak_bytes, excluded.peak_bytes);
END;

-- The familiar names once more, with the new columns. Written so that SQLite 3.40 (Debian 12) can run it too: that one
-- knows no 'subsec', and answers null for a modifier that it does not know.
DROP VIEW attempts;
CREATE VIEW attempts AS
SELECT
  attempt, run, goal, goal_hash,
  coalesce((SELECT statement FROM goals WHERE goals.run = finished_attempts.run AND goals.goal = finished_attempts.goal),
    goal_text) AS goal_text,
  fingerprint, strategy, arm, context, signature, params, started,
  strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch') AS timestamp,
  outcome,
  -- the gate's verdict; for a row that was written by hand, that hand's
  coalesce(by_hand, EXISTS (SELECT 1 FROM proofs
    WHERE proofs.run = finished_attempts.run AND proofs.attempt = finished_attempts.attempt
      AND proofs.assurance IN ('replayed', 'second-kernel'))) AS success,
  wall_seconds AS time_seconds,
  tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds,
  input_tokens, output_tokens, error, parent, reward
FROM finished_attempts;

CREATE TRIGGER attempts_by_hand INSTEAD OF INSERT ON attempts
BEGIN
  INSERT INTO events (run, at, type, body)
  SELECT 'by-hand', now, 'attempt-finished', json_object(
    'attempt', coalesce(new.attempt, 'by-hand-' || lower(hex(randomblob(8)))),
    'goal', NULL,
    'goal_hash', new.goal_hash,
    'goal_text', new.goal_text,
    'fingerprint', coalesce(new.fingerprint, ''),
    'strategy', new.strategy,
    'arm', coalesce(new.arm, new.strategy),
    'signature', coalesce(new.signature, ''),
    'params', json(coalesce(new.params, '{"cpu_seconds":0,"heartbeats":0}')),
    'started', coalesce(new.started, now - CAST(coalesce(new.time_seconds, 0) * 1000 AS INTEGER)),
    'outcome', coalesce(new.outcome, iif(new.success, 'solved', 'failed')),
    'tactics', iif(json_valid(new.tactics) AND json_type(new.tactics) = 'array', json(new.tactics),
      iif(new.tactics IS NULL, json_array(), json_array(new.tactics))),
    'next_goals', json(coalesce(new.next_goals, '[]')),
    'premises', json(coalesce(new.premises, '[]')),
    'cache_hits', coalesce(new.cache_hits, 0),
    'cpu_seconds', coalesce(new.cpu_seconds, new.time_seconds, 0),
    'wall_seconds', coalesce(new.time_seconds, new.wall_seconds, 0),
    'peak_bytes', coalesce(new.peak_bytes, 0),
    'gpu_seconds', coalesce(new.gpu_seconds, 0),
    'cloud_seconds', coalesce(new.cloud_seconds, 0),
    'input_tokens', coalesce(new.input_tokens, 0),
    'output_tokens', coalesce(new.output_tokens, 0),
    'error', new.error,
    'parent', new.parent,
    'reward', new.reward,
    'by_hand', coalesce(new.success, 0))
  -- days since noon in 4714 BC, to the millisecond
  FROM (SELECT CAST(round((julianday(coalesce(new.timestamp, 'now')) - 2440587.5) * 86400000) AS INTEGER) AS now);
END;
