import type { Rows } from '../core/scheduler/domain.ts';
import type { AttemptColumns } from '../shared/events.ts';
import { gridToRows } from './grid/grid.ts';
import type { Task } from './grid/task.ts';
import type { Program } from './language/program.ts';
import { printProgram, readProgram } from './language/text.ts';
import { comparatorVersion } from './verify/comparator.ts';

/** The stored result of an attempt: the output of its command for a task, such as a row or trace. */
export interface ArcTrace {
  readonly row: object | null;
}

/** Who judged a rule; the verdict itself is exact. */
export interface ArcEvidence {
  readonly judge: string;
}

export const judgeName = `rules ${comparatorVersion}`;

/** ARC tasks, rules and rows as columns of the ledger. The ledger has no column for rows, so the first script holds the row. */
export const arcRows: Rows<Task, Program, ArcTrace, ArcEvidence> = {
  goal: (task) => ({
    goal: task.id,
    statement: statementOf(task),
    preamble: '',
    topic: 'arc',
    label: null,
    source: null,
    allow_axioms: [],
    task: null,
  }),
  candidate: (program) => ({ proof: printProgram(program), premises: [] }),
  recall: { strategy: 'recall', arm: 'recall/rule', artifact: readRule },
  noTrace: { row: null },
  traceOf: () => ({ row: null }),
  attempt: ({ row }) => ({
    tactics: row === null ? [] : [JSON.stringify(row)],
    next_goals: [],
    premises: [],
  }),
  evidence: ({ judge }) => ({ axioms: [], assumes: [], toolchain: 'arc rules', judge, fingerprint: judge }),
  closed: () => ({ axioms: [], assumes: [] }),
};

/** The row that `arcRows.attempt` wrote, from the ledger. */
export function rowIn({ tactics: [text] }: Pick<AttemptColumns, 'tactics'>): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}

/** A rule of an earlier version may use removed words. */
function readRule(text: string): Program | null {
  const parsed = readProgram(text);
  return parsed.ok ? parsed.value : null;
}

/** The task in its usual JSON form, without answers: the dashboard draws it, and it identifies the task. */
export function statementOf({ train, test }: Task): string {
  return JSON.stringify({
    train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
    test: test.map((input) => ({ input: gridToRows(input) })),
  });
}
