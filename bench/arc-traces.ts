import { createHash } from 'node:crypto';
import { blameRows, directivePreferences, rankingPairs } from '../src/arc/learning/datasets/build.ts';
import { readTraces } from '../src/arc/learning/datasets/read.ts';
import { gridToRows } from '../src/arc/grid/grid.ts';
import { candidateOf } from '../src/arc/loop/candidate.ts';
import { emptyMemory } from '../src/arc/learning/memory/bundle.ts';
import { chooseAttempts } from '../src/arc/search/choose.ts';
import type { TaskTrace } from '../src/arc/learning/schemas.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { renderTable, type Figure } from './table.ts';

/**
 * Figures from a folder written by `arc run --iters 3 --K-drafts 10 --edit-k 8 --edit-top-m 2 --critic-batch-run`;
 * nothing is searched. The single pass it is compared with is what the drafts of iteration 0 alone would have
 * answered.
 */
export function traceFigures(folder: string, tasks: readonly Task[]): string {
  const traces = readTraces(folder, false);
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [
    renderTable(loopFigures(traces, byId)),
    renderTable(datasetFigures(traces)),
    `datasets built twice: ${hashOf(traces) === hashOf(readTraces(folder, false)) ? 'equal bytes' : 'DIFFERENT'}`,
  ].join('\n\n');
}

function loopFigures(traces: readonly TaskTrace[], tasks: ReadonlyMap<string, Task>): Figure[] {
  const ended = traces.map((trace) => {
    const task = tasks.get(trace.task_id) as Task;
    const once = onePass(task, trace);
    return {
      once: isRight(task, once.attempts),
      onceSure: once.confident,
      after: isRight(task, trace.row.attempts),
      sure: trace.row.confident,
      few: !trace.row.solved && candidatesOf(trace) < 4,
    };
  });
  const count = (of: (one: (typeof ended)[number]) => boolean): number => ended.filter(of).length;
  return [
    {
      name: `right with one pass, of ${traces.length}`,
      value: count(({ once }) => once),
      unit: '',
      floor: 255,
    },
    {
      name: 'one pass: believed ones that are right',
      value: share(
        count(({ once, onceSure }) => once && onceSure),
        count(({ onceSure }) => onceSure),
      ),
      unit: '%',
      floor: 92,
    },
    { name: 'right after all iterations', value: count(({ after }) => after), unit: '' },
    {
      name: 'believed ones that are right',
      value: share(
        count(({ after, sure }) => after && sure),
        count(({ sure }) => sure),
      ),
      unit: '%',
    },
    { name: 'won by iterations', value: count(({ once, after }) => after && !once), unit: '', floor: 6 },
    {
      name: 'lost by iterations',
      value: count(({ once, after }) => once && !after),
      unit: '',
      floor: 2,
      smallerIsBetter: true,
    },
    {
      name: 'unsolved with fewer than 4 candidates',
      value: count(({ few }) => few),
      unit: '',
      floor: 0,
      smallerIsBetter: true,
    },
  ];
}

function share(part: number, whole: number): number {
  return (100 * part) / Math.max(1, whole);
}

function candidatesOf({ iterations }: TaskTrace): number {
  return iterations.reduce((sum, { candidates }) => sum + candidates.length, 0);
}

/** The answers from drafts alone. */
function onePass(task: Task, trace: TaskTrace): Pick<TaskTrace['row'], 'attempts' | 'confident'> {
  const hidden = { ...task, answers: [] };
  const judged = (trace.iterations[0]?.candidates ?? []).flatMap(({ program, by, source, held }) => {
    const draft = { value: program, by, held, parent_id: null, directive: null };
    const made = candidateOf(hidden, draft, source, emptyMemory.critic).judged;
    return made === null ? [] : [made];
  });
  const chosen = chooseAttempts(hidden, judged);
  const rowsOf = (rank: number, test: number): number[][] | null => {
    const grid = chosen[rank]?.candidate.answers[test] ?? null;
    return grid === null ? null : gridToRows(grid);
  };
  return {
    attempts: task.test.map((_, i) => [rowsOf(0, i), rowsOf(1, i)]),
    confident: chosen[0]?.confident ?? false,
  };
}

export function isRight(task: Task, attempts: readonly (readonly [unknown, unknown])[]): boolean {
  return task.answers.every((answer, i) => {
    if (answer === null) return false;
    const wanted = JSON.stringify(gridToRows(answer));
    return (attempts[i] ?? []).some((attempt) => JSON.stringify(attempt) === wanted);
  });
}

function datasetFigures(traces: readonly TaskTrace[]): Figure[] {
  const pairs = traces.flatMap(rankingPairs);
  const blames = traces.flatMap(blameRows);
  const preferred = preferencesOf(traces).map((row) => row.preferred.kind);
  return [
    { name: 'ranking pairs', value: pairs.length, unit: '', floor: 5000 },
    {
      name: 'tasks with ranking pairs',
      value: distinct(pairs.map((row) => row.task_id)),
      unit: '',
      floor: 300,
    },
    { name: 'blames', value: blames.length, unit: '', floor: 500 },
    { name: 'levels of blame', value: distinct(blames.map((row) => row.blame.level)), unit: '', floor: 5 },
    { name: 'directives preferred', value: distinct(preferred), unit: '', floor: 6 },
  ];
}

function preferencesOf(traces: readonly TaskTrace[]) {
  return traces.flatMap((trace) => directivePreferences(trace, { seeds: 2, edits: 4, threshold: 1e-6 }));
}

function distinct(values: readonly string[]): number {
  return new Set(values).size;
}

function hashOf(traces: readonly TaskTrace[]): string {
  const hash = createHash('sha256');
  for (const rows of [traces.flatMap(rankingPairs), traces.flatMap(blameRows), preferencesOf(traces)])
    for (const row of rows) hash.update(JSON.stringify(row));
  return hash.digest('hex');
}
