-- Results of the ARC loop for later runs. Namespaces never see each other. Programs are in blob files, by hash.
CREATE TABLE episodes (
  namespace TEXT NOT NULL,
  run_key TEXT NOT NULL,
  task_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  facts_hash TEXT NOT NULL,
  config_hash TEXT NOT NULL,
  fact_features TEXT NOT NULL,
  best_score REAL NOT NULL,
  solved INTEGER NOT NULL,
  iterations INTEGER NOT NULL,
  PRIMARY KEY (namespace, run_key, task_id)
) STRICT;

CREATE TABLE attempts (
  namespace TEXT NOT NULL,
  run_key TEXT NOT NULL,
  task_id TEXT NOT NULL,
  candidate_id TEXT NOT NULL,
  parent_id TEXT,
  program TEXT NOT NULL,
  ops_signature TEXT NOT NULL,
  feature_vec TEXT NOT NULL,
  verifier_score REAL NOT NULL,
  error_type TEXT NOT NULL,
  PRIMARY KEY (namespace, run_key, task_id, candidate_id)
) STRICT;

-- the shortest program of score 1 for a fingerprint
CREATE TABLE gold_solutions (
  namespace TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  program TEXT NOT NULL,
  price REAL NOT NULL,
  fact_features TEXT NOT NULL,
  PRIMARY KEY (namespace, fingerprint)
) STRICT;

CREATE TABLE fragments (
  namespace TEXT NOT NULL,
  fragment_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  program TEXT NOT NULL,
  gain REAL NOT NULL,
  PRIMARY KEY (namespace, fragment_id, fingerprint)
) STRICT;

CREATE TABLE cases (
  namespace TEXT NOT NULL,
  ops_signature TEXT NOT NULL,
  error_type TEXT NOT NULL,
  directive TEXT NOT NULL,
  n INTEGER NOT NULL,
  improved INTEGER NOT NULL,
  sum_delta REAL NOT NULL,
  best_delta REAL NOT NULL,
  exemplar TEXT NOT NULL,
  PRIMARY KEY (namespace, ops_signature, error_type, directive)
) STRICT;
