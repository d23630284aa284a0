import type { Domain, Opened } from '../core/scheduler/domain.ts';
import type { Verdict } from '../core/verdict.ts';
import type { GoalAdded, WorkerSample } from '../shared/events.ts';
import { comparatorVersion } from './verify/comparator.ts';
import { contentHash, gridToRows } from './grid/grid.ts';
import { readProgram, printProgram } from './language/text.ts';
import type { Program } from './language/program.ts';
import type { SearchThread, ThreadPool } from './solve/pool.ts';
import type { Task } from './grid/task.ts';
import { verify } from './verify/verify.ts';

/** A task with the thread that searches for its rule. */
export interface ArcWork {
  readonly task: Task;
  readonly thread: SearchThread;
}

/** ARC tasks, as the engine sees them: a task is a goal, a rule a candidate, and the verifier is the judge. */
export class ArcDomain implements Domain<Task, ArcWork, Program> {
  readonly #threads: ThreadPool;

  constructor(threads: ThreadPool) {
    this.#threads = threads;
  }

  describe(task: Task): Omit<GoalAdded, 'difficulty' | 'priority' | 'requester'> {
    return {
      goal: task.id,
      statement: statementOf(task),
      preamble: '',
      topic: 'arc',
      label: null,
      source: null,
      allow_axioms: [],
      task: null,
    };
  }

  open(task: Task): Promise<Opened<ArcWork>> {
    const thread = this.#threads.take(task.id);
    const cells = task.train.reduce((sum, { input, output }) => sum + area(input) + area(output), 0);
    const facts = {
      goalHash: contentHash(statementOf(task)),
      fingerprint: `rules ${comparatorVersion}`,
      features: { pairs: task.train.length, tests: task.test.length, cells },
      context: task.train.every(keepsSize) ? 'same size' : 'other size',
      variant: '',
    };
    return Promise.resolve({ kind: 'open', work: { task, thread }, facts, cpuSeconds: 0 });
  }

  async close({ thread }: ArcWork): Promise<void> {
    await this.#threads.giveBack(thread);
  }

  /** Exact on every training pair: nothing else counts, no matter where the rule comes from. */
  judge({ task }: ArcWork, program: Program): Promise<Verdict> {
    const before = process.threadCpuUsage();
    const { solved, exact } = verify(program, task);
    const { user, system } = process.threadCpuUsage(before);
    const right = exact.filter(Boolean).length;
    return Promise.resolve({
      verdict: solved ? 'accepted' : 'rejected',
      kind: solved ? 'proved' : 'mismatch',
      message: `right on ${right} of ${exact.length} training pairs`,
      assurance: solved ? 'replayed' : null,
      axioms: [],
      assumes: [],
      advisories: [],
      judge: `rules ${comparatorVersion}`,
      bound: [],
      toolchain: 'arc rules',
      fingerprint: `rules ${comparatorVersion}`,
      cpu_seconds: (user + system) / 1e6,
    });
  }

  textOf(program: Program): { proof: string; premises: string[] } {
    return { proof: printProgram(program), premises: [] };
  }

  recall(text: string): Program {
    const parsed = readProgram(text);
    if (parsed.kind === 'fault') throw new Error(`a rule of an earlier run: ${parsed.fault.message}`);
    return parsed.program;
  }

  workers(): Omit<WorkerSample, 'arm'>[] {
    return this.#threads.holders().map((goal) => ({ pid: null, resident_bytes: 0, goal }));
  }
}

/** The task as the field writes it, without its answers: the dashboard draws it, and its hash names it. */
function statementOf({ train, test }: Task): string {
  return JSON.stringify({
    train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
    test: test.map((input) => ({ input: gridToRows(input) })),
  });
}

type Sized = Task['test'][number];

function area({ width, height }: Sized): number {
  return width * height;
}

function keepsSize({ input, output }: Task['train'][number]): boolean {
  return input.width === output.width && input.height === output.height;
}
