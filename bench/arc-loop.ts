import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { blame } from '../src/arc/learning/critic/blame.ts';
import { attribute } from '../src/arc/learning/critic/csa.ts';
import { describe } from '../src/arc/grid/facts/describe.ts';
import { runTask } from '../src/arc/loop/loop.ts';
import { defaultMaxNodes, type LoopOptions } from '../src/arc/learning/loop-options.ts';
import { emptyMemory } from '../src/arc/learning/memory/bundle.ts';
import { builtinTeacher } from '../src/arc/learning/rulers/builtin.ts';
import type { Program } from '../src/arc/language/program.ts';
import { checkProgram } from '../src/arc/language/program.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { loadTasks } from '../src/arc/grid/tasks.ts';
import { verify } from '../src/arc/verify/verify.ts';
import { halvesFigures, tenthFigures } from './arc-halves.ts';
import { killFigures } from './arc-kill.ts';
import { mutantsOf, type Mutant } from './arc-mutants.ts';
import { isRight, traceFigures } from './arc-traces.ts';

/**
 * The measurement of the ARC loop. `--data FOLDER` holds arc/arc1-training.jsonl.
 *   - `repair`: --rules ROWS names the rows of an earlier `arc run`. --count mutants of their solved programs are blamed and repaired.
 *   - `loop`:   every --every-th task with one pass and with three iterations, both with the same --max-nodes.
 *   - `traces`: figures of the folder --traces, which an `arc run --critic-batch-run` has written. Nothing is searched.
 *   - `halves`: nodes saved on one half of --traces by what memory and the student learn from the other, both ways, on every --every-th task.
 *   - `tenth`:  --count tasks with a tenth of the nodes, without memory and with the rules of --rules from the other half.
 *   - `same`:   equal bytes for 1, 2 and 4 workers, and after kill -9 and --resume, on --count tasks.
 * Failures are part of the table.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    only: { type: 'string' },
    rules: { type: 'string' },
    traces: { type: 'string' },
    count: { type: 'string', default: '500' },
    every: { type: 'string', default: '1' },
    'max-nodes': { type: 'string', default: `${defaultMaxNodes}` },
  },
});
/** Request many rules of similar tasks from memory: trying one costs only a few nodes. */
const manyExamples = {
  k: 4,
  episodes: 64,
  cases: 8,
  solvedExamples: 64,
  repairCases: 4,
  maxBytes: 1_000_000,
};
const resultsFolder = join(import.meta.dirname, 'results', 'arc-loop');
process.exitCode = await main(values.data ?? process.env['ORCH_DATA']);

async function main(data: string | undefined): Promise<number> {
  const file = join(data ?? '', 'arc', 'arc1-training.jsonl');
  if (data === undefined || !existsSync(file)) {
    console.error(
      'bench:arc-loop: name the folder that holds arc/arc1-training.jsonl with --data or ORCH_DATA',
    );
    return 2;
  }
  const tasks = loadTasks(file);
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    repair: async () => repair(tasks),
    loop: async () => loop(tasks.filter((_, i) => i % Number(values.every) === 0)),
    traces: async () => console.log(traceFigures(values.traces ?? '', tasks)),
    halves: async () =>
      console.log(
        await halvesFigures(
          values.traces ?? '',
          tasks,
          options({ iters: 3, candidateK: 10, editK: 8, memory: { ...manyExamples } }),
          partsWith,
          Number(values.every),
        ),
      ),
    tenth: async () =>
      console.log(
        await tenthFigures(
          tasks,
          new Map(solvedPrograms(tasks, values.rules).map(({ task, program }) => [task.id, program])),
          options({ memory: { ...manyExamples } }),
          partsWith,
          Number(values.count),
        ),
      ),
    same: async () => console.log(await killFigures(file, Math.min(8, Number(values.count)), resultsFolder)),
  };
  for (const [name, part] of Object.entries(parts))
    if (values.only === undefined || values.only === name) await part();
  return 0;
}

function options(more: Partial<LoopOptions>): LoopOptions {
  return {
    iters: 1,
    candidateK: 8,
    editK: 0,
    editTopM: 2,
    maxNodes: Number(values['max-nodes']),
    teacher: true,
    seed: 0,
    describer: { kind: 'builtin' },
    ruler: { kind: 'builtin' },
    enhancedRuler: null,
    memory: { k: 0, episodes: 0, cases: 0, solvedExamples: 0, repairCases: 0, maxBytes: 0 },
    ...more,
  };
}

function partsWith(teacher = builtinTeacher()): Parameters<typeof runTask>[2] {
  return {
    describe: (task) => Promise.resolve({ facts: describe(task), answers: [] }),
    rulers: [teacher],
    memory: emptyMemory,
    runKey: 'bench',
  };
}

