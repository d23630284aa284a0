import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTraces } from '../src/arc/learning/datasets/read.ts';
import { runTask, type LoopParts } from '../src/arc/loop/loop.ts';
import type { LoopOptions } from '../src/arc/learning/loop-options.ts';
import { emptyMemory, type TaskMemory } from '../src/arc/learning/memory/bundle.ts';
import { remember } from '../src/arc/learning/memory/remember.ts';
import { readMemory, retrieveForCritic, retrieveForRuler } from '../src/arc/learning/memory/retrieve.ts';
import type { Ruler } from '../src/arc/learning/rulers/ruler.ts';
import type { TaskTrace } from '../src/arc/learning/schemas.ts';
import { studentRuler, trainStudent } from '../src/arc/learning/student/student.ts';
import type { Task } from '../src/arc/grid/task.ts';
import type { Program } from '../src/arc/language/program.ts';
import { ArcMemoryStore } from '../src/store/arc-memory/store.ts';
import { isRight } from './arc-traces.ts';
import { renderTable } from './table.ts';

/** A task with its trace from a run without learning. */
interface Traced {
  readonly task: Task;
  readonly trace: TaskTrace;
}

/** The result of learning on one half of the tasks. */
interface Learned {
  readonly memoryFor: (task: Task) => TaskMemory;
  readonly student: Ruler | null;
}

/**
 * Learns on one half of the tasks (even lines, odd lines) and measures on the other, both ways: the nodes until the
 * answer, compared with the run in `folder` without learning. Only tasks that the plain run answers correctly with
 * its first solved draft count; `every` N takes every N-th of them.
 */
export async function halvesFigures(
  folder: string,
  tasks: readonly Task[],
  options: LoopOptions,
  partsWith: () => LoopParts,
  every: number,
): Promise<string> {
  const traces = new Map(readTraces(folder, false).map((trace) => [trace.task_id, trace]));
  const traced = tasks.flatMap((task, line) => {
    const trace = traces.get(task.id);
    return trace === undefined ? [] : [{ task, trace, half: line % 2 }];
  });
  const memory = { plain: 0, learned: 0, tasks: 0, lost: 0 };
  const student = { ...memory };
  for (const half of [0, 1]) {
    const lessons = traced.filter((one) => one.half !== half);
    const asked = traced
      .filter((one) => one.half === half && one.trace.row.solved && isRight(one.task, one.trace.row.attempts))
      .filter((_, i) => i % every === 0);
    const store = memoryFolder();
    const remembered = rememberAll(store.folder, lessons, options);
    const known = readMemory(remembered);
    const recalling = (task: Task): TaskMemory => ({
      ruler: retrieveForRuler(known, task, options.memory),
      critic: retrieveForCritic(known, task, options.memory),
    });
    const taught = studentRuler(trainStudent(lessonsOf(lessons)));
    const ways = [
      [memory, { memoryFor: recalling, student: null }],
      [student, { memoryFor: () => emptyMemory, student: taught }],
    ] as const;
    for (const one of asked)
      for (const [sum, learned] of ways) await measure(sum, one, options, partsWith(), learned);
    remembered[Symbol.dispose]();
    store[Symbol.dispose]();
  }
  return renderTable([...figuresOf('memory', memory, 90), ...figuresOf('student', student, 75)]);
}

/** The share of the nodes within which memory should help. */
const fewNodes = 1 / 10;

/**
 * What memory adds when nodes are scarce: tasks answered correctly within a tenth of the nodes, without memory and with what the
 * rules of the other half (even lines, odd lines) left in it, both ways. `rules` are solved programs by task; `most` tasks are asked.
 */
