-- Users' requests to a run, and their outcomes. `control-requested` may come from any process.

-- A run looks for requests once a second, the dashboard for its samples, notes and ends.
CREATE INDEX events_request_of_run ON events (run, seq) WHERE type = 'control-requested';
CREATE INDEX events_answer_of_run ON events (run, seq) WHERE type = 'control-obeyed';
CREATE INDEX events_sample_of_run ON events (run, seq) WHERE type = 'sample';
CREATE INDEX events_note_of_run ON events (run, seq) WHERE type = 'note';
CREATE INDEX events_closed_of_run ON events (run, seq) WHERE type = 'goal-closed';

CREATE TRIGGER control_of_a_run_under_way BEFORE INSERT ON events
WHEN new.type = 'control-requested' AND NOT EXISTS (SELECT 1 FROM runs WHERE run = new.run AND finished IS NULL)
BEGIN SELECT RAISE(ABORT, 'the request is for a run that is not under way'); END;
CREATE TRIGGER control_of_a_known_goal BEFORE INSERT ON events
WHEN new.type = 'control-requested' AND new.body ->> 'goal' IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM goals WHERE run = new.run AND goal = new.body ->> 'goal')
BEGIN SELECT RAISE(ABORT, 'the request is about a goal that the run does not have'); END;

CREATE TRIGGER on_priority_wanted AFTER INSERT ON events
WHEN new.type = 'control-obeyed' AND new.body ->> 'action' = 'priority' AND new.body ->> 'refused' IS NULL
BEGIN
  UPDATE goals SET priority = new.body ->> 'value' WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER derive_retry INSTEAD OF INSERT ON derivation
WHEN new.type = 'control-obeyed' AND new.body ->> 'action' = 'retry' AND new.body ->> 'refused' IS NULL
BEGIN
  UPDATE goal_status SET status = 'queued', until = NULL, ticket = NULL, reason = 'tried again by hand'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;
