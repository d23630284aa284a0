-- The dependencies of a lemma besides its preamble: the modules of a project, in the domain's format.
ALTER TABLE tickets ADD COLUMN environment TEXT;

DROP TRIGGER on_ticket_opened;
CREATE TRIGGER on_ticket_opened AFTER INSERT ON events WHEN new.type = 'ticket-opened'
BEGIN
  INSERT INTO tickets (ticket_id, seq, run, opened, goal, goal_hash, context, environment, suggested_name, constraints,
    priority, requester, dependencies)
  VALUES (new.body ->> 'ticket_id', new.seq, new.run, new.at, new.body ->> 'goal', new.body ->> 'goal_hash',
    new.body -> 'context', coalesce(new.body -> 'environment', 'null'), new.body ->> 'suggested_name',
    new.body -> 'constraints', new.body ->> 'priority', new.body ->> 'requester', new.body -> 'dependencies');
END;
