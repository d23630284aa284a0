-- Which process works on a run, and when it last said so. Neither source nor derived: it is the current state.
CREATE TABLE presence (
  run TEXT PRIMARY KEY,
  place TEXT NOT NULL, -- where the number of the process means something
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  heard INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER presence_ends AFTER INSERT ON events WHEN new.type = 'run-finished'
BEGIN DELETE FROM presence WHERE run = new.run; END;

-- Two that resume at the same moment: the database decides who was first.
CREATE TRIGGER run_is_continued_once BEFORE INSERT ON runs
WHEN new.resumes IS NOT NULL AND EXISTS (SELECT 1 FROM runs WHERE resumes = new.resumes)
BEGIN SELECT RAISE(ABORT, 'another run continues it already'); END;
