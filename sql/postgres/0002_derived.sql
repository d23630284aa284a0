-- What can be computed again from the events: `derive` is called once for each event when it arrives, and once more for each when the
-- tables are rebuilt. The same sums in the same order as in sql/ledger: the rows are equal to the last bit.

CREATE TABLE goal_status (
  run text NOT NULL,
  goal text NOT NULL,
  status text NOT NULL, -- queued, racing, parked, solved, refuted, unsolved
  until bigint,
  ticket text,
  attempts bigint NOT NULL DEFAULT 0,
  cpu_seconds double precision NOT NULL DEFAULT 0,
  latest_error text,
  reason text,
  goal_hash text,
  refuted text,
  PRIMARY KEY (run, goal)
);

CREATE TABLE in_flight (
  run text NOT NULL,
  attempt text NOT NULL,
  goal text NOT NULL,
  strategy text NOT NULL,
  arm text NOT NULL,
  started bigint NOT NULL,
  PRIMARY KEY (run, attempt)
);

CREATE TABLE statistics (
  span text NOT NULL, -- hour, day, all
  since bigint NOT NULL,
  strategy text NOT NULL,
  arm text NOT NULL,
  outcome text NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  successes bigint NOT NULL DEFAULT 0,
  cpu_seconds double precision NOT NULL DEFAULT 0,
  wall_seconds double precision NOT NULL DEFAULT 0,
  gpu_seconds double precision NOT NULL DEFAULT 0,
  cloud_seconds double precision NOT NULL DEFAULT 0,
  cache_hits bigint NOT NULL DEFAULT 0,
  attempts_with_hits bigint NOT NULL DEFAULT 0,
  peak_bytes bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (span, since, strategy, arm, outcome)
);

CREATE TABLE arm_records (
  arm text NOT NULL,
  context text NOT NULL,
  trials bigint NOT NULL,
  mean double precision NOT NULL,
  PRIMARY KEY (arm, context)
);

CREATE TABLE tactic_cache (
  goal_hash text NOT NULL,
  tactics text NOT NULL,
  use_count bigint NOT NULL,
  successes bigint NOT NULL,
  seconds double precision NOT NULL,
  last_used bigint NOT NULL,
  success_rate double precision GENERATED ALWAYS AS (successes::double precision / use_count) STORED,
  avg_time double precision GENERATED ALWAYS AS (seconds / use_count) STORED
);
-- a script may be longer than an index entry
CREATE UNIQUE INDEX tactic_cache_script ON tactic_cache (goal_hash, md5(tactics));
CREATE INDEX tactic_cache_use ON tactic_cache (use_count);

CREATE TABLE goal_history (
  goal_hash text PRIMARY KEY,
  goal_seq bigint,
  attempts bigint NOT NULL DEFAULT 0,
  failures bigint NOT NULL DEFAULT 0,
  cpu_seconds double precision NOT NULL DEFAULT 0,
  proofs bigint NOT NULL DEFAULT 0,
  refutations bigint NOT NULL DEFAULT 0
);
CREATE INDEX goal_history_open ON goal_history (goal_hash) WHERE proofs = 0 AND refutations = 0;
CREATE VIEW open_goals AS SELECT * FROM goal_history WHERE proofs = 0 AND refutations = 0;

CREATE TABLE counters (
  name text PRIMARY KEY, -- goals_known, goals_solved, goals_refuted, cached_goals
  value bigint NOT NULL
);

-- The words of tickets: runs of letters and digits, in whatever language the database sorts.
CREATE FUNCTION words_of(text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(lower(found[1])), '{}') FROM
    regexp_matches($1, '[0-9A-Za-z\u00AA\u00B5\u00BA\u00C0-\u02FF\u0370-\u1FFF\u2070-\u209C\u2100-\u214F\u2C00-\uD7FF]+', 'g') AS found
$$;
CREATE TABLE ticket_text (
  seq bigint PRIMARY KEY,
  goal text NOT NULL
);
CREATE INDEX ticket_text_words ON ticket_text USING gin (words_of(goal));

-- One row, which the program writes when it opens the ledger: src/core/bandit.ts has the figures.
CREATE TABLE bandit (
  one integer PRIMARY KEY CHECK (one = 1),
  starting_mean double precision NOT NULL,
  learning_rate double precision NOT NULL
);

