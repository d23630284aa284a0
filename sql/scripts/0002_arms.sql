-- How often arms have succeeded on other machines, from bundles. Used for arms without a record in the ledger.

CREATE TABLE IF NOT EXISTS arms (
  arm TEXT NOT NULL,
  context TEXT NOT NULL,
  trials INTEGER NOT NULL,
  mean REAL NOT NULL, -- moving average of the reward
  PRIMARY KEY (arm, context)
) STRICT, WITHOUT ROWID;
