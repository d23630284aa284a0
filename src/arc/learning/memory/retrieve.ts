import type { ArcMemoryStore, CaseRow, EpisodeRow, GoldRow } from '../../../store/arc-memory/store.ts';
import { describe } from '../../grid/facts/describe.ts';
import { factFeatures, featureSimilarity } from '../../grid/facts/features.ts';
import { fingerprint } from '../../grid/fingerprint.ts';
import type { Task } from '../../grid/task.ts';
import { paletteOf } from '../../language/alternatives.ts';
import { parseProgram } from '../../language/program.ts';
import { directiveKinds } from '../../search/edit.ts';
import { errorTypes } from '../../verify/error-type.ts';
import type { MemoryLimits } from '../loop-options.ts';
import type { CriticBundle, Episode, Fragment, RepairCase, RulerBundle, SummaryItem } from './bundle.ts';
import { fillHoles } from './fragments.ts';

/** An attempt on a task as retrieval needs it. */
interface Tried {
  readonly ops_signature: string;
  readonly verifier_score: number;
  readonly error_type: string;
}

/** A snapshot of a memory: a run sees one state of it, even if others write in the meantime. */
export interface Remembered {
  readonly golds: readonly GoldRow[];
  readonly cases: readonly CaseRow[];
  readonly fragments: ReturnType<ArcMemoryStore['fragments']>;
  readonly episodes: readonly EpisodeRow[];
  /** By run and task. */
  readonly attempts: ReadonlyMap<string, readonly Tried[]>;
  /** Programs by hash; undefined for one that is gone or changed. */
  readonly blob: (name: string) => string | undefined;
}

export function readMemory(store: ArcMemoryStore): Remembered {
  return {
    golds: store.golds(),
    cases: store.cases(),
    fragments: store.fragments(),
    episodes: store.episodes(),
    attempts: Map.groupBy(store.tried(), ({ run_key, task_id }) => keyOf(run_key, task_id)),
    blob: (name) => store.blob(name),
  };
}

function keyOf(run: string, task: string): string {
  return JSON.stringify([run, task]);
}

/**
 * The memory items for a ruler: rules of similar tasks, edits that fixed similar errors, pieces of rules, and outcomes of
 * similar tasks. The task itself, also turned or recoloured, is excluded by its fingerprint, so its answer is never returned.
 * Complete items are added up to the byte limit; omitted ones are counted.
 */
export function retrieveForRuler(memory: Remembered, task: Task, limits: MemoryLimits): RulerBundle {
  const own = fingerprint(task);
  const features = factFeatures(describe(task));
  const room = new Room(limits.maxBytes);
  const solved_examples = nearest(memory.golds, own, features)
    .slice(0, limits.solvedExamples)
    .flatMap(({ row, similarity }) => {
      const text = memory.blob(row.program);
      const parsed = text === undefined ? undefined : parseProgram(text);
      if (!parsed?.ok) return [];
      return room.take({ fingerprint: row.fingerprint, program: parsed.value, similarity });
    });
  const repair_cases = casesOf(memory)
    .filter(within(limits.repairCases, ({ error_type }) => error_type))
    .flatMap((one) => room.take(one));
  const fragments = fragmentsOf(memory, own, task, limits.repairCases, room);
  const near = nearest(memory.episodes, own, features);
  const episodes = near.slice(0, limits.episodes).flatMap((one) => room.take(episodeOf(one)));
  const summary = summaryOf(memory, near)
    .slice(0, limits.k)
    .flatMap((one) => room.take(one));
  return { solved_examples, repair_cases, fragments, episodes, summary, left_out: room.leftOut };
}

