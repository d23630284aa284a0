-- Which judge accepted a proof. Proofs of another judge than the current one are not used until they are judged again:
-- `proof-audited` has the outcome. Null: accepted before judges had versions.

ALTER TABLE proofs ADD COLUMN judge TEXT;

DROP TRIGGER on_candidate_accepted;
CREATE TRIGGER on_candidate_accepted AFTER INSERT ON events
WHEN new.type = 'candidate-judged' AND new.body ->> 'verdict' = 'accepted'
BEGIN
  INSERT INTO proofs (seq, run, goal, at, attempt, goal_hash, fingerprint, strategy, arm, proof, premises, assurance,
    axioms, assumes, toolchain, cpu_seconds, judge)
  VALUES (new.seq, new.run, new.body ->> 'goal', new.at, new.body ->> 'attempt', new.body ->> 'goal_hash',
    new.body ->> 'fingerprint', new.body ->> 'strategy', new.body ->> 'arm', new.body ->> 'proof',
    new.body -> 'premises', new.body ->> 'assurance', new.body -> 'axioms', new.body -> 'assumes',
    new.body ->> 'toolchain', new.body ->> 'cpu_seconds', new.body ->> 'judge');
END;

CREATE TRIGGER audit_of_a_known_proof BEFORE INSERT ON events
WHEN new.type = 'proof-audited' AND NOT EXISTS (SELECT 1 FROM proofs WHERE seq = new.body ->> 'proof')
BEGIN SELECT RAISE(ABORT, 'the event is about a proof that the ledger does not have'); END;

-- `refused` is no assurance: nothing that asks for a proof finds it.
CREATE TRIGGER on_proof_audited AFTER INSERT ON events WHEN new.type = 'proof-audited'
BEGIN
  UPDATE proofs SET judge = new.body ->> 'judge', toolchain = new.body ->> 'toolchain',
    assurance = coalesce(new.body ->> 'assurance', 'refused')
  WHERE seq = new.body ->> 'proof';
END;
