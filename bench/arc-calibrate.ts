import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { makeTasks } from '../src/arc/learning/synth/synth.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { loadTasks } from '../src/arc/grid/tasks.ts';
import type { CalibrationOrder, Case } from './arc-calibrate-worker.ts';
import { crossValidated, fitted, type Model } from './arc-logistic.ts';
import { reliabilityModule, reliabilityPlot, reliabilityText, type Predicted } from './arc-reliability.ts';
import {
  cardBooks,
  conceptBooks,
  heldOutBooks,
  madeTasks,
  miniatureBooks,
  trainingTasks,
  turnedTasks,
  type Grouped,
} from './arc-sets.ts';
import { wordsIn } from './arc-words.ts';

/**
 * Fits the probability that a row's attempts are right, and reports how reliable it is. `--collect` searches the sets
 * and writes one case per task; without it the cases of an earlier run are used. The model is fitted on even training
 * tasks (unchanged, and turned with one pair less), concepts (with three and with two pairs), miniatures and tasks
 * made from random programs; families stay whole in cross-validation. Each task whose rule was found counts twice:
 * unchanged, and as if the language lacked the rule, because on tasks of other styles it often does. Odd training
 * tasks, strips and cards only test it: `--test` prints them (with the model in `policy` if there are no cases to fit),
 * and `--tasks FILE` adds your own set. `--write` replaces the model, with `--test` also the dashboard's plot; `--plot FILE` draws it.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    tasks: { type: 'string' },
    cases: { type: 'string', default: join(import.meta.dirname, 'results', 'arc', 'cases.jsonl') },
    sets: { type: 'string', default: 'even,turned,concepts,concepts-2,random,odd,miniatures,strips' },
    workers: { type: 'string', default: '2' },
    without: { type: 'string' },
    every: { type: 'string', default: '1' },
    collect: { type: 'boolean', default: false },
    test: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    plot: { type: 'string' },
  },
});
const fittedOn: ReadonlySet<string> = new Set([
  'even',
  'turned',
  'concepts',
  'concepts-2',
  'random',
  'miniatures',
]);
const testedOn: ReadonlySet<string> = new Set(['odd', 'strips', 'cards', 'own']);
const modelFile = join(import.meta.dirname, '..', 'policy', 'arc-confidence.json');
/** Read by the dashboard. */
const reliabilityFile = join(import.meta.dirname, '..', 'src', 'shared', 'arc-reliability.ts');
/** Minimum precision of confident cases in each held-out style. */
const leastPrecision = 0.9;

await main();

async function main(): Promise<void> {
  if (values.collect) await collect();
  const cases = readFileSync(values.cases, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case);
  const known = cases.filter(({ set, evidence }) => fittedOn.has(set) && evidence !== null);
  const shipped = JSON.parse(readFileSync(modelFile, 'utf8')) as Confidence;
  const { model, panels } = known.length === 0 ? { model: shipped, panels: [] } : fit(known);
  if (values.test) {
    const tested = cases
      .filter((one) => testedOn.has(one.set) && !one.isLacking)
      .map((one) => ({ ...one, p: predicted(model, one) }));
    for (const [set, those] of Map.groupBy(tested, (one) => one.set)) {
      const right = those.filter((one) => one.right).length;
      console.log(
        `${set}: ${right} of ${those.length} right; ${precision(those, model.confident_from)}\n${reliabilityText(those)}`,
      );
    }
    panels.push({ title: 'tasks and styles that were not fitted', cases: tested });
  }
  if (values.plot !== undefined) writeFileSync(values.plot, reliabilityPlot(panels));
  if (values.write) {
    writeFileSync(modelFile, `${JSON.stringify(model, null, 2)}\n`);
    const last = panels.at(-1);
    if (values.test && last !== undefined) writeFileSync(reliabilityFile, reliabilityModule(last.cases));
  }
}

type Confidence = Model & { readonly confident_from: number };
type Panels = { title: string; cases: readonly Predicted[] }[];

/** Fits the model to these cases, and tests it on families and styles that it was not fitted on. */
function fit(known: readonly Case[]): { model: Confidence; panels: Panels } {
  const byFamily = crossValidated(known, ({ family }) => family);
  const byStyle = crossValidated(known, ({ set }) => set.replace(/-.*/, ''));
  const confidentFrom = thresholdFor(byStyle);
  console.log(`fitted on ${known.length} cases with a rule that fits; confident from ${confidentFrom}`);
  console.log(`families held out: ${precision(byFamily, confidentFrom)}`);
  console.log(`styles held out: ${precision(byStyle, confidentFrom)}`);
  for (const style of new Set(byStyle.map(({ set }) => set)))
    console.log(
      `  ${style}: ${precision(
        byStyle.filter(({ set }) => set === style),
        confidentFrom,
      )}`,
    );
  console.log(`reliability, families held out:\n${reliabilityText(byFamily)}`);
  return {
    model: { ...fitted(known), confident_from: confidentFrom },
    panels: [
      { title: 'families held out', cases: byFamily },
      { title: 'styles held out', cases: byStyle },
    ],
  };
}

