-- What closes a goal is the first answer that a judge on the coordinator's side accepts, and no longer the first that comes.

DROP FUNCTION take_answer(text, text, json);
DROP INDEX answers_first;
ALTER TABLE answers DROP COLUMN is_first;
-- A question is a goal of a run and of its continuations: SCOPE/GOAL. Its jobs are SCOPE/GOAL/1, SCOPE/GOAL/2, …: a next one
-- when what was answered to the last was refused.
ALTER TABLE answers ADD COLUMN question text NOT NULL GENERATED ALWAYS AS (regexp_replace(job, '/[0-9]+$', '')) STORED;
ALTER TABLE answers ADD COLUMN scope text NOT NULL GENERATED ALWAYS AS (split_part(job, '/', 1)) STORED;
-- Null until the coordinator has looked at it; `not-found` is an answer too.
ALTER TABLE answers ADD COLUMN verdict text CHECK (verdict IN ('accepted', 'refused', 'not-found'));
-- The first accepted one: once a question. Accepted ones that come later are alternatives.
ALTER TABLE answers ADD COLUMN wins boolean NOT NULL DEFAULT false CHECK (verdict = 'accepted' OR NOT wins);
CREATE UNIQUE INDEX answers_win ON answers (question) WHERE wins;
CREATE INDEX answers_unsettled ON answers (scope) WHERE verdict IS NULL;
CREATE INDEX answers_question ON answers (question);

-- The same worker may ask twice when the connection was lost: that is one answer.
CREATE FUNCTION take_answer(its_job text, its_worker text, its_body json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM answers WHERE job = its_job AND worker = its_worker AND body::text = its_body::text) THEN RETURN; END IF;
  INSERT INTO answers (job, worker, body) VALUES (its_job, its_worker, its_body);
  PERFORM pg_notify('orch_answers', split_part(its_job, '/', 1));
END $$;

-- The answer is whether it is the one that closes its question.
CREATE FUNCTION settle_answer(its_number bigint, its_verdict text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  UPDATE answers SET verdict = its_verdict WHERE number = its_number AND NOT wins;
  IF its_verdict = 'accepted' THEN
    BEGIN
      UPDATE answers SET wins = true WHERE number = its_number AND NOT wins AND NOT EXISTS (
        SELECT 1 FROM answers AS other WHERE other.question = answers.question AND other.wins);
    EXCEPTION WHEN unique_violation THEN NULL; -- another was first, a moment ago
    END;
  END IF;
  RETURN (SELECT wins FROM answers WHERE number = its_number);
END $$;

-- Which workers live, and on which grounds they open goals.
CREATE TABLE offers (
  worker text NOT NULL,
  queue text NOT NULL,
  heard timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (worker, queue)
);

-- Where a worker gets the modules that it lacks: repository and commit, as far as the coordinator's folder has such.
ALTER TABLE grounds ADD COLUMN origin text;
ALTER TABLE grounds ADD COLUMN revision text;

-- A run that another one has taken over can no longer close goals, however late its process finds out.
CREATE FUNCTION refuse_closing() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM runs WHERE resumes = new.run) THEN PERFORM refuse('another run goes on with this one'); END IF;
  RETURN new;
END $$;
CREATE TRIGGER refuse_closing BEFORE INSERT ON events FOR EACH ROW WHEN (new.type = 'goal-closed') EXECUTE FUNCTION refuse_closing();
