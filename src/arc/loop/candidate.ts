import { compare, featureOrder, type FeatureVector } from '../verify/comparator.ts';
import type { Critic } from '../learning/critic/score.ts';
import { errorType, type ErrorType } from '../verify/error-type.ts';
import { contentHash } from '../grid/grid.ts';
import { judgeProposal, type JudgedProposal } from '../search/teacher.ts';
import type { Draft, Ruler } from '../learning/rulers/ruler.ts';
import { candidateId, normalForm } from '../language/normal.ts';
import { checkProgram, type Program } from '../language/program.ts';
import { opsSignature } from '../language/signature.ts';
import type { CandidateRecord } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { verify, type RuleVerdict } from '../verify/verify.ts';

/** A draft with its verdict; what is no program has none. */
export interface LoopCandidate {
  readonly record: CandidateRecord;
  readonly judged: JudgedProposal | null;
  readonly verdict: RuleVerdict | null;
}

/** Judges a draft. What does not parse or type-check is a candidate with score 0, never a crash. */
export function candidateOf(
  task: Task,
  draft: Draft,
  source: Ruler['source'],
  critic: Critic,
): LoopCandidate {
  const checked = checkProgram(draft.value);
  const { by, parent_id, directive } = draft;
  const from = { source, by, parent_id, directive, csa: null, blame: null };
  if (!checked.ok) {
    const { kind, message } = checked.error;
    return {
      record: {
        ...from,
        candidate_id: contentHash(`${kind} ${JSON.stringify(draft.value) ?? ''}`),
        program: null,
        message,
        ops_signature: null,
        price: 0,
        held: 0,
        verifier_score: 0,
        critic_score: 0,
        feature_vec: noFeatures,
        error_type: kind,
        heldout: [],
      },
      judged: null,
      verdict: null,
    };
  }
  const program = normalForm(checked.value);
  const id = candidateId(program);
  const verdict = verify(program, task);
  // An edit is as good as it holds without its own pairs; half of that, for it was chosen with them.
  const judged = { ...judgeProposal(task, { program, by, held: draft.held }, id) };
  const held = draft.by === 'edit' ? judged.feature_vec.loo_consistency / 2 : draft.held;
  const { feature_vec, verifier_score, price } = judged;
  return {
    record: {
      ...from,
      candidate_id: id,
      program: program as CandidateRecord['program'],
      message: null,
      ops_signature: opsSignature(program),
      price,
      held,
      verifier_score,
      critic_score: critic.score(feature_vec, verifier_score),
      feature_vec,
      error_type: errorType(task.train, verdict, feature_vec),
      heldout: heldOut(program, task, verdict),
    },
    judged: { ...judged, held },
    verdict,
  };
}

const noFeatures = Object.fromEntries(featureOrder.map((name) => [name, 0])) as FeatureVector;

/** The vector without each training pair, and whether that pair comes out right. */
function heldOut(program: Program, task: Task, verdict: RuleVerdict): CandidateRecord['heldout'] {
  if (task.train.length < 2) return [];
  return task.train.map((_, pair) => {
    const exact = verdict.exact.toSpliced(pair, 1);
    const rest = {
      outcomes: verdict.outcomes.toSpliced(pair, 1),
      exact,
      answers: verdict.answers,
      solved: exact.every(Boolean),
    };
    const { feature_vec } = compare(program, { train: task.train.toSpliced(pair, 1), test: task.test }, rest);
    return { pair_idx: pair, exact: verdict.exact[pair] === true, feature_vec };
  });
}

/** Solved means: right on every training pair, also without the pair's own table entries. */
export function isSolved({
  verifier_score,
  error_type,
}: {
  verifier_score: number;
  error_type: ErrorType;
}): boolean {
  return verifier_score === 1 && error_type === 'NONE';
}
