-- Tickets that are no lemmas, everyone who waits for a ticket, lemmas that are false, tickets that follow from a more general
-- one, and what a person has put on the critical path: as in sql/ledger/0017_market.sql.

SELECT lock_events();

ALTER TABLE tickets ADD COLUMN kind text NOT NULL DEFAULT 'lemma';

CREATE TABLE ticket_requests (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  ticket_id text NOT NULL REFERENCES tickets (ticket_id),
  run text NOT NULL,
  requester text NOT NULL,
  priority double precision NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX ticket_requests_ticket ON ticket_requests (ticket_id);
CREATE INDEX ticket_requests_requester ON ticket_requests (requester);
INSERT INTO ticket_requests SELECT seq, ticket_id, run, requester, priority, opened FROM tickets;

CREATE TABLE ticket_refutations (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  ticket_id text NOT NULL REFERENCES tickets (ticket_id),
  at bigint NOT NULL,
  goal_hash text,
  counterexample text NOT NULL
);
CREATE INDEX ticket_refutations_ticket ON ticket_refutations (ticket_id, seq);

CREATE TABLE ticket_mergers (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  ticket_id text NOT NULL REFERENCES tickets (ticket_id),
  into_ticket text NOT NULL REFERENCES tickets (ticket_id),
  at bigint NOT NULL
);
CREATE INDEX ticket_mergers_ticket ON ticket_mergers (ticket_id, seq);

CREATE TABLE pins (
  seq bigint PRIMARY KEY REFERENCES events (seq),
  name text NOT NULL,
  is_pinned bigint NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX pins_name ON pins (name, seq);

CREATE INDEX goals_lemma ON goals (goal) WHERE topic = 'lemma';

ALTER FUNCTION place(events) RENAME TO place_run;
CREATE FUNCTION place(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
BEGIN
  PERFORM place_run(event);
  CASE event.type
  WHEN 'ticket-opened', 'ticket-joined' THEN
    UPDATE tickets SET kind = coalesce(body ->> 'kind', 'lemma') WHERE event.type = 'ticket-opened' AND seq = event.seq;
    INSERT INTO ticket_requests (seq, ticket_id, run, requester, priority, at)
    VALUES (event.seq, body ->> 'ticket_id', event.run, body ->> 'requester', (body ->> 'priority')::double precision,
      event.at);
  WHEN 'ticket-refuted' THEN
    INSERT INTO ticket_refutations (seq, ticket_id, at, goal_hash, counterexample)
    VALUES (event.seq, body ->> 'ticket_id', event.at, body ->> 'goal_hash', body ->> 'counterexample');
  WHEN 'ticket-merged' THEN
    INSERT INTO ticket_mergers (seq, ticket_id, into_ticket, at)
    VALUES (event.seq, body ->> 'ticket_id', body ->> 'into_ticket', event.at);
  WHEN 'pinned' THEN
    INSERT INTO pins (seq, name, is_pinned, at)
    VALUES (event.seq, body ->> 'name', (body ->> 'is_pinned')::boolean::integer, event.at);
  ELSE NULL;
  END CASE;
END $$;

ALTER FUNCTION refuse_contradiction(events) RENAME TO refuse_in_run;
CREATE FUNCTION refuse_contradiction(event events) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_in_run(event);
  IF event.type = 'ticket-claimed'
    AND EXISTS (SELECT 1 FROM ticket_refutations WHERE ticket_id = event.body ->> 'ticket_id') THEN
    PERFORM refuse('the ticket is refuted');
  END IF;
END $$;
