import { betterOf } from '../verify/comparator.ts';
import { blame } from '../learning/critic/blame.ts';
import { attribute } from '../learning/critic/csa.ts';
import { factsText, type Fact } from '../grid/facts/describe.ts';
import { factFeatures } from '../grid/facts/features.ts';
import { fingerprint } from '../grid/fingerprint.ts';
import { contentHash } from '../grid/grid.ts';
import type { TaskMemory } from '../learning/memory/bundle.ts';
import type { JudgedProposal } from '../search/teacher.ts';
import type { AnswerRecord, Described, Proposed, Ruler, Seed } from '../learning/rulers/ruler.ts';
import type { IterationRecord, LoopRow, TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import { candidateOf, isSolved, type LoopCandidate } from './candidate.ts';
import { draftShare, type LoopOptions } from '../learning/loop-options.ts';
import { rowHead, rowOf } from './row.ts';

/** The components of the loop. */
export interface LoopParts {
  readonly describe: (task: Task) => Promise<Described>;
  /** In query order, cheap ones first. */
  readonly rulers: readonly Ruler[];
  readonly memory: TaskMemory;
  readonly runKey: string;
}

/**
 * Runs one task through the loop: facts, drafts, verdicts, critic and attribution, seeds, edits. It ends when a candidate is
 * solved (score 1 and error NONE), or at the limit of iterations or nodes. It reads neither test outputs nor the clock.
 */
export async function runTask(task: Task, options: LoopOptions, parts: LoopParts): Promise<TaskTrace> {
  const hidden: Task = { ...task, answers: [] };
  const described = await parts.describe(hidden);
  const loop = new TaskLoop(hidden, described, options, parts);
  const stop = await loop.run();
  return loop.trace(stop);
}

class TaskLoop {
  readonly #task: Task;
  readonly #facts: readonly Fact[];
  readonly #options: LoopOptions;
  readonly #parts: LoopParts;
  readonly #better: ReturnType<typeof equalsBy>;
  /** Calls to models since the last record. */
  #answers: AnswerRecord[];
  /** The nodes used when the ruler that found a candidate had finished. */
  readonly #foundAt = new Map<string, number>();
  readonly #iterations: IterationRecord[] = [];
  /** Every candidate of an iteration's record, by id; the first finder keeps it. */
  readonly #known = new Map<string, LoopCandidate>();
  /** Every judged program, recorded or not, because attempts are chosen from all of them. */
  readonly #pool = new Map<string, JudgedProposal>();
  #best: LoopCandidate | null = null;
  #nodesToBest = 0;
  #nodes = 0;

  constructor(task: Task, { facts, answers }: Described, options: LoopOptions, parts: LoopParts) {
    this.#task = task;
    this.#facts = facts;
    this.#answers = [...answers];
    this.#options = options;
    this.#better = equalsBy(options.seed);
    this.#parts = parts;
  }

  async run(): Promise<LoopRow['stop']> {
    const { iters, editK, maxNodes } = this.#options;
    const isEdited = iters > 1 && editK > 0;
    await this.#draft(isEdited ? maxNodes * draftShare : maxNodes);
    for (let iter = 1; iter < iters; iter++) {
      if (this.#isDone()) return 'solved';
      if (editK === 0 || this.#seedCandidates().length === 0) return 'iterations';
      const left = maxNodes - this.#nodes;
      if (left <= 0) return 'nodes';
      await this.#edit(iter, left / (iters - iter));
    }
    return this.#isDone() ? 'solved' : 'iterations';
  }

  #isDone(): boolean {
    return this.#best !== null && isSolved(this.#best.record);
  }

  /** Queries every ruler for its own best drafts, so none displaces another. */
  async #draft(nodes: number): Promise<void> {
    const { rulers, memory } = this.#parts;
    const before = this.#nodes;
    const drafted: LoopCandidate[] = [];
    for (const ruler of rulers) {
      const proposed = await ruler.draft({
        task: this.#task,
        facts: this.#facts,
        memory: memory.ruler,
        k: this.#options.candidateK,
        nodes: nodes - (this.#nodes - before),
      });
      drafted.push(...this.#top(this.#judged(proposed, ruler), this.#options.candidateK));
    }
    this.#record(0, [], this.#top(drafted, Infinity), [], before);
  }

  async #edit(iter: number, nodes: number): Promise<void> {
    const { rulers, memory } = this.#parts;
    const before = this.#nodes;
    const seeds = this.#seedCandidates().map((candidate) => this.#seed(candidate));
    const edited: LoopCandidate[] = [];
    const tallies: IterationRecord['tallies'] = [];
    for (const ruler of rulers) {
      const proposed = await ruler.edit({
        task: this.#task,
        facts: this.#facts,
        memory: memory.ruler,
        k: this.#options.editK,
        nodes: Math.max(0, nodes - (this.#nodes - before)),
        seeds,
        drafts: [...this.#pool.values()],
      });
      tallies.push(...(proposed.tallies ?? []));
      edited.push(...this.#judged(proposed, ruler, seeds));
    }
    this.#record(
      iter,
      seeds.map(({ judged }) => judged.id),
      this.#top(edited, Infinity),
      tallies,
      before,
    );
  }

  #judged(
    { drafts, nodes, answers = [] }: Proposed,
    { source }: Ruler,
    seeds: readonly Seed[] = [],
  ): LoopCandidate[] {
    this.#nodes += Math.round(nodes);
    const place = this.#answers.length;
    this.#answers.push(...answers);
    const neighbours = this.#parts.memory.critic;
    const programs = seeds.map(({ judged: { id, program } }) => ({ id, program }));
    return drafts.map((draft) => {
      const placed = draft.answer === undefined ? draft : { ...draft, answer: place + draft.answer };
      const candidate = candidateOf(this.#task, placed, source, neighbours, programs);
      const id = candidate.record.candidate_id;
      if (!this.#foundAt.has(id)) this.#foundAt.set(id, this.#nodes);
      return candidate;
    });
  }

  /** The best by the comparator, each once; invalid programs come last. */
  #top(candidates: readonly LoopCandidate[], most: number): LoopCandidate[] {
    for (const { judged } of candidates) if (judged !== null) this.#pool.set(judged.id, judged);
    const seen = new Set<string>();
    return [...candidates]
      .sort((a, b) => this.#better(a, b))
      .filter(({ record: { candidate_id: id } }) => !seen.has(id) && seen.add(id))
      .slice(0, most);
  }

  /** The unsolved candidates with the best critic scores; ties are decided by the comparator. */
  #seedCandidates(): LoopCandidate[] {
    return [...this.#known.values()]
      .filter(({ judged, record }) => judged !== null && !isSolved(record))
      .sort((a, b) => b.record.critic_score - a.record.critic_score || this.#better(a, b))
      .slice(0, this.#options.editTopM);
  }

  #seed({ judged, error, record }: LoopCandidate): Seed {
    const { csa, blame: locus } = record;
    if (judged === null || error === null || csa === null || locus === null)
      throw new Error('only a candidate with a verdict and an attribution can be a seed');
    return { judged, error_type: error, attribution: csa as Seed['attribution'], blame: locus };
  }

  /** Attribution for possible seeds, then the record. */
  #record(
    iter: number,
    seeds: readonly string[],
    candidates: readonly LoopCandidate[],
    tallies: IterationRecord['tallies'],
    before: number,
  ): void {
    const told = candidates.map((candidate) => this.#attributed(candidate));
    for (const candidate of told) {
      const id = candidate.record.candidate_id;
      if (!this.#known.has(id)) this.#known.set(id, candidate);
      if (this.#best === null || this.#better(candidate, this.#best) < 0) {
        this.#best = candidate;
        this.#nodesToBest = this.#foundAt.get(id) ?? this.#nodes;
      }
    }
    this.#iterations.push({
      iter_idx: iter,
      seeds: [...seeds],
      candidates: told.map(({ record }) => record),
      tallies,
      answers: this.#answers,
      nodes: this.#nodes - before,
      best_score: this.#best?.record.verifier_score ?? 0,
    });
    this.#answers = [];
  }

  #attributed(candidate: LoopCandidate): LoopCandidate {
    const { judged, verdict, record } = candidate;
    if (judged === null || verdict === null || isSolved(record)) return candidate;
    const csa = attribute(judged.program, this.#task, verdict);
    this.#nodes += csa.nodes;
    const locus = blame(judged.program, this.#task.train, verdict, csa);
    return { ...candidate, record: { ...record, csa, blame: locus } as LoopCandidate['record'] };
  }

  trace(stop: LoopRow['stop']): TaskTrace {
    const { runKey, memory } = this.#parts;
    const row = rowOf(this.#task, {
      ...rowHead(this.#task.id, this.#options.seed, runKey, this.#iterations.length - 1),
      stop: stop === 'iterations' && this.#nodes >= this.#options.maxNodes ? 'nodes' : stop,
      nodes: this.#nodes,
      nodesToBest: this.#nodesToBest,
      scores: this.#iterations.map(({ best_score }) => best_score),
      best: this.#best,
      pool: [...this.#pool.values()],
      memory,
    });
    return {
      schema: 'arc-trace-2',
      ...rowHead(this.#task.id, this.#options.seed, runKey, this.#iterations.length - 1),
      fingerprint: fingerprint(this.#task),
      facts_hash: contentHash(factsText(this.#facts)),
      fact_features: factFeatures(this.#facts),
      iterations: this.#iterations,
      row,
    };
  }
}

/** The random seed decides between candidates that differ only in their id; seed 0 uses the id. */
function equalsBy(seed: number): (a: LoopCandidate, b: LoopCandidate) => number {
  const compared = ({ record }: LoopCandidate): Parameters<typeof betterOf>[0] => {
    const { candidate_id, verifier_score, feature_vec, price } = record;
    const id = seed === 0 ? candidate_id : contentHash(`${seed} ${candidate_id}`);
    return { id, verifier_score, feature_vec, price };
  };
  return (a, b) => betterOf(compared(a), compared(b));
}
