import type { ArcMemoryStore } from '../../../store/arc-memory/store.ts';
import { describe } from '../../grid/facts/describe.ts';
import { factFeatures, featureSimilarity } from '../../grid/facts/features.ts';
import { fingerprint } from '../../grid/fingerprint.ts';
import { contentHash } from '../../grid/grid.ts';
import type { LoopOptions, MemoryLimits } from '../loop-options.ts';
import { paletteOf } from '../../language/alternatives.ts';
import { parseProgram, type Program } from '../../language/program.ts';
import type { CandidateRecord, TaskTrace } from '../schemas.ts';
import type { Task } from '../../grid/task.ts';
import type { Fragment, RepairCase, RulerBundle, SolvedExample } from './bundle.ts';
import { fillHoles, piecesOf } from './fragments.ts';
import { errorTypes } from '../../verify/error-type.ts';
import { directiveKinds, type DirectiveKind } from '../../search/edit.ts';

/**
 * What memory has for a task: rules of similar tasks, edits that fixed similar errors, pieces of rules. The task itself, turned or
 * recoloured too, is left out by its fingerprint, so no answer comes back. Whole items are taken while they fit the limit of
 * bytes; what is left out is counted.
 */
export function recall(store: ArcMemoryStore, task: Task, limits: MemoryLimits): RulerBundle {
  const own = fingerprint(task);
  const features = factFeatures(describe(task));
  const room = new Room(limits.maxBytes);
  const like = store
    .golds()
    .filter((gold) => gold.fingerprint !== own)
    .map((gold) => ({ ...gold, similarity: featureSimilarity(features, gold.fact_features) }))
    .sort((a, b) => b.similarity - a.similarity || (a.fingerprint < b.fingerprint ? -1 : 1))
    .slice(0, Math.min(limits.episodes, limits.solvedExamples));
  const solved_examples = like.flatMap((gold): SolvedExample[] => {
    const program = programOf(store, gold.program);
    if (program === undefined) return [];
    return room.take({ fingerprint: gold.fingerprint, program, similarity: gold.similarity });
  });
  const repair_cases = casesOf(store, limits).flatMap((one) => room.take(one));
  return {
    solved_examples,
    repair_cases,
    fragments: fragmentsOf(store, own, task, limits, room),
    left_out: room.leftOut,
  };
}

/** Counts canonical bytes. */
class Room {
  #left: number;
  leftOut = 0;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  take<Item>(item: Item): Item[] {
    const bytes = Buffer.byteLength(JSON.stringify(item));
    if (bytes > this.#left) {
      this.leftOut++;
      return [];
    }
    this.#left -= bytes;
    return [item];
  }
}

function programOf(store: ArcMemoryStore, blob: string): Program | undefined {
  const text = store.blob(blob);
  const parsed = text === undefined ? undefined : parseProgram(text);
  return parsed?.ok ? parsed.value : undefined;
}

/** For each kind of error the directives that helped most, up to a limit in all. */
function casesOf(store: ArcMemoryStore, limits: MemoryLimits): RepairCase[] {
  const seen = new Map<string, number>();
  return store
    .cases()
    .sort((a, b) => b.improved - a.improved || b.best_delta - a.best_delta)
    .filter(({ error_type }) => {
      const count = seen.get(error_type) ?? 0;
      seen.set(error_type, count + 1);
      return count < limits.repairCases;
    })
    .slice(0, limits.cases * limits.repairCases)
    .flatMap(({ ops_signature, n, improved, best_delta, ...row }) => {
      const error_type = errorTypes.find((one) => one === row.error_type);
      const directive = directiveKinds.find((one) => one === row.directive);
      if (error_type === undefined || directive === undefined) return [];
      return [{ ops_signature, error_type, directive, n, improved, best_delta }];
    });
}

/** Pieces that other tasks' rules share, those with the most support first. */
function fragmentsOf(
  store: ArcMemoryStore,
  own: string,
  task: Task,
  limits: MemoryLimits,
  room: Room,
): Fragment[] {
  const pieces = new Map<string, { program: string; gains: number[] }>();
  for (const { fragment_id, fingerprint: from, program, gain } of store.fragments()) {
    if (from === own) continue;
    const known = pieces.get(fragment_id) ?? { program, gains: [] };
    known.gains.push(gain);
    pieces.set(fragment_id, known);
  }
  const palette = paletteOf(task);
  return [...pieces]
    .map(([fragment_id, { program, gains }]) => ({
      fragment_id,
      program,
      support: gains.length,
      mean_gain: gains.reduce((sum, gain) => sum + gain, 0) / gains.length,
    }))
    .sort(
      (a, b) =>
        b.support - a.support || b.mean_gain - a.mean_gain || (a.fragment_id < b.fragment_id ? -1 : 1),
    )
    .slice(0, limits.k)
    .flatMap((piece) => {
      const text = store.blob(piece.program);
      if (text === undefined) return [];
      return fillHoles(JSON.parse(text), palette).flatMap((program) => room.take({ ...piece, program }));
    });
}

/** Writes what a batch has found, in its order, all or nothing. Cases only where an edit gained more than the threshold. */
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

/** What was done to a parent. Of a model's edit only the programs tell: each kind of difference has an equal part in the gain. */
function directivesOf({ answer, directive, differences }: CandidateRecord): DirectiveKind[] {
  const seen = answer === null ? [] : differences.map(({ kind }) => kind);
  const all = seen.length > 0 || directive === null ? seen : [directive.kind];
  return [...new Set(all)];
}
