-- What one machine has made and others need not make again, under a name that says what it is made from. It may be emptied at any time.
CREATE TABLE shelf (
  name text PRIMARY KEY,
  bytes bytea NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
