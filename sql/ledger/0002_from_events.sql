-- How an event gets into its source table, and what the sources refuse.

CREATE TRIGGER events_only_grow_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;
CREATE TRIGGER events_only_grow_delete BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END;

-- Those that change a row, and would change none.
CREATE TRIGGER event_of_a_known_goal BEFORE INSERT ON events
WHEN new.type IN ('goal-examined', 'goal-opened', 'goal-parked', 'goal-closed', 'attempt-started')
  AND NOT EXISTS (SELECT 1 FROM goals WHERE run = new.run AND goal = new.body ->> 'goal')
BEGIN SELECT RAISE(ABORT, 'the event is about a goal that the run does not have'); END;
CREATE TRIGGER event_of_a_known_run BEFORE INSERT ON events
WHEN new.type = 'run-finished' AND NOT EXISTS (SELECT 1 FROM runs WHERE run = new.run AND finished IS NULL)
BEGIN SELECT RAISE(ABORT, 'the event ends a run that is not under way'); END;

CREATE TRIGGER on_run_started AFTER INSERT ON events WHEN new.type = 'run-started'
BEGIN
  INSERT INTO runs (run, seq, started, command, resumes, seed, toolchain, version, sources, config, strategies)
  VALUES (new.run, new.seq, new.at, new.body ->> 'command', new.body ->> 'resumes', new.body ->> 'seed',
    new.body ->> 'toolchain', new.body ->> 'version', new.body -> 'sources', new.body -> 'config',
    new.body -> 'strategies');
END;

CREATE TRIGGER on_run_finished AFTER INSERT ON events WHEN new.type = 'run-finished'
BEGIN
  UPDATE runs SET finished = new.at, reason = new.body ->> 'reason', message = new.body ->> 'message',
    goals_total = new.body ->> 'goals_total', goals_solved = new.body ->> 'goals_solved',
    cpu_seconds = new.body ->> 'cpu_seconds', lean_cpu_seconds = new.body ->> 'lean_cpu_seconds',
    host_cpu_seconds = new.body ->> 'host_cpu_seconds', wall_seconds = new.body ->> 'wall_seconds',
    utilisation = new.body ->> 'utilisation'
  WHERE run = new.run;
END;

CREATE TRIGGER on_goal_added AFTER INSERT ON events WHEN new.type = 'goal-added'
BEGIN
  INSERT INTO goals (run, goal, seq, added, statement, preamble, topic, label, difficulty, priority, source, allow_axioms,
    requester)
  VALUES (new.run, new.body ->> 'goal', new.seq, new.at, new.body ->> 'statement', new.body ->> 'preamble',
    new.body ->> 'topic', new.body ->> 'label', new.body ->> 'difficulty', new.body ->> 'priority',
    new.body ->> 'source', new.body -> 'allow_axioms', new.body ->> 'requester');
END;

CREATE TRIGGER on_goal_examined AFTER INSERT ON events WHEN new.type = 'goal-examined'
BEGIN
  UPDATE goals SET goal_hash = new.body ->> 'goal_hash', fingerprint = new.body ->> 'fingerprint',
    features = new.body -> 'features', difficulty = new.body ->> 'difficulty', priority = new.body ->> 'priority',
    examine_cpu_seconds = new.body ->> 'cpu_seconds'
  WHERE run = new.run AND goal = new.body ->> 'goal';
END;

CREATE TRIGGER on_slate_started AFTER INSERT ON events WHEN new.type = 'slate-started'
BEGIN
  INSERT INTO slates (seq, run, goal, at, slot, round, limits, arms, reason)
  VALUES (new.seq, new.run, new.body ->> 'goal', new.at, new.body ->> 'slot', new.body ->> 'round',
    new.body -> 'limits', new.body -> 'arms', new.body ->> 'reason');
END;

