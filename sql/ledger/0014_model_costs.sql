-- Money that language models cost, in whole millionths of a dollar, beside the tokens.

ALTER TABLE finished_attempts ADD COLUMN microdollars INTEGER NOT NULL DEFAULT 0;
ALTER TABLE statistics ADD COLUMN microdollars INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER on_attempt_finished;
CREATE TRIGGER on_attempt_finished AFTER INSERT ON events WHEN new.type = 'attempt-finished'
BEGIN
  INSERT INTO finished_attempts (seq, attempt, run, goal, goal_hash, goal_text, fingerprint, strategy, arm, context,
    signature, params, started, at, outcome, tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds,
    peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error, parent, reward, by_hand)
  VALUES (new.seq, new.body ->> 'attempt', iif(new.run = 'by-hand', NULL, new.run), new.body ->> 'goal',
    new.body ->> 'goal_hash', new.body ->> 'goal_text', new.body ->> 'fingerprint', new.body ->> 'strategy',
    new.body ->> 'arm', coalesce(new.body ->> 'context', ''), new.body ->> 'signature', new.body -> 'params',
    CAST(new.body ->> 'started' AS INTEGER), new.at, new.body ->> 'outcome', new.body -> 'tactics',
    new.body -> 'next_goals', new.body -> 'premises', new.body ->> 'cache_hits', new.body ->> 'cpu_seconds',
    new.body ->> 'wall_seconds', CAST(new.body ->> 'peak_bytes' AS INTEGER), new.body ->> 'gpu_seconds',
    new.body ->> 'cloud_seconds', coalesce(new.body ->> 'input_tokens', 0), coalesce(new.body ->> 'output_tokens', 0),
    coalesce(new.body ->> '$.model.microdollars', 0), new.body ->> 'error', new.body ->> 'parent',
    new.body ->> 'reward', new.body ->> 'by_hand');
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
    input_tokens, output_tokens, microdollars, cache_hits, attempts_with_hits, peak_bytes)
  SELECT column1, column2, new.body ->> 'strategy', new.body ->> 'arm', new.body ->> 'outcome', 1,
    new.body ->> 'cpu_seconds', new.body ->> 'wall_seconds', new.body ->> 'gpu_seconds', new.body ->> 'cloud_seconds',
    coalesce(new.body ->> 'input_tokens', 0), coalesce(new.body ->> 'output_tokens', 0),
    coalesce(new.body ->> '$.model.microdollars', 0),
    new.body ->> 'cache_hits', new.body ->> 'cache_hits' > 0, CAST(new.body ->> 'peak_bytes' AS INTEGER)
  FROM (VALUES ('hour', new.at - new.at % 3600000), ('day', new.at - new.at % 86400000), ('all', 0)) WHERE true
  ON CONFLICT DO UPDATE SET attempts = attempts + 1, cpu_seconds = cpu_seconds + excluded.cpu_seconds,
    wall_seconds = wall_seconds + excluded.wall_seconds, gpu_seconds = gpu_seconds + excluded.gpu_seconds,
    cloud_seconds = cloud_seconds + excluded.cloud_seconds, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, microdollars = microdollars + excluded.microdollars,
    cache_hits = cache_hits + excluded.cache_hits, attempts_with_hits = attempts_with_hits + excluded.attempts_with_hits,
    peak_bytes = max(peak_bytes, excluded.peak_bytes);
END;

-- What was spent before this was counted.
UPDATE finished_attempts SET microdollars = paid
FROM (SELECT seq AS its_seq, body ->> '$.model.microdollars' AS paid FROM events
  WHERE type = 'attempt-finished' AND body ->> '$.model.microdollars' > 0)
WHERE seq = its_seq;
UPDATE statistics SET microdollars = paid
FROM (SELECT column1 AS its_span, at - at % column2 AS its_since, strategy AS its_strategy, arm AS its_arm,
    outcome AS its_outcome, sum(microdollars) AS paid
  FROM finished_attempts, (VALUES ('hour', 3600000), ('day', 86400000), ('all', 9007199254740991))
  WHERE microdollars > 0 GROUP BY 1, 2, 3, 4, 5)
WHERE span = its_span AND since = its_since AND strategy = its_strategy AND arm = its_arm
  AND outcome = its_outcome;
