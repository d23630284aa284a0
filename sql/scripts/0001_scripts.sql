-- Scripts that have closed goals, with holes for the names of the goal, and how often each held. Hints: whatever is taken from
-- here is run and judged again. Bounded; the least useful go first. Times are milliseconds since 1970.

CREATE TABLE scripts (
  id TEXT PRIMARY KEY, -- hash of shape, template and versions
  shape TEXT NOT NULL, -- goals that differ in names and in the order of hypotheses share it
  goal_hash TEXT NOT NULL,
  template TEXT NOT NULL,
  tokens TEXT NOT NULL, -- JSON: symbols of the goal
  lean TEXT NOT NULL,
  mathlib TEXT NOT NULL, -- empty without it
  project TEXT NOT NULL, -- closure of the imports; empty without a project
  uses INTEGER NOT NULL,
  successes INTEGER NOT NULL,
  seconds REAL NOT NULL,
  last_used INTEGER NOT NULL,
  origin TEXT NOT NULL -- 'here', or the address of the bundle that it came with
) STRICT, WITHOUT ROWID;
CREATE INDEX scripts_shape ON scripts (shape);
CREATE INDEX scripts_goal ON scripts (goal_hash);
CREATE INDEX scripts_age ON scripts (last_used);
