-- The names that people know: `attempts` with success, time_seconds, timestamp and goal_text, to read and to write.

CREATE VIEW attempts AS
SELECT
  attempt, run, goal, goal_hash,
  coalesce((SELECT statement FROM goals WHERE goals.run = finished_attempts.run AND goals.goal = finished_attempts.goal),
    goal_text) AS goal_text,
  fingerprint, strategy, arm, context, signature, params, started,
  to_char(to_timestamp(at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS timestamp,
  outcome,
  -- the gate's verdict; for a row that was written by hand, that hand's
  coalesce(by_hand, CASE WHEN EXISTS (SELECT 1 FROM proofs
    WHERE proofs.run = finished_attempts.run AND proofs.attempt = finished_attempts.attempt
      AND proofs.assurance IN ('replayed', 'second-kernel')) THEN 1 ELSE 0 END) AS success,
  wall_seconds AS time_seconds,
  tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds,
  input_tokens, output_tokens, error, parent, reward
FROM finished_attempts;

CREATE FUNCTION attempt_by_hand() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := round(extract(epoch FROM coalesce(new.timestamp::timestamp AT TIME ZONE 'UTC', clock_timestamp())) * 1000);
BEGIN
  INSERT INTO events (run, at, type, body) VALUES ('by-hand', moment, 'attempt-finished', json_build_object(
    'attempt', coalesce(new.attempt, 'by-hand-' || replace(gen_random_uuid()::text, '-', '')),
    'goal', NULL,
    'goal_hash', new.goal_hash,
    'goal_text', new.goal_text,
    'fingerprint', coalesce(new.fingerprint, ''),
    'strategy', new.strategy,
    'arm', coalesce(new.arm, new.strategy),
    'signature', coalesce(new.signature, ''),
    'params', coalesce(new.params, '{"cpu_seconds":0,"heartbeats":0}'),
    'started', coalesce(new.started, moment - trunc(coalesce(new.time_seconds, 0) * 1000)::bigint),
    'outcome', coalesce(new.outcome, CASE WHEN new.success = 1 THEN 'solved' ELSE 'failed' END),
    'tactics', coalesce(new.tactics, '[]'),
    'next_goals', coalesce(new.next_goals, '[]'),
    'premises', coalesce(new.premises, '[]'),
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
    'by_hand', coalesce(new.success, 0)));
  RETURN new;
END $$;
CREATE TRIGGER attempt_by_hand INSTEAD OF INSERT ON attempts FOR EACH ROW EXECUTE FUNCTION attempt_by_hand();
