-- What makes a tree of the steps: where each search began, and what Lean said at every step.

-- JSON: for a step that failed, why; for one that led on, the states that it left as Lean prints them, in the order of `next`;
-- null for none. Cut short: on average this doubles a row.
ALTER TABLE tactic_steps ADD COLUMN words TEXT;

-- JSON: {state, goals}; null where an older orch searched. A search that ended keeps its row, with no nodes.
ALTER TABLE frontiers ADD COLUMN start TEXT;
