import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  conceptBooks,
  isSolved,
  madeTasks,
  miniatureBooks,
  searchAll,
  trainingTasks,
  type Job,
} from './arc-sets.ts';
import { groupsOfWords, rulesOf, wordsIn, wordsOf } from './arc-words.ts';

/**
 * Measures the value of every word of the rule language: an operation, a variant, a criterion, a feature, a verb, a
 * colour source, a learner. `--record` searches all tasks and appends one line per task to the record: which attempts
 * are right, and the words of their rules. Without it the table is read from the record: which tasks use each word in
 * a right attempt. `--without FILE` switches off the words that match the regular expressions in FILE, searches the
 * tasks whose right attempts use one of them again, plus a sample of the others (`--others N`), and lists lost and
 * won tasks; `--again` does so for recorded words that the language no longer has. `--each SECONDS` switches off one
 * word at a time, rare words first, and searches the tasks that need it. Sets: odd and even training tasks (--data or
 * ORCH_DATA), generated concepts, and miniatures in another style.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    record: { type: 'boolean', default: false },
    file: { type: 'string', default: join(import.meta.dirname, 'results', 'arc', 'words.jsonl') },
    sets: { type: 'string', default: 'odd,even,concepts,miniatures' },
    workers: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    without: { type: 'string' },
    others: { type: 'string', default: '0' },
    each: { type: 'string' },
    again: { type: 'boolean', default: false },
  },
});

interface Work extends Job {
  readonly set: string;
  readonly key: string;
}

/** One recorded search. */
interface Recorded {
  readonly key: string;
  readonly set: string;
  readonly right: boolean;
  readonly confident: boolean;
  readonly cpuSeconds: number;
  /** The words of each attempt's rule, and whether the attempt alone is right. */
  readonly attempts: readonly { readonly right: boolean; readonly words: readonly string[] }[];
}

await main();

async function main(): Promise<void> {
  const data = values.data ?? process.env['ORCH_DATA'];
  if (data === undefined) {
    console.error('bench:arc-ablate: name the data folder with --data FOLDER or ORCH_DATA');
    process.exitCode = 2;
    return;
  }
  const works = worksIn(data);
  if (values.record) await record(works);
  else if (values.each !== undefined) await searchWithoutEach(works, Number(values.each));
  else if (values.without !== undefined)
    await searchWithout(works, wordsIn(readFileSync(values.without, 'utf8')));
  else if (values.again) await searchWithout(works, []);
  else printReport();
}

/** All tasks, with the sets mixed, so that an incomplete record is a sample of each set. */
function worksIn(data: string): Work[] {
  const drawing = { seed: Number(values.seed), count: 1 };
  const training = trainingTasks(data);
  const lists: Readonly<Record<string, Work[]>> = {
    odd: training.filter(({ group }) => group === 'odd').map(({ task }) => workOf('odd', task)),
    even: training.filter(({ group }) => group === 'even').map(({ task }) => workOf('even', task)),
    concepts: madeTasks(conceptBooks, drawing).map(({ task }) => workOf('concepts', task)),
    miniatures: madeTasks(miniatureBooks, drawing).map(({ task }) => workOf('miniatures', task)),
  };
  return values.sets
    .split(',')
    .flatMap((set) => {
      const works = lists[set] ?? [];
      return works.map((work, i) => ({ work, place: (i + 0.5) / works.length }));
    })
    .sort((a, b) => a.place - b.place)
    .map(({ work }) => work);
}

function workOf(set: string, task: Job['task']): Work {
  return { task, set, key: `${set} ${task.id}` };
}

function recorded(): Recorded[] {
  if (!existsSync(values.file)) return [];
  const lines = readFileSync(values.file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Recorded);
}

async function search<One extends Work>(
  works: readonly One[],
  onResult: (work: One, result: Recorded) => void,
  until?: () => boolean,
): Promise<void> {
  const words = groupsOfWords();
  const options = { workers: Number(values.workers), ...(until && { until }) };
  await searchAll(works, options, (work, report) => {
    if (report instanceof Error) {
      console.error(`BROKEN ${work.key} ${report.message}`);
      process.exitCode = 1;
      return;
    }
    const { row, cpu_seconds } = report;
    onResult(work, {
      key: work.key,
      set: work.set,
      right: isSolved(row, work.task),
      confident: row.confident,
      cpuSeconds: cpu_seconds,
      attempts: rulesOf(row, work.task).map(({ right, program, by }) => ({
        right,
        words: [...wordsOf(program, by)].filter((word) => words.has(word)).sort(),
      })),
    });
  });
}

