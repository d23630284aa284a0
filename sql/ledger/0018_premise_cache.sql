-- Results of retrieval for goals, like the memory of searches: of bounded size, and it may be lost without harm.

CREATE TABLE premise_cache (
  number INTEGER PRIMARY KEY, -- the lowest are the oldest
  goal_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  encoder TEXT NOT NULL, -- the version of what made the vector
  vector TEXT NOT NULL, -- the goal, base64, a signed byte per number
  premises TEXT NOT NULL, -- JSON: names, best first
  helped TEXT NOT NULL, -- JSON: those that accepted proofs elsewhere have used; proofs of this ledger are in `proofs`
  UNIQUE (goal_hash, fingerprint)
) STRICT;
