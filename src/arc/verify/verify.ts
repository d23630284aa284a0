import { definite } from '../../core/errors.ts';
import { sameGrid, type Grid } from '../grid/grid.ts';
import type { Program } from '../language/program.ts';
import { compile, type RunOutcome } from '../language/run.ts';
import type { Pair, Task } from '../grid/task.ts';

/** The result of a program on a task. The verifier is the only authority, whatever the source of a program. */
export interface RuleVerdict {
  readonly outcomes: readonly RunOutcome[];
  readonly exact: readonly boolean[];
  readonly answers: readonly RunOutcome[];
  /** Exact on every training pair. */
  readonly solved: boolean;
}

export function verify(program: Program, task: Pick<Task, 'train' | 'test'>): RuleVerdict {
  const run = compile(program);
  const outcomes = task.train.map(({ input }) => run(input));
  const exact = outcomes.map((outcome, i) => isExact(outcome, definite(task.train[i]).output));
  return { outcomes, exact, answers: task.test.map(run), solved: exact.every(Boolean) };
}

function isExact(outcome: RunOutcome, output: Grid): boolean {
  return outcome.kind === 'grid' && sameGrid(outcome.grid, output);
}

/**
 * Leave-one-out on the program itself: every learned table is reduced to the entries used by the other pairs, and the
 * left-out pair must still be exact. A program without tables gets its fraction of exact pairs.
 */
export function leaveOneOut(program: Program, train: readonly Pair[]): number {
  if (train.length < 2) return 0;
  const asked = train.map(({ input }) => askedEntries(program, input));
  let held = 0;
  for (const [out, { input, output }] of train.entries()) {
    const rest = program.map((step, index) => {
      const table = step.args.table;
      if (table === undefined) return step;
      const kept = Object.entries(table).filter(([key]) =>
        asked.some((sets, i) => i !== out && sets[index]?.has(key)),
      );
      return { op: step.op, args: { ...step.args, table: Object.fromEntries(kept) } };
    });
    if (isExact(compile(rest)(input), output)) held++;
  }
  return held / train.length;
}

/** The number of keys that the test inputs look up but no training input does: nothing shows what is right for them. */
export function unknownEntries(program: Program, { train, test }: Pick<Task, 'train' | 'test'>): number {
  if (program.every(({ args }) => args.table === undefined)) return 0;
  const shown = train.map(({ input }) => askedEntries(program, input));
  let unknown = 0;
  for (const input of test)
    for (const [index, keys] of askedEntries(program, input).entries())
      for (const key of keys) if (!shown.some((asked) => asked[index]?.has(key))) unknown++;
  return unknown;
}

/** The keys that a run on one input looks up, by step. */
function askedEntries(program: Program, input: Grid): Set<string>[] {
  const asked = program.map(() => new Set<string>());
  const watched = program.map((step, index) => {
    const table = step.args.table;
    if (table === undefined) return step;
    const watch = new Proxy(table, {
      get: (target, key) => {
        asked[index]?.add(String(key));
        return target[String(key)];
      },
    });
    return { op: step.op, args: { ...step.args, table: watch } };
  });
  compile(watched)(input);
  return asked;
}
