-- Work on other machines. The jobs themselves are in pg-boss's own schema; here are their inputs and results.

-- The environments in which goals can be opened: the same orch, the same Lean, the same modules. Each has a queue.
CREATE TABLE grounds (
  queue text PRIMARY KEY,
  version text NOT NULL, -- of orch
  toolchain text NOT NULL,
  imports json NOT NULL,
  options json NOT NULL,
  closure text NOT NULL, -- hash of the project's modules and manifest; empty where all comes with Lean
  project text, -- the folder that it has at the coordinator's, for people
  heard timestamptz NOT NULL DEFAULT now() -- when a coordinator last said that it wants goals worked on
);

-- What workers say: claims, which a judge on the coordinator's side looks at. The first on a job counts; one that comes after it (its
-- worker had lost the lease) is kept beside it.
CREATE TABLE answers (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  job text NOT NULL,
  worker text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  is_first boolean NOT NULL,
  body json NOT NULL
);
CREATE UNIQUE INDEX answers_first ON answers (job) WHERE is_first;
CREATE INDEX answers_job ON answers (job);

-- The same worker may ask twice when the connection was lost: that is one answer.
CREATE FUNCTION take_answer(its_job text, its_worker text, its_body json) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM answers WHERE job = its_job AND worker = its_worker AND body::text = its_body::text) THEN
    RETURN (SELECT is_first FROM answers WHERE job = its_job AND worker = its_worker AND body::text = its_body::text LIMIT 1);
  END IF;
  INSERT INTO answers (job, worker, is_first, body) VALUES (its_job, its_worker, true, its_body)
  ON CONFLICT (job) WHERE is_first DO NOTHING;
  IF FOUND THEN
    PERFORM pg_notify('orch_answers', its_job);
    RETURN true;
  END IF;
  INSERT INTO answers (job, worker, is_first, body) VALUES (its_job, its_worker, false, its_body);
  RETURN false;
END $$;
