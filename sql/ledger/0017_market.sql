-- Tickets that are no lemmas, everyone who waits for a ticket, lemmas that are false, tickets that follow from a more general
-- one, and what a person has put on the critical path.

ALTER TABLE tickets ADD COLUMN kind TEXT NOT NULL DEFAULT 'lemma';

-- Everyone who asked, the first included. The cost of a ticket is shared in proportion to these priorities.
CREATE TABLE ticket_requests (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
  run TEXT NOT NULL,
  requester TEXT NOT NULL,
  priority REAL NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_requests_ticket ON ticket_requests (ticket_id);
CREATE INDEX ticket_requests_requester ON ticket_requests (requester);
INSERT INTO ticket_requests SELECT seq, ticket_id, run, requester, priority, opened FROM tickets;

CREATE TABLE ticket_refutations (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
  at INTEGER NOT NULL,
  goal_hash TEXT, -- identity of what is false
  counterexample TEXT NOT NULL
) STRICT;
CREATE INDEX ticket_refutations_ticket ON ticket_refutations (ticket_id, seq);

CREATE TABLE ticket_mergers (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
  into_ticket TEXT NOT NULL REFERENCES tickets (ticket_id),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX ticket_mergers_ticket ON ticket_mergers (ticket_id, seq);

-- The last one of a name counts.
CREATE TABLE pins (
  seq INTEGER PRIMARY KEY REFERENCES events (seq),
  name TEXT NOT NULL, -- a goal or a node of a blueprint
  is_pinned INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX pins_name ON pins (name, seq);

-- What work on a ticket has cost is in the goals that were made of it.
CREATE INDEX goals_lemma ON goals (goal) WHERE topic = 'lemma';

DROP TRIGGER on_ticket_opened;
CREATE TRIGGER on_ticket_opened AFTER INSERT ON events WHEN new.type = 'ticket-opened'
BEGIN
  INSERT INTO tickets (ticket_id, seq, run, opened, goal, goal_hash, context, environment, suggested_name, constraints,
    priority, requester, dependencies, kind)
  VALUES (new.body ->> 'ticket_id', new.seq, new.run, new.at, new.body ->> 'goal', new.body ->> 'goal_hash',
    new.body -> 'context', coalesce(new.body -> 'environment', 'null'), new.body ->> 'suggested_name',
    new.body -> 'constraints', new.body ->> 'priority', new.body ->> 'requester', new.body -> 'dependencies',
    coalesce(new.body ->> 'kind', 'lemma'));
END;

CREATE TRIGGER on_ticket_requested AFTER INSERT ON events WHEN new.type IN ('ticket-opened', 'ticket-joined')
BEGIN
  INSERT INTO ticket_requests (seq, ticket_id, run, requester, priority, at)
  VALUES (new.seq, new.body ->> 'ticket_id', new.run, new.body ->> 'requester', new.body ->> 'priority', new.at);
END;

CREATE TRIGGER on_ticket_refuted AFTER INSERT ON events WHEN new.type = 'ticket-refuted'
BEGIN
  INSERT INTO ticket_refutations (seq, ticket_id, at, goal_hash, counterexample)
  VALUES (new.seq, new.body ->> 'ticket_id', new.at, new.body ->> 'goal_hash', new.body ->> 'counterexample');
END;

CREATE TRIGGER on_ticket_merged AFTER INSERT ON events WHEN new.type = 'ticket-merged'
BEGIN
  INSERT INTO ticket_mergers (seq, ticket_id, into_ticket, at)
  VALUES (new.seq, new.body ->> 'ticket_id', new.body ->> 'into_ticket', new.at);
END;

CREATE TRIGGER on_pinned AFTER INSERT ON events WHEN new.type = 'pinned'
BEGIN
  INSERT INTO pins (seq, name, is_pinned, at)
  VALUES (new.seq, new.body ->> 'name', new.body ->> 'is_pinned', new.at);
END;

CREATE TRIGGER ticket_is_not_false BEFORE INSERT ON ticket_claims
WHEN EXISTS (SELECT 1 FROM ticket_refutations WHERE ticket_id = new.ticket_id)
BEGIN SELECT RAISE(ABORT, 'the ticket is refuted'); END;