async function record(works: readonly Work[]): Promise<void> {
  const known = new Set(recorded().map(({ key }) => key));
  mkdirSync(dirname(values.file), { recursive: true });
  await search(
    works.filter(({ key }) => !known.has(key)),
    (_, result) => appendFileSync(values.file, `${JSON.stringify(result)}\n`),
  );
}

/** The words that every right attempt of a recorded task uses. */
function needed({ attempts }: Recorded): Set<string> {
  const [first, ...others] = attempts.filter(({ right }) => right);
  return new Set(first?.words.filter((word) => others.every(({ words }) => words.includes(word))));
}

function printReport(): void {
  const all = recorded();
  const sets = values.sets.split(',');
  for (const set of sets) {
    const its = all.filter((one) => one.set === set);
    const confident = its.filter((one) => one.confident);
    const cpu = its.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0) / its.length;
    console.log(
      `${set}: ${its.filter(({ right }) => right).length} of ${its.length} right, ${confident.length} confident, of these right ` +
        `${confident.filter(({ right }) => right).length}, ${cpu.toFixed(2)} CPU-seconds per task`,
    );
  }
  console.log(`word | tasks that need it: ${sets.join(', ')}`);
  for (const word of groupsOfWords().keys()) {
    const users = all.filter((one) => needed(one).has(word));
    console.log(`${word} | ${sets.map((set) => users.filter((one) => one.set === set).length).join(', ')}`);
  }
}

/** Lists the tasks lost and won when words are switched off. */
async function searchWithout(works: readonly Work[], without: readonly string[]): Promise<void> {
  const off = new Set(without);
  const groups = [...groupsOfWords()].filter(([, words]) => [...words].every((word) => off.has(word)));
  const kept = new Set(groupsOfWords().keys());
  for (const [group] of groups) kept.delete(group);
  const before = new Map(recorded().map((one) => [one.key, one]));
  const isUser = ({ key }: Work): boolean => {
    const one = before.get(key);
    return one !== undefined && [...needed(one)].some((word) => !kept.has(word));
  };
  const users = works.filter(isUser);
  const rest = works.filter((work) => before.has(work.key) && !isUser(work));
  const step = Math.max(1, Math.ceil(rest.length / Math.max(1, Number(values.others))));
  const others = Number(values.others) > 0 ? rest.filter((_, i) => i % step === 0) : [];
  console.log(
    `${off.size} words off; ${users.length} tasks need them, ${others.length} others are searched too`,
  );
  await search(
    [...users, ...others].map((work) => ({ ...work, without })),
    ({ key }, { right }) => {
      const was = before.get(key)?.right === true;
      console.log(`${was === right ? 'same' : right ? 'won' : 'lost'} ${key}`);
    },
  );
}

/** The tasks lost by switching off each word alone; words beyond the time limit are not listed. */
async function searchWithoutEach(works: readonly Work[], seconds: number): Promise<void> {
  const started = performance.now();
  const before = new Map(recorded().map((one) => [one.key, needed(one)]));
  const uses = [...groupsOfWords()]
    .map(([word, off]) => ({
      word,
      off,
      users: works.filter(({ key }) => before.get(key)?.has(word) === true),
    }))
    .filter(({ users }) => users.length > 0)
    .sort((a, b) => a.users.length - b.users.length);
  const open = new Map(uses.map(({ word, users }) => [word, users.length]));
  const lost = new Map<string, string[]>(uses.map(({ word }) => [word, []]));
  await search(
    uses.flatMap(({ word, off, users }) => users.map((work) => ({ ...work, without: [...off], word }))),
    ({ word, key }, { right }) => {
      if (!right) lost.get(word)?.push(key);
      open.set(word, (open.get(word) ?? 0) - 1);
      if (open.get(word) !== 0) return;
      const users = uses.find((one) => one.word === word)?.users ?? [];
      console.log(`${word} | needed by ${users.length} | lost ${lost.get(word)?.join(', ') || 'none'}`);
    },
    () => performance.now() - started > seconds * 1000,
  );
}