function predicted({ bias, weights }: Model, { evidence }: Case): number {
  if (evidence === null) return 0;
  const sum = Object.entries(weights).reduce(
    (all, [name, weight]) => all + weight * (evidence[name] ?? 0),
    bias,
  );
  return 1 / (1 + Math.exp(-sum));
}

/** The lowest threshold at which confident cases reach the minimum precision in every held-out style. */
function thresholdFor(cases: readonly Predicted[]): number {
  const styles = [...new Set(cases.map(({ set }) => set))];
  for (let percent = 50; percent < 99; percent++) {
    const isGood = styles.every((style) => {
      const those = cases.filter(({ set, p }) => set === style && p >= percent / 100);
      return those.filter(({ right }) => right).length >= leastPrecision * those.length;
    });
    if (isGood) return percent / 100;
  }
  return 0.99;
}

function precision(cases: readonly Predicted[], from: number): string {
  const confident = cases.filter(({ p }) => p >= from);
  const right = confident.filter((one) => one.right).length;
  const brier = cases.reduce((sum, one) => sum + (one.p - Number(one.right)) ** 2, 0) / cases.length;
  return `${confident.length} of ${cases.length} confident, ${right} of these right (${((100 * right) / confident.length).toFixed(1)} %), Brier score ${brier.toFixed(3)}`;
}

/** Searches every task of the sets, and writes the cases. */
async function collect(): Promise<void> {
  const data = values.data ?? process.env['ORCH_DATA'] ?? '';
  const without = values.without === undefined ? [] : wordsIn(readFileSync(values.without, 'utf8'));
  const open = values.sets
    .split(',')
    .flatMap((set) => tasksOf(set, data).map(({ task, group }) => ({ task, set, family: group, without })))
    .filter((_, i) => i % Number(values.every) === 0);
  const cases: (readonly Case[])[] = [];
  const jobs = [...open.entries()];
  const work = async (): Promise<void> => {
    let worker = start();
    for (let next = jobs.shift(); next !== undefined; next = jobs.shift()) {
      const [index, order] = next;
      try {
        cases[index] = await ask(worker, order);
      } catch (error) {
        console.error(`BROKEN ${order.task.id} ${(error as Error).message}`);
        worker = start();
      }
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  mkdirSync(dirname(values.cases), { recursive: true });
  writeFileSync(
    values.cases,
    cases.flatMap((those) => those.map((one) => `${JSON.stringify(one)}\n`)).join(''),
  );
  const seconds = cases.map(([one]) => one?.cpuSeconds ?? 0).sort((a, b) => a - b);
  console.log(
    `${cases.length} searches, CPU-seconds: median ${seconds[seconds.length >> 1]}, longest ${seconds.at(-1)}`,
  );
}

function start(): Worker {
  return new Worker(new URL('./arc-calibrate-worker.ts', import.meta.url));
}

async function ask(worker: Worker, order: CalibrationOrder): Promise<readonly Case[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly Case[]>();
  worker.removeAllListeners().once('message', resolve).once('error', reject);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
  worker.postMessage(order);
  return promise;
}

function tasksOf(set: string, data: string): Grouped[] {
  switch (set) {
    case 'even':
    case 'odd':
      return trainingTasks(data, set).map(({ task }) => ({ task, group: task.id }));
    case 'turned':
      return turnedTasks(data, 3).map(({ task }) => ({
        task: withPairs(task, task.train.length - 1),
        group: task.id,
      }));
    case 'concepts':
      return madeTasks(conceptBooks, { seed: 1, count: 1 });
    case 'concepts-2':
      return madeTasks(conceptBooks, { seed: 5, count: 1 }).map(({ task, group }) => ({
        task: withPairs(task, 2),
        group,
      }));
    case 'random':
      return [...makeTasks(360, 7)]
        .filter((_, i) => i % 2 === 0)
        .map(({ task, family }) => ({ task, group: `random ${family}` }));
    case 'miniatures':
      return madeTasks(miniatureBooks, { seed: 1, count: 1 });
    case 'strips':
      return madeTasks(heldOutBooks, { seed: 1, count: 1 });
    case 'cards':
      return [false, true].flatMap((isGroundColoured) =>
        madeTasks(cardBooks, { seed: 1, count: 1, isGroundColoured }),
      );
    case 'own':
      return loadTasks(values.tasks ?? '').map((task) => ({ task, group: task.id }));
    default:
      throw new Error(`no set named "${set}"`);
  }
}

function withPairs(task: Task, pairs: number): Task {
  return { ...task, train: task.train.slice(0, Math.max(2, pairs)) };
}
