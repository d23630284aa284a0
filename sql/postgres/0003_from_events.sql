-- How an event gets its number and its place, and what the ledger refuses.

CREATE FUNCTION refuse(why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', why USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- One writer at a time, from here to the end of its transaction: numbers have no gaps, and a reader that has seen one has seen all below it.
CREATE FUNCTION lock_events() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock('events'::regclass::oid::bigint)
$$;

CREATE FUNCTION number_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  PERFORM lock_events();
  SELECT coalesce(max(seq), 0) INTO last FROM events;
  -- a copy of another ledger keeps the numbers that its events have there
  IF new.seq IS NULL THEN new.seq := last + 1; END IF;
  IF new.seq <= last THEN PERFORM refuse('the ledger only grows'); END IF;
  RETURN new;
END $$;
CREATE TRIGGER number_event BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION number_event();

-- Pruning old samples says so for its transaction.
CREATE FUNCTION only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tg_op = 'DELETE' AND current_setting('orch.prunes', true) = 'samples' AND old.type = 'sample' THEN RETURN old; END IF;
  PERFORM refuse('the ledger only grows');
  RETURN NULL;
END $$;
CREATE TRIGGER events_only_grow BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION only_grows();

CREATE FUNCTION refuse_contradiction(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  its_goal text := event.body ->> 'goal';
BEGIN
  IF event.type IN ('goal-examined', 'goal-opened', 'goal-parked', 'goal-closed', 'goal-charged', 'attempt-started')
    AND NOT EXISTS (SELECT 1 FROM goals WHERE run = event.run AND goal = its_goal) THEN
    PERFORM refuse('the event is about a goal that the run does not have');
  END IF;
  IF event.type IN ('run-finished', 'control-requested')
    AND NOT EXISTS (SELECT 1 FROM runs WHERE run = event.run AND finished IS NULL) THEN
    PERFORM refuse(CASE event.type WHEN 'run-finished' THEN 'the event ends a run that is not under way'
      ELSE 'the request is for a run that is not under way' END);
  END IF;
  IF event.type = 'control-requested' AND its_goal IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM goals WHERE run = event.run AND goal = its_goal) THEN
    PERFORM refuse('the request is about a goal that the run does not have');
  END IF;
  IF event.type = 'ticket-claimed' AND (
    EXISTS (SELECT 1 FROM ticket_completions WHERE ticket_id = event.body ->> 'ticket_id')
    OR EXISTS (SELECT 1 FROM ticket_claims WHERE ticket_id = event.body ->> 'ticket_id'
      AND claimant <> event.body ->> 'claimant' AND expires > event.at)) THEN
    PERFORM refuse('the ticket is taken');
  END IF;
END $$;

CREATE FUNCTION place_attempt(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
BEGIN
  INSERT INTO finished_attempts (seq, attempt, run, goal, goal_hash, goal_text, fingerprint, strategy, arm, context,
    signature, params, started, at, outcome, tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds,
    peak_bytes, gpu_seconds, cloud_seconds, input_tokens, output_tokens, error, parent, reward, by_hand)
  VALUES (event.seq, body ->> 'attempt', nullif(event.run, 'by-hand'), body ->> 'goal', body ->> 'goal_hash',
    body ->> 'goal_text', body ->> 'fingerprint', body ->> 'strategy', body ->> 'arm', coalesce(body ->> 'context', ''),
    body ->> 'signature', body -> 'params', trunc((body ->> 'started')::numeric), event.at, body ->> 'outcome',
    body -> 'tactics', body -> 'next_goals', body -> 'premises', (body ->> 'cache_hits')::bigint,
    (body ->> 'cpu_seconds')::double precision, (body ->> 'wall_seconds')::double precision,
    trunc((body ->> 'peak_bytes')::numeric), (body ->> 'gpu_seconds')::double precision,
    (body ->> 'cloud_seconds')::double precision, coalesce((body ->> 'input_tokens')::bigint, 0),
    coalesce((body ->> 'output_tokens')::bigint, 0), body ->> 'error', body ->> 'parent',
    (body ->> 'reward')::double precision, (body ->> 'by_hand')::bigint);
END $$;

CREATE FUNCTION place_verdict(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  cost double precision := body ->> 'cpu_seconds';
BEGIN
  INSERT INTO verdicts (seq, run, goal, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds)
  VALUES (event.seq, event.run, body ->> 'goal', event.at, body ->> 'attempt', body ->> 'strategy', body ->> 'arm',
    body ->> 'proof', body ->> 'verdict', body ->> 'kind', body ->> 'message', cost);
  IF body ->> 'verdict' = 'accepted' THEN
    INSERT INTO proofs (seq, run, goal, at, attempt, goal_hash, fingerprint, strategy, arm, proof, premises, assurance,
      axioms, assumes, toolchain, cpu_seconds)
    VALUES (event.seq, event.run, body ->> 'goal', event.at, body ->> 'attempt', body ->> 'goal_hash',
      body ->> 'fingerprint', body ->> 'strategy', body ->> 'arm', body ->> 'proof', body -> 'premises',
      body ->> 'assurance', body -> 'axioms', body -> 'assumes', body ->> 'toolchain', cost);
  END IF;
END $$;

CREATE FUNCTION place(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  its_goal text := body ->> 'goal';
BEGIN
  CASE event.type
  WHEN 'run-started' THEN
    INSERT INTO runs (run, seq, started, command, resumes, seed, toolchain, version, sources, config, strategies)
    VALUES (event.run, event.seq, event.at, body ->> 'command', body ->> 'resumes', (body ->> 'seed')::double precision,
      body ->> 'toolchain', body ->> 'version', body -> 'sources', body -> 'config', body -> 'strategies');
  WHEN 'run-finished' THEN
    UPDATE runs SET finished = event.at, reason = body ->> 'reason', message = body ->> 'message',
      goals_total = (body ->> 'goals_total')::bigint, goals_solved = (body ->> 'goals_solved')::bigint,
      cpu_seconds = (body ->> 'cpu_seconds')::double precision,
      lean_cpu_seconds = (body ->> 'lean_cpu_seconds')::double precision,
      host_cpu_seconds = (body ->> 'host_cpu_seconds')::double precision,
      wall_seconds = (body ->> 'wall_seconds')::double precision, utilisation = (body ->> 'utilisation')::double precision
    WHERE run = event.run;
    DELETE FROM presence WHERE run = event.run;
  WHEN 'goal-added' THEN
    INSERT INTO goals (run, goal, seq, added, statement, preamble, topic, label, difficulty, priority, source, allow_axioms,
      requester)
    VALUES (event.run, its_goal, event.seq, event.at, body ->> 'statement', body ->> 'preamble', body ->> 'topic',
      body ->> 'label', (body ->> 'difficulty')::double precision, (body ->> 'priority')::double precision,
      body ->> 'source', body -> 'allow_axioms', body ->> 'requester');
  WHEN 'goal-examined' THEN
    UPDATE goals SET goal_hash = body ->> 'goal_hash', fingerprint = body ->> 'fingerprint', features = body -> 'features',
      difficulty = (body ->> 'difficulty')::double precision, priority = (body ->> 'priority')::double precision,
      examine_cpu_seconds = (body ->> 'cpu_seconds')::double precision
    WHERE run = event.run AND goal = its_goal;
  WHEN 'slate-started' THEN
    INSERT INTO slates (seq, run, goal, at, slot, round, limits, arms, reason)
    VALUES (event.seq, event.run, its_goal, event.at, body ->> 'slot', (body ->> 'round')::bigint, body -> 'limits',
      body -> 'arms', body ->> 'reason');
  WHEN 'attempt-finished' THEN
    PERFORM place_attempt(event);
  WHEN 'candidate-judged' THEN
    PERFORM place_verdict(event);
  WHEN 'control-obeyed' THEN
    UPDATE goals SET priority = (body ->> 'value')::double precision
    WHERE body ->> 'action' = 'priority' AND body ->> 'refused' IS NULL AND run = event.run AND goal = its_goal;
  WHEN 'ticket-opened' THEN
    INSERT INTO tickets (ticket_id, seq, run, opened, goal, goal_hash, context, environment, suggested_name, constraints,
      priority, requester, dependencies)
    VALUES (body ->> 'ticket_id', event.seq, event.run, event.at, its_goal, body ->> 'goal_hash', body -> 'context',
      coalesce(body -> 'environment', 'null'), body ->> 'suggested_name', body -> 'constraints',
      (body ->> 'priority')::double precision, body ->> 'requester', body -> 'dependencies');
  WHEN 'ticket-claimed' THEN
    INSERT INTO ticket_claims (seq, ticket_id, claimant, at, expires)
    VALUES (event.seq, body ->> 'ticket_id', body ->> 'claimant', event.at, trunc((body ->> 'expires')::numeric));
  WHEN 'ticket-completed' THEN
    INSERT INTO ticket_completions (ticket_id, seq, claimant, at, completed_proof, assurance)
    VALUES (body ->> 'ticket_id', event.seq, body ->> 'claimant', event.at, body ->> 'completed_proof', body ->> 'assurance');
  ELSE NULL;
  END CASE;
END $$;

-- After each row: an event of a batch finds what those before it have left.
CREATE FUNCTION take_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_contradiction(new);
  PERFORM place(new);
  PERFORM derive(new);
  RETURN NULL;
END $$;
CREATE TRIGGER take_event AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION take_event();

-- Followers of the ledger are notified when the transaction is over.
CREATE FUNCTION tell_followers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('orch_events', tg_table_schema);
  RETURN NULL;
END $$;
CREATE TRIGGER tell_followers AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION tell_followers();

-- A batch, once: the same turn of the same writer is written no second time, however often a lost connection makes him ask. The
-- answer is the number of its last event.
CREATE FUNCTION append_events(its_writer text, its_turn bigint, runs text[], ats bigint[], types text[], bodies text[])
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known writers;
  last bigint;
BEGIN
  PERFORM lock_events();
  SELECT * INTO known FROM writers WHERE writer = its_writer;
  IF known.turn > its_turn THEN PERFORM refuse('a later batch of the same writer is there already'); END IF;
  IF known.turn = its_turn THEN RETURN known.seq; END IF;
  INSERT INTO events (run, at, type, body)
  SELECT run, at, type, body::json FROM unnest(runs, ats, types, bodies) WITH ORDINALITY AS batch (run, at, type, body, place)
  ORDER BY place;
  SELECT coalesce(max(seq), 0) INTO last FROM events;
  INSERT INTO writers (writer, turn, seq) VALUES (its_writer, its_turn, last)
  ON CONFLICT (writer) DO UPDATE SET turn = its_turn, seq = last, at = now();
  RETURN last;
END $$;

-- Derives the events after one once more, in their order; the answer is the number of the last.
CREATE FUNCTION derive_after(after bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  event events;
  last bigint := after;
BEGIN
  FOR event IN SELECT * FROM events WHERE seq > after ORDER BY seq LOOP
    PERFORM derive(event);
    last := event.seq;
  END LOOP;
  RETURN last;
END $$;
