-- The ledger of sql/ledger in PostgreSQL: the same tables with the same columns and rows. There is one way in here too: an INSERT INTO
-- events, whose trigger (0003) does the rest in the same transaction. Times are milliseconds since 1970.

-- What this schema belongs to, and how far it has been brought.
CREATE TABLE ledger (
  one integer PRIMARY KEY CHECK (one = 1),
  version integer NOT NULL
);

CREATE TABLE events (
  seq bigint PRIMARY KEY,
  run text NOT NULL, -- 'market' and 'by-hand' are events outside of any run
  at bigint NOT NULL,
  type text NOT NULL,
  body json NOT NULL -- as it was written, to the letter
);
CREATE INDEX events_request_of_run ON events (run, seq) WHERE type = 'control-requested';
CREATE INDEX events_answer_of_run ON events (run, seq) WHERE type = 'control-obeyed';
CREATE INDEX events_sample_of_run ON events (run, seq) WHERE type = 'sample';
CREATE INDEX events_note_of_run ON events (run, seq) WHERE type = 'note';
CREATE INDEX events_closed_of_run ON events (run, seq) WHERE type = 'goal-closed';

CREATE TABLE runs (
  run text PRIMARY KEY,
  seq bigint NOT NULL UNIQUE REFERENCES events (seq),
  started bigint NOT NULL,
  command text NOT NULL,
  resumes text UNIQUE, -- a run is continued once
  seed double precision NOT NULL,
  toolchain text NOT NULL,
  version text NOT NULL,
  sources json NOT NULL,
  config json NOT NULL,
  strategies json NOT NULL,
  -- null until run-finished
  finished bigint,
  reason text,
  message text,
  goals_total bigint,
  goals_solved bigint,
  cpu_seconds double precision,
  lean_cpu_seconds double precision,
  host_cpu_seconds double precision,
  wall_seconds double precision,
  utilisation double precision
);

CREATE TABLE goals (
  run text NOT NULL REFERENCES runs (run),
  goal text NOT NULL,
  seq bigint NOT NULL UNIQUE REFERENCES events (seq),
  added bigint NOT NULL,
  statement text NOT NULL,
  preamble text NOT NULL,
  topic text,
  label text,
  difficulty double precision NOT NULL,
  priority double precision NOT NULL,
  source text,
  allow_axioms json NOT NULL,
  requester text, -- the goal that wants this one as a helper lemma
  -- null until goal-examined
  goal_hash text,
  fingerprint text,
  features json,
  examine_cpu_seconds double precision,
  PRIMARY KEY (run, goal)
);
CREATE INDEX goals_hash ON goals (goal_hash);

CREATE TABLE slates (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  run text NOT NULL,
  goal text NOT NULL,
  at bigint NOT NULL,
  slot text NOT NULL,
  round bigint NOT NULL,
  limits json NOT NULL,
  arms json NOT NULL,
  reason text NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
);
CREATE INDEX slates_goal ON slates (run, goal);

CREATE TABLE finished_attempts (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  attempt text NOT NULL,
  run text REFERENCES runs (run), -- null: written by hand
  goal text,
  goal_hash text NOT NULL,
  goal_text text, -- only where it was written by hand; else it is the goal's statement
  fingerprint text NOT NULL,
  strategy text NOT NULL,
  arm text NOT NULL,
  context text NOT NULL,
  signature text NOT NULL,
  params json NOT NULL,
  started bigint NOT NULL,
  at bigint NOT NULL,
  outcome text NOT NULL,
  tactics json NOT NULL,
  next_goals json NOT NULL,
  premises json NOT NULL,
  cache_hits bigint NOT NULL,
  cpu_seconds double precision NOT NULL,
  wall_seconds double precision NOT NULL,
  peak_bytes bigint NOT NULL,
  gpu_seconds double precision NOT NULL,
  cloud_seconds double precision NOT NULL,
  error text,
  parent text,
  reward double precision,
  by_hand bigint, -- the success that a hand wrote; null for ours, where only the gate says so
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  UNIQUE (run, attempt),
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
);
CREATE INDEX finished_attempts_hash ON finished_attempts (goal_hash, fingerprint);
CREATE INDEX finished_attempts_goal ON finished_attempts (run, goal);