CREATE FUNCTION count_one(counted text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO counters VALUES (counted, 1) ON CONFLICT (name) DO UPDATE SET value = counters.value + 1
$$;

CREATE FUNCTION count_goal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'INSERT' THEN
    PERFORM count_one('goals_known');
    IF new.proofs > 0 THEN PERFORM count_one('goals_solved'); END IF;
    RETURN NULL;
  END IF;
  IF old.proofs = 0 AND new.proofs > 0 THEN PERFORM count_one('goals_solved'); END IF;
  IF old.refutations = 0 AND new.refutations > 0 THEN PERFORM count_one('goals_refuted'); END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_goal AFTER INSERT OR UPDATE ON goal_history FOR EACH ROW EXECUTE FUNCTION count_goal();

CREATE FUNCTION count_cached() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF new.successes > 0 AND (tg_op = 'INSERT' OR old.successes = 0) AND NOT EXISTS (SELECT 1 FROM tactic_cache
      WHERE goal_hash = new.goal_hash AND successes > 0 AND tactics <> new.tactics) THEN
    PERFORM count_one('cached_goals');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER count_cached AFTER INSERT OR UPDATE ON tactic_cache FOR EACH ROW EXECUTE FUNCTION count_cached();

CREATE FUNCTION derive_attempt(event events) RETURNS void LANGUAGE plpgsql AS $$
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
    cloud_seconds, input_tokens, output_tokens, cache_hits, attempts_with_hits, peak_bytes)
  SELECT span, since, body ->> 'strategy', body ->> 'arm', body ->> 'outcome', 1, cost,
    (body ->> 'wall_seconds')::double precision, (body ->> 'gpu_seconds')::double precision,
    (body ->> 'cloud_seconds')::double precision, coalesce((body ->> 'input_tokens')::bigint, 0),
    coalesce((body ->> 'output_tokens')::bigint, 0), (body ->> 'cache_hits')::bigint,
    CASE WHEN (body ->> 'cache_hits')::bigint > 0 THEN 1 ELSE 0 END, trunc((body ->> 'peak_bytes')::numeric)::bigint
  FROM spans_of(event.at)
  ON CONFLICT (span, since, strategy, arm, outcome) DO UPDATE SET attempts = held.attempts + 1,
    cpu_seconds = held.cpu_seconds + excluded.cpu_seconds, wall_seconds = held.wall_seconds + excluded.wall_seconds,
    gpu_seconds = held.gpu_seconds + excluded.gpu_seconds, cloud_seconds = held.cloud_seconds + excluded.cloud_seconds,
    input_tokens = held.input_tokens + excluded.input_tokens, output_tokens = held.output_tokens + excluded.output_tokens,
    cache_hits = held.cache_hits + excluded.cache_hits,
    attempts_with_hits = held.attempts_with_hits + excluded.attempts_with_hits,
    peak_bytes = greatest(held.peak_bytes, excluded.peak_bytes);
  IF reward IS NULL THEN RETURN; END IF;
  INSERT INTO arm_records AS held (arm, context, trials, mean)
  SELECT DISTINCT body ->> 'arm', context, 1, (1 - learning_rate) * starting_mean + learning_rate * reward
  FROM bandit, (VALUES (''), (coalesce(body ->> 'context', ''))) AS contexts (context)
  ON CONFLICT (arm, context) DO UPDATE SET trials = held.trials + 1,
    mean = (SELECT (1 - learning_rate) * held.mean + learning_rate * reward FROM bandit);
END $$;

CREATE FUNCTION spans_of(at bigint) RETURNS TABLE (span text, since bigint) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('hour', at - at % 3600000), ('day', at - at % 86400000), ('all', 0::bigint)
$$;

-- An unknown verdict is no evidence about the script. Solved means accepted at `replayed` or better. An attempt succeeds once,
-- however often its proof is judged again.
CREATE FUNCTION derive_verdict(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  cost double precision := body ->> 'cpu_seconds';
BEGIN
  UPDATE goal_status SET cpu_seconds = cpu_seconds + cost WHERE run = event.run AND goal = body ->> 'goal';
  INSERT INTO tactic_cache AS held (goal_hash, tactics, use_count, successes, seconds, last_used)
  SELECT body ->> 'goal_hash', body ->> 'proof', 1, CASE WHEN body ->> 'verdict' = 'accepted' THEN 1 ELSE 0 END, cost, event.at
  WHERE body ->> 'verdict' <> 'unknown'
  ON CONFLICT (goal_hash, md5(tactics)) DO UPDATE SET use_count = held.use_count + 1,
    successes = held.successes + excluded.successes, seconds = held.seconds + excluded.seconds, last_used = excluded.last_used;
  IF body ->> 'verdict' = 'accepted' AND body ->> 'assurance' IN ('replayed', 'second-kernel') THEN
    INSERT INTO goal_history (goal_hash, proofs) VALUES (body ->> 'goal_hash', 1)
    ON CONFLICT (goal_hash) DO UPDATE SET proofs = goal_history.proofs + 1;
    INSERT INTO statistics AS held (span, since, strategy, arm, outcome, successes)
    SELECT span, since, body ->> 'strategy', body ->> 'arm', 'solved', 1 FROM spans_of(event.at)
    WHERE body ->> 'attempt' IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM proofs WHERE run = event.run AND attempt = body ->> 'attempt' AND seq < event.seq
        AND assurance IN ('replayed', 'second-kernel'))
    ON CONFLICT (span, since, strategy, arm, outcome) DO UPDATE SET successes = held.successes + 1;
  END IF;
