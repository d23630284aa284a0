-- A database role for `orch worker --queue`: it can take jobs and leave answers, and can neither read nor change the ledger.
-- It can take processor time, and keep its share of the jobs; what is written into the ledger never waits for it. To end its
-- sessions, revoke LOGIN, then SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'orch_worker'.
-- The role is the boundary: workers of one role can take each other's jobs and connections, so workers that you trust differently need
-- different roles. What one does wrong is held against its role only (docs/SCALE.md). A worker needs four connections.
-- Run it once per role, as the owner of the ledger, after a run has created the ledger's tables:
--
--   psql --set=role=orch_worker --set=schema=public --file=deploy/worker-role.sql postgres://orch@db/orch
--
-- Then give the role a password (\password orch_worker) or an entry in pg_hba.conf, and start workers with
--
--   orch worker --queue postgres://orch_worker@db/orch
\set ON_ERROR_STOP on
BEGIN;
CREATE ROLE :"role" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOINHERIT CONNECTION LIMIT 32;
-- Up to PostgreSQL 14 everyone may create objects in the schema public, and could put functions in front of those that the ledger calls.
REVOKE CREATE ON SCHEMA :"schema" FROM PUBLIC;
GRANT USAGE ON SCHEMA :"schema" TO :"role";
GRANT EXECUTE ON FUNCTION
  :"schema".work_grounds(),
  :"schema".offer_work(text, text[]),
  :"schema".claim_jobs(text, integer),
  :"schema".keep_jobs(text, text[]),
  :"schema".give_back_job(text, text),
  :"schema".leave_answer(text, text, text, json)
TO :"role";
ALTER ROLE :"role" SET search_path = :"schema";
COMMIT;
