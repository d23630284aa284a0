import type { Judgement } from '../core/verdict.ts';
import type { Domain, Opened } from '../core/scheduler/domain.ts';
import type { WorkerSample } from '../shared/events.ts';
import { contentHash } from './grid/grid.ts';
import { arcRows, judgeName, statementOf, type ArcEvidence, type ArcTrace } from './rows.ts';
import type { Program } from './language/program.ts';
import type { SearchThread, ThreadPool } from './solve/pool.ts';
import type { Order, SearchReport } from './solve/worker.ts';
import type { Task } from './grid/task.ts';
import { verify } from './verify/verify.ts';

/** A task with the thread that searches for its rule. */
export interface ArcWork<Sent = Order, Report = SearchReport> {
  readonly task: Task;
  readonly thread: SearchThread<Sent, Report>;
}

/** ARC tasks, as the engine sees them: a task is a goal, a rule a candidate, and the verifier is the judge. */
export class ArcDomain<Sent = Order, Report = SearchReport> implements Domain<
  Task,
  ArcWork<Sent, Report>,
  Program,
  ArcTrace,
  ArcEvidence
> {
  readonly rows = arcRows;
  readonly #threads: ThreadPool<Sent, Report>;

  constructor(threads: ThreadPool<Sent, Report>) {
    this.#threads = threads;
  }

  open(task: Task): Promise<Opened<ArcWork<Sent, Report>>> {
    const thread = this.#threads.take(task.id);
    const cells = task.train.reduce((sum, { input, output }) => sum + area(input) + area(output), 0);
    const facts = {
      goalHash: contentHash(statementOf(task)),
      fingerprint: judgeName,
      features: { pairs: task.train.length, tests: task.test.length, cells },
      context: task.train.every(keepsSize) ? 'same size' : 'other size',
      variant: '',
    };
    return Promise.resolve({ kind: 'open', work: { task, thread }, facts, cpuSeconds: 0 });
  }

  async close({ thread }: ArcWork<Sent, Report>): Promise<void> {
    await this.#threads.giveBack(thread);
  }

  /** The score is exact on every training pair, for rules from any source. */
  judge({ task }: ArcWork<Sent, Report>, program: Program): Promise<Judgement<ArcEvidence>> {
    const before = process.threadCpuUsage();
    const { solved, exact } = verify(program, task);
    const { user, system } = process.threadCpuUsage(before);
    const right = exact.filter(Boolean).length;
    return Promise.resolve({
      verdict: solved ? 'accepted' : 'rejected',
      kind: solved ? 'proved' : 'mismatch',
      message: `right on ${right} of ${exact.length} training pairs`,
      assurance: solved ? 'replayed' : null,
      evidence: { judge: judgeName },
      cpuSeconds: (user + system) / 1e6,
    });
  }

  workers(): Omit<WorkerSample, 'arm'>[] {
    return this.#threads.holders().map((goal) => ({ pid: null, resident_bytes: 0, goal }));
  }
}

type Sized = Task['test'][number];

function area({ width, height }: Sized): number {
  return width * height;
}

function keepsSize({ input, output }: Task['train'][number]): boolean {
  return input.width === output.width && input.height === output.height;
}