CREATE TRIGGER on_attempt_finished AFTER INSERT ON events WHEN new.type = 'attempt-finished'
BEGIN
  INSERT INTO finished_attempts (seq, attempt, run, goal, goal_hash, goal_text, fingerprint, strategy, arm, context,
    signature, params, started, at, outcome, tactics, next_goals, premises, cache_hits, cpu_seconds, wall_seconds,
    peak_bytes, gpu_seconds, cloud_seconds, error, parent, reward, by_hand)
  VALUES (new.seq, new.body ->> 'attempt', iif(new.run = 'by-hand', NULL, new.run), new.body ->> 'goal',
    new.body ->> 'goal_hash', new.body ->> 'goal_text', new.body ->> 'fingerprint', new.body ->> 'strategy',
    new.body ->> 'arm', coalesce(new.body ->> 'context', ''), new.body ->> 'signature', new.body -> 'params',
    CAST(new.body ->> 'started' AS INTEGER), new.at, new.body ->> 'outcome', new.body -> 'tactics',
    new.body -> 'next_goals', new.body -> 'premises', new.body ->> 'cache_hits', new.body ->> 'cpu_seconds',
    new.body ->> 'wall_seconds', CAST(new.body ->> 'peak_bytes' AS INTEGER), new.body ->> 'gpu_seconds',
    new.body ->> 'cloud_seconds', new.body ->> 'error', new.body ->> 'parent', new.body ->> 'reward',
    new.body ->> 'by_hand');
END;

CREATE TRIGGER on_candidate_judged AFTER INSERT ON events WHEN new.type = 'candidate-judged'
BEGIN
  INSERT INTO verdicts (seq, run, goal, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds)
  VALUES (new.seq, new.run, new.body ->> 'goal', new.at, new.body ->> 'attempt', new.body ->> 'strategy',
    new.body ->> 'arm', new.body ->> 'proof', new.body ->> 'verdict', new.body ->> 'kind', new.body ->> 'message',
    new.body ->> 'cpu_seconds');
END;

CREATE TRIGGER on_candidate_accepted AFTER INSERT ON events
WHEN new.type = 'candidate-judged' AND new.body ->> 'verdict' = 'accepted'
BEGIN
  INSERT INTO proofs (seq, run, goal, at, attempt, goal_hash, fingerprint, strategy, arm, proof, premises, assurance,
    axioms, assumes, toolchain, cpu_seconds)
  VALUES (new.seq, new.run, new.body ->> 'goal', new.at, new.body ->> 'attempt', new.body ->> 'goal_hash',
    new.body ->> 'fingerprint', new.body ->> 'strategy', new.body ->> 'arm', new.body ->> 'proof',
    new.body -> 'premises', new.body ->> 'assurance', new.body -> 'axioms', new.body -> 'assumes',
    new.body ->> 'toolchain', new.body ->> 'cpu_seconds');
END;

CREATE TRIGGER on_ticket_opened AFTER INSERT ON events WHEN new.type = 'ticket-opened'
BEGIN
  INSERT INTO tickets (ticket_id, seq, run, opened, goal, goal_hash, context, suggested_name, constraints, priority,
    requester, dependencies)
  VALUES (new.body ->> 'ticket_id', new.seq, new.run, new.at, new.body ->> 'goal', new.body ->> 'goal_hash',
    new.body -> 'context', new.body ->> 'suggested_name', new.body -> 'constraints', new.body ->> 'priority',
    new.body ->> 'requester', new.body -> 'dependencies');
END;

-- Two processes may ask at the same moment; the database decides who was first.
CREATE TRIGGER ticket_is_free BEFORE INSERT ON ticket_claims
WHEN EXISTS (SELECT 1 FROM ticket_completions WHERE ticket_id = new.ticket_id)
  OR EXISTS (SELECT 1 FROM ticket_claims
    WHERE ticket_id = new.ticket_id AND claimant <> new.claimant AND expires > new.at)
BEGIN SELECT RAISE(ABORT, 'the ticket is taken'); END;

CREATE TRIGGER on_ticket_claimed AFTER INSERT ON events WHEN new.type = 'ticket-claimed'
BEGIN
  INSERT INTO ticket_claims (seq, ticket_id, claimant, at, expires)
  VALUES (new.seq, new.body ->> 'ticket_id', new.body ->> 'claimant', new.at, CAST(new.body ->> 'expires' AS INTEGER));
END;

CREATE TRIGGER on_ticket_completed AFTER INSERT ON events WHEN new.type = 'ticket-completed'
BEGIN
  INSERT INTO ticket_completions (ticket_id, seq, claimant, at, completed_proof, assurance)
  VALUES (new.body ->> 'ticket_id', new.seq, new.body ->> 'claimant', new.at, new.body ->> 'completed_proof',
    new.body ->> 'assurance');
END;
