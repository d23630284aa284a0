-- The sources: every event, and the rows that events leave behind. There is one way in: INSERT INTO events. The triggers
-- below put each event into the table that it belongs to, in the same transaction, for every writer: orch or a person with
-- the sqlite3 program. Times are milliseconds since 1970; lists and objects are JSON text.

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  run TEXT NOT NULL, -- 'market' and 'by-hand' are events outside of any run
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL CHECK (json_valid(body))
) STRICT;
CREATE INDEX events_sample ON events (seq) WHERE type = 'sample';

CREATE TABLE runs (
  run TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE REFERENCES events (seq),
  started INTEGER NOT NULL,
  command TEXT NOT NULL,
  resumes TEXT,
  seed REAL NOT NULL,
  toolchain TEXT NOT NULL,
  version TEXT NOT NULL,
  sources TEXT NOT NULL,
  config TEXT NOT NULL,
  strategies TEXT NOT NULL,
  -- null until run-finished
  finished INTEGER,
  reason TEXT,
  message TEXT,
  goals_total INTEGER,
  goals_solved INTEGER,
  cpu_seconds REAL,
  lean_cpu_seconds REAL,
  host_cpu_seconds REAL,
  wall_seconds REAL,
  utilisation REAL
) STRICT;
CREATE INDEX runs_resumes ON runs (resumes);

CREATE TABLE goals (
  run TEXT NOT NULL REFERENCES runs (run),
  goal TEXT NOT NULL,
  seq INTEGER NOT NULL UNIQUE REFERENCES events (seq),
  added INTEGER NOT NULL,
  statement TEXT NOT NULL,
  preamble TEXT NOT NULL,
  topic TEXT,
  label TEXT,
  difficulty REAL NOT NULL,
  priority REAL NOT NULL,
  source TEXT,
  allow_axioms TEXT NOT NULL,
  requester TEXT, -- the goal that wants this one as a helper lemma
  -- null until goal-examined
  goal_hash TEXT,
  fingerprint TEXT,
  features TEXT,
  examine_cpu_seconds REAL,
  PRIMARY KEY (run, goal)
) STRICT;
CREATE INDEX goals_hash ON goals (goal_hash);

CREATE TABLE slates (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  run TEXT NOT NULL,
  goal TEXT NOT NULL,
  at INTEGER NOT NULL,
  slot TEXT NOT NULL,
  round INTEGER NOT NULL,
  limits TEXT NOT NULL,
  arms TEXT NOT NULL,
  reason TEXT NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
) STRICT;
CREATE INDEX slates_goal ON slates (run, goal);

-- Attempts that ended, whichever way. The view `attempts` shows them with the familiar column names.
CREATE TABLE finished_attempts (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  attempt TEXT NOT NULL,
  run TEXT REFERENCES runs (run), -- null: written by hand
  goal TEXT,
  goal_hash TEXT NOT NULL,
  goal_text TEXT, -- only where it was written by hand; else it is the goal's statement
  fingerprint TEXT NOT NULL,
  strategy TEXT NOT NULL,
  arm TEXT NOT NULL,
  context TEXT NOT NULL,
  signature TEXT NOT NULL,
  params TEXT NOT NULL,
  started INTEGER NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  tactics TEXT NOT NULL,
  next_goals TEXT NOT NULL,
  premises TEXT NOT NULL,
  cache_hits INTEGER NOT NULL,
  cpu_seconds REAL NOT NULL,
  wall_seconds REAL NOT NULL,
  peak_bytes INTEGER NOT NULL,
  gpu_seconds REAL NOT NULL,
  cloud_seconds REAL NOT NULL,
  error TEXT,
  parent TEXT,
  reward REAL,
  by_hand INTEGER, -- the success that a hand wrote; null for ours, where only the gate says so
  UNIQUE (run, attempt),
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
) STRICT;
CREATE INDEX finished_attempts_hash ON finished_attempts (goal_hash, fingerprint);
CREATE INDEX finished_attempts_goal ON finished_attempts (run, goal);
CREATE INDEX finished_attempts_timestamp
  ON finished_attempts (strftime('%Y-%m-%d %H:%M:%f', at / 1000.0, 'unixepoch'));

CREATE TABLE verdicts (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  run TEXT NOT NULL,
  goal TEXT NOT NULL,
  at INTEGER NOT NULL,
  attempt TEXT,
  strategy TEXT NOT NULL,
  arm TEXT NOT NULL,
  proof TEXT NOT NULL,
  verdict TEXT NOT NULL,
  kind TEXT NOT NULL,
  message TEXT NOT NULL,
  cpu_seconds REAL NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
) STRICT;
CREATE INDEX verdicts_goal ON verdicts (run, goal);

-- Proofs that the gate accepted.
CREATE TABLE proofs (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  run TEXT NOT NULL,
  goal TEXT NOT NULL,
  at INTEGER NOT NULL,
  attempt TEXT,
  goal_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  strategy TEXT NOT NULL,
  arm TEXT NOT NULL,
  proof TEXT NOT NULL,
  premises TEXT NOT NULL,
  assurance TEXT NOT NULL,
  axioms TEXT NOT NULL,
  assumes TEXT NOT NULL,
  toolchain TEXT NOT NULL,
  cpu_seconds REAL NOT NULL,
  FOREIGN KEY (run, goal) REFERENCES goals (run, goal)
) STRICT;
CREATE INDEX proofs_hash ON proofs (goal_hash, seq);
CREATE INDEX proofs_goal ON proofs (run, goal);
CREATE INDEX proofs_attempt ON proofs (run, attempt);

CREATE TABLE tickets (
  ticket_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL UNIQUE REFERENCES events (seq),
  run TEXT NOT NULL,
  opened INTEGER NOT NULL,
  goal TEXT NOT NULL,
  goal_hash TEXT,
  context TEXT NOT NULL,
  suggested_name TEXT NOT NULL,
  constraints TEXT NOT NULL,
  priority REAL NOT NULL,
  requester TEXT NOT NULL,
  dependencies TEXT NOT NULL
) STRICT;
CREATE INDEX tickets_hash ON tickets (goal_hash);

CREATE TABLE ticket_claims (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
  claimant TEXT NOT NULL,
  at INTEGER NOT NULL,
  expires INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_claims_ticket ON ticket_claims (ticket_id, seq);

-- Two may prove the same lemma at the same time: the first counts, the second does no harm.
CREATE TABLE ticket_completions (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
  claimant TEXT NOT NULL,
  at INTEGER NOT NULL,
  completed_proof TEXT NOT NULL,
  assurance TEXT NOT NULL
) STRICT;
CREATE INDEX ticket_completions_ticket ON ticket_completions (ticket_id, seq);
