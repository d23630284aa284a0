-- Money that language models cost, in whole millionths of a dollar, beside the tokens.

ALTER TABLE finished_attempts ADD COLUMN microdollars bigint NOT NULL DEFAULT 0;
ALTER TABLE statistics ADD COLUMN microdollars bigint NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION place_attempt(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
BEGIN
  INSERT INTO finished_attempts (seq, attempt, run, goal, goal_hash, goal_text, fingerprint, strategy, arm, context,
    signature, params, started, at, outcome, tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds,
    peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, microdollars, error, parent, reward, by_hand)
  VALUES (event.seq, body ->> 'attempt', nullif(event.run, 'by-hand'), body ->> 'goal', body ->> 'goal_hash',
    body ->> 'goal_text', body ->> 'fingerprint', body ->> 'strategy', body ->> 'arm', coalesce(body ->> 'context', ''),
    body ->> 'signature', body -> 'params', trunc((body ->> 'started')::numeric), event.at, body ->> 'outcome',
    body -> 'tactics', body -> 'next_goals', body -> 'premises', (body ->> 'cache_hits')::bigint,
    (body ->> 'cpu_seconds')::double precision, (body ->> 'wall_seconds')::double precision,
    trunc((body ->> 'peak_bytes')::numeric), (body ->> 'gpu_seconds')::double precision,
    (body ->> 'cloud_seconds')::double precision, coalesce((body ->> 'input_tokens')::bigint, 0),
    coalesce((body ->> 'output_tokens')::bigint, 0), coalesce((body -> 'model' ->> 'microdollars')::bigint, 0),
    body ->> 'error', body ->> 'parent',
    (body ->> 'reward')::double precision, (body ->> 'by_hand')::bigint);
END $$;

CREATE OR REPLACE FUNCTION derive_attempt(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  cost double precision := body ->> 'cpu_seconds';
  reward double precision := body ->> 'reward';
BEGIN
  DELETE FROM in_flight WHERE run = event.run AND attempt = body ->> 'attempt';
  UPDATE goal_status SET attempts = attempts + 1, cpu_seconds = cpu_seconds + cost,
    latest_error = coalesce(body ->> 'error', latest_error)
  WHERE run = event.run AND goal = body ->> 'goal';
  INSERT INTO goal_history (goal_hash, attempts, failures, cpu_seconds)
  VALUES (body ->> 'goal_hash', 1, CASE WHEN body ->> 'outcome' IN ('failed', 'exhausted') THEN 1 ELSE 0 END, cost)
  ON CONFLICT (goal_hash) DO UPDATE SET attempts = goal_history.attempts + 1,
    failures = goal_history.failures + excluded.failures, cpu_seconds = goal_history.cpu_seconds + excluded.cpu_seconds;
  INSERT INTO statistics AS held (span, since, strategy, arm, outcome, attempts, cpu_seconds, wall_seconds, gpu_seconds,
    cloud_seconds, input_tokens, output_tokens, microdollars, cache_hits, attempts_with_hits, peak_bytes)
  SELECT span, since, body ->> 'strategy', body ->> 'arm', body ->> 'outcome', 1, cost,
    (body ->> 'wall_seconds')::double precision, (body ->> 'gpu_seconds')::double precision,
    (body ->> 'cloud_seconds')::double precision, coalesce((body ->> 'input_tokens')::bigint, 0),
    coalesce((body ->> 'output_tokens')::bigint, 0), coalesce((body -> 'model' ->> 'microdollars')::bigint, 0),
    (body ->> 'cache_hits')::bigint,
    CASE WHEN (body ->> 'cache_hits')::bigint > 0 THEN 1 ELSE 0 END, trunc((body ->> 'peak_bytes')::numeric)::bigint
  FROM spans_of(event.at)
  ON CONFLICT (span, since, strategy, arm, outcome) DO UPDATE SET attempts = held.attempts + 1,
    cpu_seconds = held.cpu_seconds + excluded.cpu_seconds, wall_seconds = held.wall_seconds + excluded.wall_seconds,
    gpu_seconds = held.gpu_seconds + excluded.gpu_seconds, cloud_seconds = held.cloud_seconds + excluded.cloud_seconds,
    input_tokens = held.input_tokens + excluded.input_tokens, output_tokens = held.output_tokens + excluded.output_tokens,
    microdollars = held.microdollars + excluded.microdollars, cache_hits = held.cache_hits + excluded.cache_hits,
    attempts_with_hits = held.attempts_with_hits + excluded.attempts_with_hits,
    peak_bytes = greatest(held.peak_bytes, excluded.peak_bytes);
  IF reward IS NULL THEN RETURN; END IF;
  INSERT INTO arm_records AS held (arm, context, trials, mean)
  SELECT DISTINCT body ->> 'arm', context, 1, (1 - learning_rate) * starting_mean + learning_rate * reward
  FROM bandit, (VALUES (''), (coalesce(body ->> 'context', ''))) AS contexts (context)
  ON CONFLICT (arm, context) DO UPDATE SET trials = held.trials + 1,
    mean = (SELECT (1 - learning_rate) * held.mean + learning_rate * reward FROM bandit);
END $$;

-- What was spent before this was counted.
UPDATE finished_attempts SET microdollars = (body -> 'model' ->> 'microdollars')::bigint
FROM events WHERE events.seq = finished_attempts.seq AND type = 'attempt-finished'
  AND (body -> 'model' ->> 'microdollars')::bigint > 0;
UPDATE statistics SET microdollars = paid.sum
FROM (SELECT spans.span, spans.since, strategy, arm, outcome, sum(microdollars) AS sum
  FROM finished_attempts, spans_of(at) AS spans WHERE microdollars > 0 GROUP BY 1, 2, 3, 4, 5) AS paid
WHERE (statistics.span, statistics.since, statistics.strategy, statistics.arm, statistics.outcome)
  = (paid.span, paid.since, paid.strategy, paid.arm, paid.outcome);
