-- One meaning of what a goal costs: opening it, the attempts on it, judging and polishing what they found
-- (src/shared/cost.ts adds up the same). `goal-charged` has the costs that no other event has.

CREATE TRIGGER charge_of_a_known_goal BEFORE INSERT ON events
WHEN new.type = 'goal-charged'
  AND NOT EXISTS (SELECT 1 FROM goals WHERE run = new.run AND goal = new.body ->> 'goal')
BEGIN SELECT RAISE(ABORT, 'the event is about a goal that the run does not have'); END;

CREATE TRIGGER derive_goal_charged INSTEAD OF INSERT ON derivation WHEN new.type = 'goal-charged'
BEGIN
  UPDATE goal_status SET cpu_seconds = cpu_seconds + (new.body ->> 'cpu_seconds')
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

-- Across all runs the attempts were counted alone. A goal whose identity is not known has no row there.
CREATE TRIGGER derive_history_of_costs INSTEAD OF INSERT ON derivation
WHEN new.type IN ('goal-examined', 'goal-charged', 'candidate-judged') AND new.body ->> 'goal_hash' IS NOT NULL
BEGIN
  INSERT INTO goal_history (goal_hash, cpu_seconds) VALUES (new.body ->> 'goal_hash', new.body ->> 'cpu_seconds')
  ON CONFLICT DO UPDATE SET cpu_seconds = cpu_seconds + excluded.cpu_seconds;
END;
