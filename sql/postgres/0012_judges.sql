-- Which judge accepted a proof. Proofs of another judge than the current one are not used until they are judged again:
-- `proof-audited` has the outcome. Null: accepted before judges had versions.

ALTER TABLE proofs ADD COLUMN judge text;

CREATE OR REPLACE FUNCTION place_verdict(event events) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  body json := event.body;
  cost double precision := body ->> 'cpu_seconds';
BEGIN
  INSERT INTO verdicts (seq, run, goal, at, attempt, strategy, arm, proof, verdict, kind, message, cpu_seconds)
  VALUES (event.seq, event.run, body ->> 'goal', event.at, body ->> 'attempt', body ->> 'strategy', body ->> 'arm',
    body ->> 'proof', body ->> 'verdict', body ->> 'kind', body ->> 'message', cost);
  IF body ->> 'verdict' = 'accepted' THEN
    INSERT INTO proofs (seq, run, goal, at, attempt, goal_hash, fingerprint, strategy, arm, proof, premises, assurance,
      axioms, assumes, toolchain, cpu_seconds, judge)
    VALUES (event.seq, event.run, body ->> 'goal', event.at, body ->> 'attempt', body ->> 'goal_hash',
      body ->> 'fingerprint', body ->> 'strategy', body ->> 'arm', body ->> 'proof', body -> 'premises',
      body ->> 'assurance', body -> 'axioms', body -> 'assumes', body ->> 'toolchain', cost, body ->> 'judge');
  END IF;
END $$;

-- `refused` is no assurance: nothing that asks for a proof finds it.
CREATE FUNCTION take_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  body json := new.body;
BEGIN
  UPDATE proofs SET judge = body ->> 'judge', toolchain = body ->> 'toolchain',
    assurance = coalesce(body ->> 'assurance', 'refused')
  WHERE seq = (body ->> 'proof')::bigint;
  IF NOT FOUND THEN RAISE EXCEPTION 'the event is about a proof that the ledger does not have'; END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER take_audit AFTER INSERT ON events FOR EACH ROW WHEN (new.type = 'proof-audited')
EXECUTE FUNCTION take_audit();
