-- A run begins as one batch with its goals: which run it continues is known only when the first event of the batch has its place. So the
-- question is asked after each row, before the row itself has a place (triggers of a row go by their names), and not before.
DROP TRIGGER refuse_closed ON events;
CREATE TRIGGER refuse_closed AFTER INSERT ON events FOR EACH ROW WHEN (new.type = 'goal-added') EXECUTE FUNCTION refuse_closed();
