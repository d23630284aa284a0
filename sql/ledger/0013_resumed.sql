-- A resuming run takes what is open, and nothing that was closed a moment before: it looks again, and then continues.
CREATE TRIGGER takes_nothing_that_is_closed BEFORE INSERT ON events
WHEN new.type = 'goal-added' AND EXISTS (SELECT 1 FROM runs JOIN goal_status ON goal_status.run = runs.resumes
  WHERE runs.run = new.run AND goal_status.goal = new.body ->> 'goal' AND status IN ('solved', 'refuted', 'unsolved'))
BEGIN SELECT RAISE(ABORT, 'the goal was closed by the run that this one goes on with'); END;
