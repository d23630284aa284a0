-- The names that people know: `attempts` with success, time_seconds, timestamp and goal_text, to read and to write.

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
  tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds, peak_bytes, gpu_seconds, cloud_seconds, error,
  parent, reward
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
    'error', new.error,
    'parent', new.parent,
    'reward', new.reward,
    'by_hand', coalesce(new.success, 0))
  FROM (SELECT CAST(coalesce(unixepoch(new.timestamp, 'subsec'), unixepoch('subsec')) * 1000 AS INTEGER) AS now);
END;