CREATE TABLE verdicts (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  run text NOT NULL,
  goal text NOT NULL,
  at bigint NOT NULL,
  attempt text,
  strategy text NOT NULL,
  arm text NOT NULL,
  proof text NOT NULL,
  verdict text NOT NULL,
  kind text NOT NULL,
  message text NOT NULL,
  cpu_seconds double precision NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
);
CREATE INDEX verdicts_goal ON verdicts (run, goal);

CREATE TABLE proofs (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  run text NOT NULL,
  goal text NOT NULL,
  at bigint NOT NULL,
  attempt text,
  goal_hash text NOT NULL,
  fingerprint text NOT NULL,
  strategy text NOT NULL,
  arm text NOT NULL,
  proof text NOT NULL,
  premises json NOT NULL,
  assurance text NOT NULL,
  axioms json NOT NULL,
  assumes json NOT NULL,
  toolchain text NOT NULL,
  cpu_seconds double precision NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
);
CREATE INDEX proofs_hash ON proofs (goal_hash, seq);
CREATE INDEX proofs_goal ON proofs (run, goal);
CREATE INDEX proofs_attempt ON proofs (run, attempt);

CREATE TABLE tickets (
  ticket_id text PRIMARY KEY,
  seq bigint NOT NULL UNIQUE REFERENCES events (seq),
  run text NOT NULL,
  opened bigint NOT NULL,
  goal text NOT NULL,
  goal_hash text,
  context json NOT NULL,
  suggested_name text NOT NULL,
  constraints json NOT NULL,
  priority double precision NOT NULL,
  requester text NOT NULL,
  dependencies json NOT NULL,
  environment json
);
CREATE INDEX tickets_hash ON tickets (goal_hash);

CREATE TABLE ticket_claims (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  ticket_id text NOT NULL REFERENCES tickets (ticket_id),
  claimant text NOT NULL,
  at bigint NOT NULL,
  expires bigint NOT NULL
);
CREATE INDEX ticket_claims_ticket ON ticket_claims (ticket_id, seq);

CREATE TABLE ticket_completions (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  ticket_id text NOT NULL REFERENCES tickets (ticket_id),
  claimant text NOT NULL,
  at bigint NOT NULL,
  completed_proof text NOT NULL,
  assurance text NOT NULL
);
CREATE INDEX ticket_completions_ticket ON ticket_completions (ticket_id, seq);

-- Neither sources nor derived, as in sql/ledger.

CREATE TABLE tactic_steps (
  number bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
  state bytea NOT NULL,
  tactic text NOT NULL,
  outcome text NOT NULL,
  cpu_seconds double precision NOT NULL,
  heartbeats bigint NOT NULL,
  premises json,
  next bytea,
  words json
);
-- a tactic may be longer than an index entry
CREATE UNIQUE INDEX tactic_steps_step ON tactic_steps (state, md5(tactic));

CREATE TABLE frontiers (
  number bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY,
  goal_hash text NOT NULL,
  fingerprint text NOT NULL,
  at bigint NOT NULL,
  nodes json NOT NULL,
  start json,
  UNIQUE (goal_hash, fingerprint)
);

CREATE TABLE presence (
  run text PRIMARY KEY,
  place text NOT NULL,
  pid bigint NOT NULL,
  started text NOT NULL,
  heard bigint NOT NULL
);

-- The last batch of each writer: after a lost connection the writer repeats it, and nothing is written twice.
CREATE TABLE writers (
  writer text PRIMARY KEY,
  turn bigint NOT NULL,
  seq bigint NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
