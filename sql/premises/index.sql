-- The premises of one environment: a cache beside Lean, made in one go and never changed. Its file is named after the
-- environment and the version of this schema, so there is nothing to migrate; a file that is lost is made again.

CREATE TABLE premises (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  kind TEXT NOT NULL, -- theorem, definition, …, as Lean calls it
  module TEXT NOT NULL,
  symbols TEXT NOT NULL, -- JSON: the numbers of the symbols of its type
  weight REAL NOT NULL -- of its symbols together
) STRICT;
CREATE INDEX premises_name ON premises (name);

-- A symbol in few premises says much.
CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  premises INTEGER NOT NULL, -- how many mention it
  weight REAL NOT NULL
) STRICT;

CREATE TABLE occurrences (
  symbol INTEGER NOT NULL,
  premise INTEGER NOT NULL,
  PRIMARY KEY (symbol, premise)
) STRICT, WITHOUT ROWID;

-- Words of the name and of what the type mentions; the row's number is the premise's.
CREATE VIRTUAL TABLE premise_words USING fts5 (name, words, content = '', tokenize = 'unicode61');

-- In how many premises each word stands: a question goes by its rare words.
CREATE VIRTUAL TABLE word_counts USING fts5vocab (premise_words, 'row');
