import type { z } from 'zod';
import type {
  blameRowSchema,
  CandidateRecord,
  directivePreferenceSchema,
  IterationRecord,
  RankingPair,
  TaskTrace,
} from '../schemas.ts';

/** Datasets from traces. Each row depends on the trace alone, and equal traces give equal bytes. */

function headOf(trace: TaskTrace, iter_idx: number) {
  const { comparator, seed, run_key, task_id } = trace;
  return { comparator, seed, run_key, task_id, iter_idx };
}

/** Pairs of candidates of one task and iteration, in order of their ids; candidates with equal scores are not paired. */
export function rankingPairs(trace: TaskTrace): RankingPair[] {
  return trace.iterations.flatMap(({ iter_idx, candidates }) => {
    const ordered = candidates
      .filter(({ program }) => program !== null)
      .sort((a, b) => (a.candidate_id < b.candidate_id ? -1 : 1));
    const rows: RankingPair[] = [];
    for (const [i, a] of ordered.entries())
      for (const b of ordered.slice(i + 1)) {
        const heldout = heldOutPairs(a, b);
        if (a.verifier_score === b.verifier_score) continue;
        rows.push({
          schema: 'arc-ranking-pair-1',
          ...headOf(trace, iter_idx),
          a_id: a.candidate_id,
          b_id: b.candidate_id,
          a_vec: a.feature_vec,
          b_vec: b.feature_vec,
          a_score: a.verifier_score,
          b_score: b.verifier_score,
          label: a.verifier_score > b.verifier_score ? 'a' : 'b',
          heldout,
        });
      }
    return rows;
  });
}

/** Training pairs that only one of the two gets right, with vectors computed without that pair. */
function heldOutPairs(a: CandidateRecord, b: CandidateRecord): RankingPair['heldout'] {
  return a.heldout.flatMap((one, i) => {
    const other = b.heldout[i];
    if (other === undefined || one.exact === other.exact) return [];
    return [
      {
        pair_idx: one.pair_idx,
        a_vec: one.feature_vec,
        b_vec: other.feature_vec,
        label_heldout: one.exact ? ('a' as const) : ('b' as const),
      },
    ];
  });
}

export function blameRows(trace: TaskTrace): z.infer<typeof blameRowSchema>[] {
  return trace.iterations.flatMap(({ iter_idx, candidates }) =>
    candidates.flatMap((one) =>
      one.blame === null || one.program === null || one.ops_signature === null
        ? []
        : [
            {
              schema: 'arc-blame-locus-1' as const,
              ...headOf(trace, iter_idx),
              candidate_id: one.candidate_id,
              ops_signature: one.ops_signature,
              program: one.program,
              feature_vec: one.feature_vec,
              error_type: one.error_type,
              blame: one.blame,
            },
          ],
    ),
  );
}

export interface PreferenceLimits {
  /** Number of seeds used per iteration. */
  readonly seeds: number;
  /** Number of edits used per seed, best first. */
  readonly edits: number;
  /** Minimum significant difference of gains. */
  readonly threshold: number;
}

type Preference = z.infer<typeof directivePreferenceSchema>;

/** The better of two directives for the same seed: edits of one seed in one iteration, compared by gain. */
export function directivePreferences(trace: TaskTrace, limits: PreferenceLimits): Preference[] {
  const known = new Map<string, CandidateRecord>();
  return trace.iterations.flatMap((iteration) => {
    const rows = iteration.seeds
      .slice(0, limits.seeds)
      .flatMap((id) => preferencesOf(trace, iteration, known.get(id), limits));
    for (const one of iteration.candidates) known.set(one.candidate_id, one);
    return rows;
  });
}

function preferencesOf(
  trace: TaskTrace,
  { iter_idx, candidates }: IterationRecord,
  seed: CandidateRecord | undefined,
  { edits, threshold }: PreferenceLimits,
): Preference[] {
  if (seed === undefined || seed.ops_signature === null) return [];
  const made = candidates
    .filter(({ parent_id, directive, program }) => parent_id === seed.candidate_id && directive && program)
    .sort((a, b) => b.verifier_score - a.verifier_score || (a.candidate_id < b.candidate_id ? -1 : 1))
    .slice(0, edits);
  const gain = (one: CandidateRecord): number =>
    Math.round((one.verifier_score - seed.verifier_score) * 1e6) / 1e6;
  const rows: Preference[] = [];
  for (const [i, better] of made.entries())
    for (const worse of made.slice(i + 1)) {
      if (better.directive === null || worse.directive === null) continue;
      const isSame =
        better.directive.kind === worse.directive.kind && better.directive.step === worse.directive.step;
      if (isSame || gain(better) - gain(worse) <= threshold) continue;
      rows.push({
        schema: 'arc-directive-pref-1',
        ...headOf(trace, iter_idx),
        seed_id: seed.candidate_id,
        seed_vec: seed.feature_vec,
        ops_signature: seed.ops_signature,
        error_type: seed.error_type,
        preferred: better.directive,
        rejected: worse.directive,
        preferred_id: better.candidate_id,
        rejected_id: worse.candidate_id,
        preferred_vec: better.feature_vec,
        rejected_vec: worse.feature_vec,
        delta_preferred: gain(better),
        delta_rejected: gain(worse),
      });
    }
  return rows;
}
