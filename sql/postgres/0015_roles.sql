-- A worker can call itself anything, but not choose its role of the database. Names of workers that are not the ledger's owner begin with
-- their role, and what a role may use up on a goal is bounded.

CREATE FUNCTION name_of_worker(its_worker text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE session_user WHEN current_user THEN its_worker ELSE session_user || '/' || its_worker END
$$;

-- Who claimed a job last.
CREATE TABLE holders (
  job uuid PRIMARY KEY,
  role text NOT NULL,
  since timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION holds(its_job uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM holders WHERE job = its_job AND role = session_user)
$$;

CREATE OR REPLACE FUNCTION offer_work(its_worker text, its_queues text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  INSERT INTO offers (worker, queue) SELECT name_of_worker(its_worker), queue FROM grounds WHERE queue = ANY (its_queues)
  ON CONFLICT (worker, queue) DO UPDATE SET heard = now();
  -- no run has asked for anything yet: there is no table of jobs
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
         WHERE name = ANY ($1) AND state = 'active' AND heartbeat_on < now() - heartbeat_seconds * interval '1 second'$sql$,
    queue_schema()) USING its_queues;
END $$;

-- `task.roles` may not have the job. A job that comes back goes to another role first, if workers of one are there.
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
    queue_schema()) USING its_queue, greatest(0, least(most, 1000)), has_others;
END $$;

-- No worker holds a job longer than `expire_seconds`, however alive it is.
CREATE OR REPLACE FUNCTION keep_jobs(its_queue text, claims text[]) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    $sql$UPDATE %I.job SET heartbeat_on = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = ANY ($2) AND holds(id)
           AND started_on + expire_seconds * interval '1 second' > now() RETURNING id::text$sql$,
    queue_schema()) USING its_queue, claims;
END $$;

CREATE OR REPLACE FUNCTION give_back_job(its_queue text, claim text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = $2 AND holds(id)$sql$,
    queue_schema()) USING its_queue, claim;
END $$;

-- As before, but a role can neither use up the hundred answers of others nor end a job that another holds.
CREATE OR REPLACE FUNCTION leave_answer(its_queue text, claim text, its_worker text, its_body json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  its_job text;
  its_name text := name_of_worker(its_worker);
BEGIN
  IF octet_length(its_body::text) > 4194304 THEN RAISE EXCEPTION 'an answer has at most 4 MiB'; END IF;
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  EXECUTE format('SELECT data ->> ''job'' FROM %I.job WHERE name = $1 AND id::text = split_part($2, '':'', 1)', queue_schema())
    INTO its_job USING its_queue, claim;
  IF its_job IS NULL THEN RETURN; END IF;
  IF (SELECT count(*) FROM answers WHERE job = its_job
      AND (session_user = current_user OR starts_with(worker, session_user || '/'))) < 100
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
      'name_of_worker', 'holds', 'offer_work', 'claim_jobs', 'keep_jobs', 'give_back_job', 'leave_answer')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', its_function, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', its_function);
  END LOOP;
END $$;
