-- A run that has ended works on nothing: what it left open says so, and a resuming run takes it.
CREATE TRIGGER derive_run_finished INSTEAD OF INSERT ON derivation WHEN new.type = 'run-finished'
BEGIN
  UPDATE goal_status SET status = 'stopped', until = NULL, ticket = NULL, reason = 'the run ended first'
  WHERE run = new.run AND status IN ('queued', 'racing', 'parked');
END;

UPDATE goal_status SET status = 'stopped', until = NULL, ticket = NULL, reason = 'the run ended first'
WHERE status IN ('queued', 'racing', 'parked') AND run IN (SELECT run FROM runs WHERE finished IS NOT NULL);