END $$;

-- Costs of goals besides attempts. A goal whose identity is not known has no row.
CREATE FUNCTION derive_cost(event events) RETURNS void LANGUAGE sql AS $$
  INSERT INTO goal_history (goal_hash, cpu_seconds)
  SELECT event.body ->> 'goal_hash', (event.body ->> 'cpu_seconds')::double precision
  WHERE event.body ->> 'goal_hash' IS NOT NULL
  ON CONFLICT (goal_hash) DO UPDATE SET cpu_seconds = goal_history.cpu_seconds + excluded.cpu_seconds
$$;

CREATE FUNCTION derive(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  its_goal text := body ->> 'goal';
BEGIN
  CASE event.type
  WHEN 'goal-added' THEN
    INSERT INTO goal_status (run, goal, status) VALUES (event.run, its_goal, 'queued');
  WHEN 'goal-examined' THEN
    UPDATE goal_status SET cpu_seconds = cpu_seconds + (body ->> 'cpu_seconds')::double precision,
      goal_hash = body ->> 'goal_hash'
    WHERE run = event.run AND goal = its_goal;
    INSERT INTO goal_history (goal_hash, goal_seq) VALUES (body ->> 'goal_hash', event.seq)
    ON CONFLICT (goal_hash) DO UPDATE SET goal_seq = excluded.goal_seq;
    PERFORM derive_cost(event);
  WHEN 'goal-charged' THEN
    UPDATE goal_status SET cpu_seconds = cpu_seconds + (body ->> 'cpu_seconds')::double precision
    WHERE run = event.run AND goal = its_goal;
    PERFORM derive_cost(event);
  WHEN 'goal-opened' THEN
    UPDATE goal_status SET status = 'racing', until = NULL WHERE run = event.run AND goal = its_goal;
  WHEN 'slate-started' THEN
    UPDATE goal_status SET status = 'racing', until = NULL, ticket = NULL, reason = body ->> 'reason'
    WHERE run = event.run AND goal = its_goal;
  WHEN 'goal-parked' THEN
    UPDATE goal_status SET status = 'parked', until = trunc((body ->> 'until')::numeric), ticket = body ->> 'ticket',
      reason = body ->> 'reason'
    WHERE run = event.run AND goal = its_goal;
  WHEN 'goal-closed' THEN
    UPDATE goal_status SET
      status = CASE WHEN (body ->> 'solved')::boolean THEN 'solved' WHEN body ->> 'refuted' IS NOT NULL THEN 'refuted'
        ELSE 'unsolved' END,
      until = NULL, ticket = NULL, refuted = body ->> 'refuted', reason = body ->> 'reason'
    WHERE run = event.run AND goal = its_goal;
    UPDATE goal_history SET refutations = refutations + 1
    WHERE body ->> 'refuted' IS NOT NULL AND goal_hash = (SELECT goal_status.goal_hash FROM goal_status
      WHERE goal_status.run = event.run AND goal_status.goal = its_goal);
  WHEN 'control-obeyed' THEN
    UPDATE goal_status SET status = 'queued', until = NULL, ticket = NULL, refuted = NULL, reason = 'tried again by hand'
    WHERE body ->> 'action' = 'retry' AND body ->> 'refused' IS NULL AND run = event.run AND goal = its_goal;
  WHEN 'attempt-started' THEN
    INSERT INTO in_flight (run, attempt, goal, strategy, arm, started)
    VALUES (event.run, body ->> 'attempt', its_goal, body ->> 'strategy', body ->> 'arm', event.at);
  WHEN 'attempt-finished' THEN
    PERFORM derive_attempt(event);
  WHEN 'candidate-judged' THEN
    PERFORM derive_verdict(event);
    PERFORM derive_cost(event);
  WHEN 'ticket-opened' THEN
    INSERT INTO ticket_text (seq, goal) VALUES (event.seq, its_goal);
  ELSE NULL;
  END CASE;
END $$;
