import type { ArcMemoryStore } from '../../../store/arc-memory/store.ts';
import { contentHash } from '../../grid/grid.ts';
import type { Task } from '../../grid/task.ts';
import type { DirectiveKind } from '../../search/edit.ts';
import type { LoopOptions } from '../loop-options.ts';
import type { CandidateRecord, TaskTrace } from '../schemas.ts';
import { piecesOf } from './fragments.ts';

/**
 * Writes the results of a batch in order, in one transaction. Cases are stored only for edits that gained more than the
 * threshold.
 */
export function remember(
  store: ArcMemoryStore,
  traces: readonly { readonly trace: TaskTrace; readonly task: Task }[],
  options: LoopOptions,
  threshold: number,
): void {
  const config = contentHash(JSON.stringify(options));
  store.transaction(() => {
    for (const { trace, task } of traces) rememberTask(store, trace, task, config, threshold);
  });
}

function rememberTask(
  store: ArcMemoryStore,
  trace: TaskTrace,
  task: Task,
  config: string,
  threshold: number,
): void {
  const { run_key, task_id, fingerprint: own, facts_hash, fact_features, row } = trace;
  store.addEpisode({
    run_key,
    task_id,
    fingerprint: own,
    facts_hash,
    fact_features,
    config_hash: config,
    best_score: row.best?.verifier_score ?? 0,
    solved: Number(row.solved),
    iterations: trace.iterations.length,
  });
  const known = new Map<string, CandidateRecord>();
  for (const { candidates } of trace.iterations) {
    for (const one of candidates) {
      if (one.program === null || one.ops_signature === null) continue;
      const { candidate_id, parent_id, ops_signature, feature_vec, verifier_score, error_type } = one;
      const program = store.keep(JSON.stringify(one.program));
      store.addAttempt({
        run_key,
        task_id,
        candidate_id,
        parent_id,
        program,
        ops_signature,
        feature_vec,
        verifier_score,
        error_type,
      });
      rememberCase(store, one, known.get(parent_id ?? ''), threshold);
    }
    for (const one of candidates) known.set(one.candidate_id, one);
  }
  if (!row.solved || row.best === null) return;
  const program = row.best.program;
  store.addGold({
    fingerprint: own,
    program: store.keep(JSON.stringify(program)),
    price: row.best.price,
    fact_features,
  });
  for (const { fragment_id, steps, gain } of piecesOf(program, task))
    store.addFragment({ fragment_id, fingerprint: own, program: store.keep(JSON.stringify(steps)), gain });
}

function rememberCase(
  store: ArcMemoryStore,
  child: CandidateRecord,
  parent: CandidateRecord | undefined,
  threshold: number,
): void {
  if (!parent?.ops_signature || child.directive === null) return;
  const delta = Math.round((child.verifier_score - parent.verifier_score) * 1e6) / 1e6;
  if (delta <= threshold) return;
  const kinds = directivesOf(child);
  const gain = Math.round((1e6 * delta) / kinds.length) / 1e6;
  for (const directive of kinds)
    store.addCase({
      ops_signature: parent.ops_signature,
      error_type: parent.error_type,
      directive,
      n: 1,
      improved: 1,
      sum_delta: gain,
      best_delta: gain,
      exemplar: child.candidate_id,
    });
}

/**
 * The edits applied to a parent. For a model's edit they are derived from the programs, and the gain is divided equally among
 * the kinds of difference.
 */
function directivesOf({ answer, directive, differences }: CandidateRecord): DirectiveKind[] {
  const seen = answer === null ? [] : differences.map(({ kind }) => kind);
  const all = seen.length > 0 || directive === null ? seen : [directive.kind];
  return [...new Set(all)];
}
