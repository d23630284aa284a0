-- A role cannot keep the goals of a queue from other roles: while workers of others are there, it holds at most its share of them, but
-- always eight. What the workers of one role do to each other is not bounded.

-- One row per role, locked while the role claims: two claims at a time would not see each other.
CREATE TABLE claimants (
  role text PRIMARY KEY
);

-- How many more jobs the caller may claim. Names of workers begin with their role, unless that is the owner.
CREATE FUNCTION claimable(its_queue text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  others bigint;
  unfinished bigint;
  held bigint;
BEGIN
  IF session_user = current_user THEN RETURN 1000; END IF;
  INSERT INTO claimants (role) VALUES (session_user) ON CONFLICT (role) DO UPDATE SET role = excluded.role;
  SELECT count(DISTINCT CASE WHEN worker LIKE '%/%' THEN split_part(worker, '/', 1) ELSE '' END) INTO others FROM offers
    WHERE queue = its_queue AND heard > now() - interval '1 minute' AND NOT starts_with(worker, session_user || '/');
  IF others = 0 THEN RETURN 1000; END IF;
  EXECUTE format(
    $sql$SELECT count(*), count(*) FILTER (WHERE state = 'active' AND holds(id)) FROM %I.job WHERE name = $1 AND state <= 'active'$sql$,
    queue_schema()) INTO unfinished, held USING its_queue;
  RETURN greatest(8, ceil(unfinished / (others + 1.0))) - held;
END $$;

CREATE OR REPLACE FUNCTION claim_jobs(its_queue text, most integer) RETURNS TABLE (id text, retry_count integer, data json)
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  has_others boolean := EXISTS (
    SELECT 1 FROM offers WHERE queue = its_queue AND heard > now() - interval '1 minute'
    AND CASE session_user WHEN current_user THEN worker LIKE '%/%' ELSE NOT starts_with(worker, session_user || '/') END);
BEGIN
  -- no run has asked for anything yet: there is no table of jobs
  IF NOT EXISTS (SELECT 1 FROM grounds WHERE queue = its_queue) THEN RETURN; END IF;
  RETURN QUERY EXECUTE format(
    $sql$WITH next AS (
           SELECT job.id FROM %1$I.job LEFT JOIN holders ON holders.job = job.id
           WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= now()
             AND NOT coalesce(job.data #> '{task,roles}' ? session_user::text, false)
             AND (holders.role IS DISTINCT FROM session_user OR NOT $3 OR start_after < now() - interval '30 seconds')
           ORDER BY priority DESC, created_on LIMIT $2 FOR UPDATE OF job SKIP LOCKED),
         claimed AS (
           UPDATE %1$I.job SET state = 'active', started_on = now(), heartbeat_on = now(),
             retry_count = CASE WHEN started_on IS NULL THEN job.retry_count ELSE job.retry_count + 1 END
           FROM next WHERE job.name = $1 AND job.id = next.id RETURNING job.id, job.retry_count, job.data),
         held AS (
           INSERT INTO holders (job, role) SELECT claimed.id, session_user FROM claimed
           ON CONFLICT (job) DO UPDATE SET role = session_user, since = now())
         SELECT claimed.id::text, claimed.retry_count, claimed.data::json FROM claimed$sql$,
    queue_schema()) USING its_queue, greatest(0, least(most, claimable(its_queue))), has_others;
END $$;

-- Names are looked up in the ledger's schema only.
DO $$
DECLARE
  its_function regprocedure;
BEGIN
  FOR its_function IN
    SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname IN ('claimable', 'claim_jobs')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', its_function, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', its_function);
  END LOOP;
END $$;