export async function tenthFigures(
  tasks: readonly Task[],
  rules: ReadonlyMap<string, Program>,
  options: LoopOptions,
  partsWith: () => LoopParts,
  most: number,
): Promise<string> {
  const few = { ...options, iters: 1, maxNodes: Math.round(options.maxNodes * fewNodes) };
  let [plain, recalled, won, lost, asked] = [0, 0, 0, 0, 0];
  for (const half of [0, 1]) {
    const lessons: Traced[] = [];
    for (const [line, task] of tasks.entries()) {
      const program = rules.get(task.id);
      if (line % 2 === half || program === undefined) continue;
      const trace = await runTask(task, few, { ...partsWith(), rulers: [drafting(program)] });
      lessons.push({ task, trace });
    }
    const store = memoryFolder();
    const remembered = rememberAll(store.folder, lessons, options);
    const known = readMemory(remembered);
    const own = tasks.filter((_, line) => line % 2 === half);
    const step = Math.max(1, Math.floor((2 * own.length) / most));
    for (const task of own.filter((_, i) => i % step === 0).slice(0, most / 2)) {
      const memory = {
        ruler: retrieveForRuler(known, task, options.memory),
        critic: retrieveForCritic(known, task, options.memory),
      };
      const without = await runTask(task, few, partsWith());
      const withIt = await runTask(task, few, { ...partsWith(), memory });
      const before = isRight(task, without.row.attempts);
      const after = isRight(task, withIt.row.attempts);
      asked++;
      plain += Number(before);
      recalled += Number(after);
      won += Number(after && !before);
      lost += Number(before && !after);
      if (asked % 10 === 0) console.error(`${asked}: ${plain} without, ${recalled} with memory`);
    }
    remembered[Symbol.dispose]();
    store[Symbol.dispose]();
  }
  return `${asked} tasks with ${few.maxNodes} nodes: ${plain} right without memory, ${recalled} with it (${won} won, ${lost} lost)`;
}

/** A ruler that drafts one program. */
function drafting(program: Program): Ruler {
  const draft = { value: program, by: 'record', held: 1, parent_id: null, directive: null };
  const none = { drafts: [], nodes: 0 };
  return {
    name: 'record',
    source: 'teacher',
    draft: () => Promise.resolve({ drafts: [draft], nodes: 0 }),
    edit: () => Promise.resolve(none),
  };
}

interface Sum {
  plain: number;
  learned: number;
  tasks: number;
  lost: number;
}

async function measure(
  sum: Sum,
  { task, trace }: Traced,
  options: LoopOptions,
  parts: LoopParts,
  { memoryFor, student }: Learned,
): Promise<void> {
  const { row } = await runTask(task, options, {
    ...parts,
    memory: memoryFor(task),
    rulers: [...(student === null ? [] : [student]), ...parts.rulers],
  });
  sum.tasks++;
  sum.plain += trace.row.nodes_to_best;
  sum.learned += row.nodes_to_best;
  if (!isRight(task, row.attempts)) sum.lost++;
  if (sum.tasks % 20 === 0)
    console.error(`${sum.tasks}: ${sum.learned} of ${sum.plain} nodes, ${sum.lost} lost`);
}

function figuresOf(name: string, { plain, learned, tasks, lost }: Sum, most: number) {
  return [
    {
      name: `nodes to the answer with the ${name}, ${tasks} tasks`,
      value: (100 * learned) / Math.max(1, plain),
      unit: '%',
      floor: most,
      smallerIsBetter: true,
    },
    { name: `of these no longer right with the ${name}`, value: lost, unit: '' },
  ];
}

function lessonsOf(traced: readonly Traced[]) {
  return traced.flatMap(({ trace: { row, fact_features } }) =>
    row.solved && row.best !== null ? [{ fact_features, program: row.best.program }] : [],
  );
}

function memoryFolder(): { folder: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'arc-halves-'));
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

function rememberAll(folder: string, lessons: readonly Traced[], options: LoopOptions): ArcMemoryStore {
  const store = new ArcMemoryStore(folder, 'half');
  remember(store, lessons, options, 1e-6);
  return store;
}
