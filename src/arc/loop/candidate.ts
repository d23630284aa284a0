import { compare, featureOrder, type FeatureVector } from '../verify/comparator.ts';
import type { CriticBundle } from '../learning/memory/bundle.ts';
import { neighbourFeatures } from '../learning/critic/neighbours.ts';
import { criticScore } from '../learning/critic/score.ts';
import { errorType, type ErrorType } from '../verify/error-type.ts';
import { contentHash } from '../grid/grid.ts';
import { judgeProposal, type JudgedProposal } from '../search/teacher.ts';
import type { Draft, Ruler } from '../learning/rulers/ruler.ts';
import { differences, mainDirective, type ProgramDifference } from '../search/difference.ts';
import { candidateId, normalForm } from '../language/normal.ts';
import { checkProgram, type Program } from '../language/program.ts';
import { opsSignature } from '../language/signature.ts';
import type { CandidateRecord } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { verify, type RuleVerdict } from '../verify/verify.ts';

/** A draft with its verdict; an invalid program has none. */
export interface LoopCandidate {
  readonly record: CandidateRecord;
  readonly judged: JudgedProposal | null;
  readonly verdict: RuleVerdict | null;
  readonly error: ErrorType | null;
}

/** Judges a draft. One that does not parse or type-check becomes a candidate with score 0. */
export function candidateOf(
  task: Task,
  draft: Draft,
  source: Ruler['source'],
  neighbours: CriticBundle,
  seeds: readonly SeedProgram[] = [],
): LoopCandidate {
  const { by, answer = null } = draft;
  const origin = { source, by, answer, csa: null, blame: null };
  if (draft.fault !== undefined) {
    const said = typeof draft.value === 'string' ? draft.value.slice(0, longestSaid) : '';
    return noProgram(origin, draft, { kind: draft.fault, message: said });
  }
  const checked = checkProgram(draft.value);
  if (!checked.ok) return noProgram(origin, draft, checked.error);
  const program = normalForm(checked.value);
  const from = { ...origin, ...lineage(program, draft, seeds) };
  const id = candidateId(program);
  const verdict = verify(program, task);
  // An edit's leave-one-out share, halved because the edit was chosen with all pairs.
  const judged = { ...judgeProposal(task, { program, by, held: draft.held }, id) };
  const held = draft.by === 'edit' ? judged.feature_vec.loo_consistency / 2 : draft.held;
  const { feature_vec, verifier_score, price } = judged;
  const error = errorType(task.train, verdict, feature_vec);
  const signature = opsSignature(program);
  const near = neighbourFeatures(neighbours, signature, error);
  return {
    record: {
      ...from,
      candidate_id: id,
      program: program as CandidateRecord['program'],
      message: null,
      ops_signature: signature,
      price,
      held,
      verifier_score,
      critic_score: criticScore(feature_vec, verifier_score, near),
      neighbours: near,
      feature_vec,
      error_type: error,
      heldout: heldOut(program, task, verdict),
    },
    judged: { ...judged, held },
    verdict,
    error,
  };
}

/** Maximum length of stored text that is not a program. */
const longestSaid = 400;

type Origin = Pick<CandidateRecord, 'source' | 'by' | 'answer' | 'csa' | 'blame'>;

function noProgram(
  origin: Origin,
  { value, parent_id, directive }: Draft,
  { kind, message }: { kind: CandidateRecord['error_type']; message: string },
): LoopCandidate {
  return {
    record: {
      ...origin,
      parent_id,
      directive,
      differences: [],
      candidate_id: contentHash(`${kind} ${origin.source} ${origin.by} ${JSON.stringify(value) ?? ''}`),
      program: null,
      message,
      ops_signature: null,
      price: 0,
      held: 0,
      verifier_score: 0,
      critic_score: 0,
      neighbours: { repairable: 0, promising: 0 },
      feature_vec: noFeatures,
      error_type: kind,
      heldout: [],
    },
    judged: null,
    verdict: null,
    error: null,
  };
}

/** A seed in the form in which edits are compared with it. */
interface SeedProgram {
  readonly id: string;
  readonly program: Program;
}

/**
 * The parent and the edit of a program. If the ruler does not report them, the parent is the seed that it differs least from,
 * the earlier on a tie; a program equal to a seed is not an edit.
 */
function lineage(
  program: Program,
  { parent_id, directive }: Draft,
  seeds: readonly SeedProgram[],
): Pick<CandidateRecord, 'parent_id' | 'directive' | 'differences'> {
  if (directive !== null) {
    const parent = seeds.find(({ id }) => id === parent_id);
    return { parent_id, directive, differences: parent ? differences(parent.program, program) : [] };
  }
  const [nearest] = seeds
    .map((seed) => ({ id: seed.id, found: differences(seed.program, program) }))
    .sort((a, b) => distanceOf(a.found) - distanceOf(b.found));
  if (nearest === undefined || nearest.found.length === 0)
    return { parent_id: null, directive: null, differences: [] };
  return { parent_id: nearest.id, directive: mainDirective(nearest.found), differences: nearest.found };
}

function distanceOf(found: readonly ProgramDifference[]): number {
  return found[0]?.kind === 'RESTART' ? Number.MAX_SAFE_INTEGER : found.length;
}

const noFeatures = Object.fromEntries(featureOrder.map((name) => [name, 0])) as FeatureVector;

/** The vector without each training pair, and whether that pair is right. */
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

/** Solved: right on every training pair, also without the pair's own table entries. */
export function isSolved({
  verifier_score,
  error_type,
}: {
  verifier_score: number;
  error_type: CandidateRecord['error_type'];
}): boolean {
  return verifier_score === 1 && error_type === 'NONE';
}