/** The memory items for the critic: episodes of similar tasks with the signatures tried, and repair cases. */
export function retrieveForCritic(memory: Remembered, task: Task, limits: MemoryLimits): CriticBundle {
  const own = fingerprint(task);
  const features = factFeatures(describe(task));
  const room = new Room(limits.maxBytes);
  const episodes = nearest(memory.episodes, own, features)
    .slice(0, limits.episodes)
    .flatMap((one) => {
      const tried = attemptsOf(memory, one.row).map(({ ops_signature, verifier_score }) => ({
        ops_signature,
        score: verifier_score,
      }));
      return room.take({ ...episodeOf(one), tried });
    });
  const cases = casesOf(memory)
    .slice(0, limits.cases)
    .flatMap((one) => room.take(one));
  return { episodes, cases, left_out: room.leftOut };
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

interface Near<Row> {
  readonly row: Row;
  readonly similarity: number;
}

/** Rows of other tasks, those with the most similar facts first. */
function nearest<Row extends { readonly fingerprint: string; readonly fact_features: readonly string[] }>(
  rows: readonly Row[],
  own: string,
  features: readonly string[],
): Near<Row>[] {
  return rows
    .filter((row) => row.fingerprint !== own && Array.isArray(row.fact_features))
    .map((row) => ({ row, similarity: featureSimilarity(features, row.fact_features) }))
    .sort((a, b) => b.similarity - a.similarity || (a.row.fingerprint < b.row.fingerprint ? -1 : 1));
}

function episodeOf({ row, similarity }: Near<EpisodeRow>): Episode {
  return {
    fingerprint: row.fingerprint,
    similarity,
    solved: row.solved === 1,
    best_score: row.best_score,
    iterations: row.iterations,
  };
}

function attemptsOf({ attempts }: Remembered, { run_key, task_id }: EpisodeRow): readonly Tried[] {
  return attempts.get(keyOf(run_key, task_id)) ?? [];
}

/** Number of similar tasks in a summary. */
const neighbours = 16;

/** Outcomes of the signatures tried on similar tasks, those that solved most tasks first. */
function summaryOf(memory: Remembered, near: readonly Near<EpisodeRow>[]): SummaryItem[] {
  const all = near
    .slice(0, neighbours)
    .flatMap(({ row }) => attemptsOf(memory, row).map((tried) => ({ ...tried, task: row.fingerprint })));
  return [...Map.groupBy(all, ({ ops_signature }) => ops_signature)]
    .map(([ops_signature, tried]): SummaryItem => {
      const scores = tried.map(({ verifier_score }) => verifier_score);
      const solved = tried.filter(
        ({ verifier_score, error_type }) => verifier_score === 1 && error_type === 'NONE',
      );
      return {
        ops_signature,
        tasks: new Set(tried.map(({ task }) => task)).size,
        solved: new Set(solved.map(({ task }) => task)).size,
        mean_score: Math.round((1e6 * scores.reduce((sum, score) => sum + score, 0)) / scores.length) / 1e6,
      };
    })
    .sort(
      (a, b) =>
        b.solved - a.solved || b.mean_score - a.mean_score || (a.ops_signature < b.ops_signature ? -1 : 1),
    );
}

/** The edits that helped, most often helpful first. Rows of other versions are omitted. */
function casesOf({ cases }: Remembered): RepairCase[] {
  return cases
    .toSorted((a, b) => b.improved - a.improved || b.best_delta - a.best_delta)
    .flatMap(({ ops_signature, n, improved, sum_delta, best_delta, ...row }) => {
      const error_type = errorTypes.find((one) => one === row.error_type);
      const directive = directiveKinds.find((one) => one === row.directive);
      if (error_type === undefined || directive === undefined) return [];
      return [{ ops_signature, error_type, directive, n, improved, sum_delta, best_delta }];
    });
}

/** A filter that lets at most `most` items of each kind through. */
function within<Item>(most: number, kindOf: (item: Item) => string): (item: Item) => boolean {
  const seen = new Map<string, number>();
  return (item) => {
    const kind = kindOf(item);
    const count = seen.get(kind) ?? 0;
    seen.set(kind, count + 1);
    return count < most;
  };
}

/** Pieces that other tasks' rules share, those with the most support first. */
function fragmentsOf(memory: Remembered, own: string, task: Task, most: number, room: Room): Fragment[] {
  const others = memory.fragments.filter(({ fingerprint: from }) => from !== own);
  const palette = paletteOf(task);
  return [...Map.groupBy(others, ({ fragment_id }) => fragment_id)]
    .map(([fragment_id, rows]) => ({
      fragment_id,
      program: rows[0]?.program ?? '',
      support: rows.length,
      mean_gain: rows.reduce((sum, { gain }) => sum + gain, 0) / rows.length,
    }))
    .sort(
      (a, b) =>
        b.support - a.support || b.mean_gain - a.mean_gain || (a.fragment_id < b.fragment_id ? -1 : 1),
    )
    .slice(0, most)
    .flatMap((piece) => {
      const steps = parsedJson(memory.blob(piece.program));
      return (steps === undefined ? [] : fillHoles(steps, palette)).flatMap((program) =>
        room.take({ ...piece, program }),
      );
    });
}

/** Undefined for invalid JSON, which an imported memory may contain. */
function parsedJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
