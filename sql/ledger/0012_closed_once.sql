-- A run that another one has taken over can no longer close goals, however late its process finds out.
CREATE TRIGGER closes_nothing_after_it_was_continued BEFORE INSERT ON events
WHEN new.type = 'goal-closed' AND EXISTS (SELECT 1 FROM runs WHERE resumes = new.run)
BEGIN SELECT RAISE(ABORT, 'another run goes on with this one'); END;
