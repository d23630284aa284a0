-- A role cannot fill the disk, or the memory of the run that reads its answers. What waits for the run to settle it has at most 64 MiB
-- per role; for one job a role leaves at most 8 MiB. At most 1000 workers of a role offer work on a queue.

ALTER TABLE answers ADD COLUMN bytes integer NOT NULL GENERATED ALWAYS AS (octet_length(body::text)) STORED;

-- Locks the caller's role until the transaction ends: calls at the same time would not see each other's rows.
CREATE FUNCTION lock_role() RETURNS void LANGUAGE sql AS $$
  INSERT INTO claimants (role) VALUES (session_user) ON CONFLICT (role) DO NOTHING;
  SELECT FROM claimants WHERE role = session_user FOR UPDATE
$$;

CREATE OR REPLACE FUNCTION offer_work(its_worker text, its_queues text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  IF session_user <> current_user THEN
    PERFORM lock_role();
    IF (SELECT max(workers) FROM (SELECT count(*) AS workers FROM offers WHERE queue = ANY (its_queues)
        AND starts_with(worker, session_user || '/') AND worker <> name_of_worker(its_worker) GROUP BY queue) AS per_queue) >= 1000
    THEN RAISE EXCEPTION 'a role has at most 1000 workers'; END IF;
  END IF;
  INSERT INTO offers (worker, queue) SELECT name_of_worker(its_worker), queue FROM grounds WHERE queue = ANY (its_queues)
  ON CONFLICT (worker, queue) DO UPDATE SET heard = now();
  -- no run has asked for anything yet: there is no table of jobs
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
         WHERE name = ANY ($1) AND state = 'active' AND heartbeat_on < now() - heartbeat_seconds * interval '1 second'$sql$,
    queue_schema()) USING its_queues;
END $$;

CREATE OR REPLACE FUNCTION leave_answer(its_queue text, claim text, its_worker text, its_body json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  its_job text;
  its_name text := name_of_worker(its_worker);
  its_bytes bigint := octet_length(its_body::text);
  is_owner boolean := session_user = current_user;
  earlier record;
BEGIN
  IF its_bytes > 4194304 THEN RAISE EXCEPTION 'an answer has at most 4 MiB'; END IF;
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  EXECUTE format('SELECT data ->> ''job'' FROM %I.job WHERE name = $1 AND id::text = split_part($2, '':'', 1)', queue_schema())
    INTO its_job USING its_queue, claim;
  IF its_job IS NULL THEN RETURN; END IF;
  IF NOT is_owner THEN
    PERFORM lock_role();
    -- the job comes back to the queue, and other roles can answer it
    IF (SELECT coalesce(sum(bytes), 0) FROM answers WHERE verdict IS NULL AND starts_with(worker, session_user || '/')) + its_bytes
      > 67108864 THEN RETURN; END IF;
  END IF;
  SELECT count(*) AS answers, coalesce(sum(bytes), 0) AS bytes INTO earlier FROM answers
    WHERE job = its_job AND (is_owner OR starts_with(worker, session_user || '/'));
  IF earlier.answers < 100 AND earlier.bytes + its_bytes <= 8388608
  THEN PERFORM take_answer(its_job, its_name, its_body); END IF;
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'completed', completed_on = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = $2 AND holds(id)$sql$,
    queue_schema()) USING its_queue, claim;
END $$;

-- Names are looked up in the ledger's schema only.
DO $$
DECLARE
  its_function regprocedure;
BEGIN
  FOR its_function IN
    SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname IN (
      'lock_role', 'offer_work', 'leave_answer')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', its_function, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', its_function);
  END LOOP;
END $$;
