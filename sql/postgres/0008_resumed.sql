-- A resuming run takes what is open, and nothing that was closed a moment before: it looks again, and then continues.
CREATE FUNCTION refuse_closed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM runs JOIN goal_status ON goal_status.run = runs.resumes
    WHERE runs.run = new.run AND goal_status.goal = new.body ->> 'goal' AND status IN ('solved', 'refuted', 'unsolved')) THEN
    PERFORM refuse('the goal was closed by the run that this one goes on with');
  END IF;
  RETURN new;
END $$;
CREATE TRIGGER refuse_closed BEFORE INSERT ON events FOR EACH ROW WHEN (new.type = 'goal-added') EXECUTE FUNCTION refuse_closed();