/** Blames and repairs mutants of solved programs: the mutant is the only draft, with up to three iterations. */
async function repair(tasks: readonly Task[]): Promise<void> {
  const solved = solvedPrograms(tasks, values.rules);
  const byFault = new Map<string, { all: number; blamed: number; mended: number }>();
  let [all, blamed, mended] = [0, 0, 0];
  for (const mutant of mutantsOf(solved, Number(values.count), 1)) {
    const verdict = verify(mutant.program, mutant.task);
    const locus = blame(
      mutant.program,
      mutant.task.train,
      verdict,
      attribute(mutant.program, mutant.task, verdict),
    );
    const isBlamed = mutant.guilty.includes(locus.step_idx);
    const isMended = await mends(mutant);
    const row = byFault.get(mutant.fault) ?? { all: 0, blamed: 0, mended: 0 };
    row.all++;
    row.blamed += Number(isBlamed);
    row.mended += Number(isMended);
    byFault.set(mutant.fault, row);
    all++;
    blamed += Number(isBlamed);
    mended += Number(isMended);
    if (all % 10 === 0) console.error(`${all}: blamed ${blamed}, repaired ${mended}`);
  }
  console.log(
    `repair: ${all} mutants of ${solved.length} solved programs (must: blamed >= 80 %, repaired >= 70 %)`,
  );
  for (const [name, row] of [...byFault].sort(([a], [b]) => (a < b ? -1 : 1))) print(name, row);
  print('all', { all, blamed, mended });
}

function print(name: string, { all, blamed, mended }: { all: number; blamed: number; mended: number }): void {
  const share = (part: number): string => `${part} (${((100 * part) / Math.max(1, all)).toFixed(1)} %)`;
  console.log(
    `  ${name.padEnd(20)} ${`${all}`.padStart(4)}  step blamed ${share(blamed)}  repaired ${share(mended)}`,
  );
}

async function mends({ task, program }: Mutant): Promise<boolean> {
  const teacher = {
    ...builtinTeacher(),
    draft: () =>
      Promise.resolve({
        drafts: [{ value: program, by: 'mutant', held: 0, parent_id: null, directive: null }],
        nodes: 0,
      }),
  };
  const trace = await runTask(
    task,
    options({ iters: 4, editK: 4, editTopM: 1, maxNodes: 300_000 }),
    partsWith(teacher),
  );
  return trace.iterations.some(({ best_score }) => best_score === 1);
}

/** The best programs of solved rows, by task. */
function solvedPrograms(
  tasks: readonly Task[],
  rows: string | undefined,
): { task: Task; program: Program }[] {
  if (rows === undefined) throw new Error('bench:arc-loop: --rules names the rows of an earlier arc run');
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return readFileSync(rows, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const { task_id, best } = JSON.parse(line) as { task_id: string; best: { program: unknown } | null };
      const task = byId.get(task_id);
      const checked = checkProgram(best?.program);
      if (task === undefined || !checked.ok || !verify(checked.value, task).solved) return [];
      return [{ task, program: checked.value }];
    });
}

/** Compares one pass with three iterations, with equal node limits. */
async function loop(tasks: readonly Task[]): Promise<void> {
  const wins: string[] = [];
  const losses: string[] = [];
  const counts = { once: 0, thrice: 0, confident: 0, sure: 0, few: 0, nodesOnce: 0, nodesThrice: 0 };
  for (const [i, task] of tasks.entries()) {
    const once = (await runTask(task, options({}), partsWith())).row;
    // a task solved in one pass is solved by both
    const thrice = once.solved
      ? once
      : (await runTask(task, options({ iters: 3, editK: 8 }), partsWith())).row;
    const [a, b] = [isRight(task, once.attempts), isRight(task, thrice.attempts)];
    counts.once += Number(a);
    counts.thrice += Number(b);
    counts.nodesOnce += once.nodes;
    counts.nodesThrice += thrice.nodes;
    counts.confident += Number(thrice.confident);
    counts.sure += Number(thrice.confident && b);
    if (b && !a) wins.push(task.id);
    if (a && !b) losses.push(task.id);
    console.error(`${i + 1}/${tasks.length} ${task.id} ${a ? 'right' : '-'} ${b ? 'right' : '-'}`);
  }
  console.log(
    `loop: ${tasks.length} tasks, ${values['max-nodes']} nodes each (must on 400: won >= 6, lost <= 2)`,
  );
  console.log(
    `  one pass ${counts.once}, three iterations ${counts.thrice}; won ${wins.join(' ') || 'none'}; lost ${losses.join(' ') || 'none'}`,
  );
  console.log(
    `  believed ${counts.confident}, of these right ${counts.sure}; nodes ${counts.nodesOnce} and ${counts.nodesThrice}`,
  );
}
