-- The worker's side of the queue, as functions that run with their owner's rights. A role that may execute these and nothing else can take
-- jobs and leave answers, but can neither read nor change the ledger (deploy/worker-role.sql).

-- Each ledger has a pg-boss schema of its own, so two ledgers of one database never see each other's jobs.
CREATE FUNCTION queue_schema() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE current_schema() WHEN 'public' THEN 'pgboss' ELSE 'pgboss_' || left(md5(current_schema()), 16) END
$$;

CREATE FUNCTION work_grounds() RETURNS TABLE (
  queue text, version text, toolchain text, imports json, options json, closure text, project text, origin text, revision text,
  is_wanted boolean
) LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT queue, version, toolchain, imports, options, closure, project, origin, revision, heard > now() - interval '1 minute'
  FROM grounds WHERE heard > now() - interval '1 hour' ORDER BY heard DESC
$$;

-- A worker lives and opens goals of these queues. Jobs whose holder went silent wait again, even while no run looks after them.
CREATE FUNCTION offer_work(its_worker text, its_queues text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  INSERT INTO offers (worker, queue) SELECT its_worker, queue FROM grounds WHERE queue = ANY (its_queues)
  ON CONFLICT (worker, queue) DO UPDATE SET heard = now();
  -- no run has asked for anything yet: there is no table of jobs
  IF NOT FOUND THEN RETURN; END IF;
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
         WHERE name = ANY ($1) AND state = 'active' AND heartbeat_on < now() - heartbeat_seconds * interval '1 second'$sql$,
    queue_schema()) USING its_queues;
END $$;

CREATE FUNCTION claim_jobs(its_queue text, most integer) RETURNS TABLE (id text, retry_count integer, data json)
LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  -- no run has asked for anything yet: there is no table of jobs
  IF NOT EXISTS (SELECT 1 FROM grounds WHERE queue = its_queue) THEN RETURN; END IF;
  RETURN QUERY EXECUTE format(
    $sql$WITH next AS (
           SELECT job.id FROM %1$I.job WHERE name = $1 AND state < 'active' AND NOT blocked AND start_after <= now()
           ORDER BY priority DESC, created_on LIMIT $2 FOR UPDATE SKIP LOCKED)
         UPDATE %1$I.job SET state = 'active', started_on = now(), heartbeat_on = now(),
           retry_count = CASE WHEN started_on IS NULL THEN job.retry_count ELSE job.retry_count + 1 END
         FROM next WHERE job.name = $1 AND job.id = next.id RETURNING job.id::text, job.retry_count, job.data::json$sql$,
    queue_schema()) USING its_queue, greatest(0, least(most, 1000));
END $$;

-- The holder lives. The answer is which of its claims (ID:RETRY_COUNT) still hold: the owner of an earlier claim has lost the job.
CREATE FUNCTION keep_jobs(its_queue text, claims text[]) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    $sql$UPDATE %I.job SET heartbeat_on = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = ANY ($2) RETURNING id::text$sql$,
    queue_schema()) USING its_queue, claims;
END $$;

CREATE FUNCTION give_back_job(its_queue text, claim text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'retry', heartbeat_on = NULL, start_after = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = $2$sql$,
    queue_schema()) USING its_queue, claim;
END $$;

-- An answer is kept even if its sender has lost the job; only a job that was sent can be answered. Limits: 4 MiB per answer, 100 answers per job.
-- A worker that lost the connection may send the same answer twice: that is one answer.
CREATE FUNCTION leave_answer(its_queue text, claim text, its_worker text, its_body json) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  its_job text;
BEGIN
  IF octet_length(its_body::text) > 4194304 THEN RAISE EXCEPTION 'an answer has at most 4 MiB'; END IF;
  IF octet_length(its_worker) > 200 THEN RAISE EXCEPTION 'the name of a worker has at most 200 bytes'; END IF;
  EXECUTE format('SELECT data ->> ''job'' FROM %I.job WHERE name = $1 AND id::text = split_part($2, '':'', 1)', queue_schema())
    INTO its_job USING its_queue, claim;
  IF its_job IS NULL THEN RETURN; END IF;
  IF (SELECT count(*) FROM answers WHERE job = its_job) < 100 THEN PERFORM take_answer(its_job, its_worker, its_body); END IF;
  EXECUTE format(
    $sql$UPDATE %I.job SET state = 'completed', completed_on = now()
         WHERE name = $1 AND state = 'active' AND id::text || ':' || retry_count = $2$sql$,
    queue_schema()) USING its_queue, claim;
END $$;

-- Names are looked up in the ledger's schema only: a caller cannot put tables of its own in front of these.
DO $$
DECLARE
  its_function regprocedure;
BEGIN
  FOR its_function IN
    SELECT oid FROM pg_proc WHERE pronamespace = current_schema()::regnamespace AND proname IN (
      'queue_schema', 'work_grounds', 'offer_work', 'claim_jobs', 'keep_jobs', 'give_back_job', 'leave_answer')
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', its_function, current_schema());
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', its_function);
  END LOOP;
END $$;
