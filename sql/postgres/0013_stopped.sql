-- A run that has ended works on nothing: what it left open says so, and a resuming run takes it.
ALTER FUNCTION derive(events) RENAME TO derive_running;
CREATE FUNCTION derive(event events) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF event.type <> 'run-finished' THEN
    PERFORM derive_running(event);
    RETURN;
  END IF;
  UPDATE goal_status SET status = 'stopped', until = NULL, ticket = NULL, reason = 'the run ended first'
  WHERE run = event.run AND status IN ('queued', 'racing', 'parked');
END $$;

UPDATE goal_status SET status = 'stopped', until = NULL, ticket = NULL, reason = 'the run ended first'
WHERE status IN ('queued', 'racing', 'parked') AND run IN (SELECT run FROM runs WHERE finished IS NOT NULL);
