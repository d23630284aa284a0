import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { TaskRow } from '../src/arc/solve/row.ts';
import type { Task } from '../src/arc/grid/task.ts';
import { conceptBooks, isSolved, madeTasks, searchAll, trainingTasks, type Job } from './arc-sets.ts';
import { groupsOfWords, rightRule, wordsIn, wordsOf } from './arc-words.ts';

/**
 * What every word of the rule language is worth: an operation, a variant, a criterion, a feature, a verb, a colour source, a
 * learner. First all tasks are searched. Then, for each group of words, the tasks whose right rule uses one of them are searched
 * again without the group; a task is lost when no attempt is right any more. A word that no right rule uses cannot lose a task in
 * this way, so all unused words are switched off at once and everything is searched a last time. Sets: odd and even training
 * tasks (--data or ORCH_DATA) and generated concept families. `--seconds` bounds the time: rare words come first. `--without FILE`
 * measures the whole search once without the words that the regular expressions in FILE match.
 */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: join(import.meta.dirname, 'results', 'arc', 'ablate') },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    every: { type: 'string', default: '1' },
    most: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '100000' },
    without: { type: 'string' },
  },
});
const options = { mode: 'fast', recogniser: true, workers: Number(values.workers) } as const;
const sets = ['odd', 'even', 'concepts'] as const;
type SetName = (typeof sets)[number];

interface One extends Job {
  readonly set: SetName;
}
interface Ablation extends One {
  readonly word: string;
}

const started = performance.now();
const isOver = (): boolean => (performance.now() - started) / 1000 > Number(values.seconds);
await main();

async function main(): Promise<void> {
  const data = values.data ?? process.env['ORCH_DATA'];
  if (data === undefined) {
    console.error('bench:arc-ablate: name the data folder with --data FOLDER or ORCH_DATA');
    process.exitCode = 2;
    return;
  }
  const without = values.without === undefined ? [] : wordsIn(readFileSync(values.without, 'utf8'));
  const tasks = tasksIn(data).map((one) => ({ ...one, without }));
  const rows = await rowsOf(tasks);
  const users = new Map<string, One[]>();
  for (const one of tasks) {
    const row = rows.get(one.task);
    const rule = row === undefined ? undefined : rightRule(row, one.task);
    if (rule === undefined) continue;
    for (const word of wordsOf(rule.program, rule.by)) users.set(word, [...(users.get(word) ?? []), one]);
  }
  write(
    'rows.jsonl',
    [...rows.values()].map((row) => JSON.stringify(row)),
  );
  console.log(`${without.length} words switched off: ${solvedBySet(tasks, rows)}`);
  if (without.length > 0) return;
  const lost = await ablate(users);
  report(users, lost);
}

function tasksIn(data: string): One[] {
  const every = Number(values.every);
  return [
    ...trainingTasks(data).map(({ task, group }) => ({ task, set: group as SetName })),
    ...madeTasks(conceptBooks, { seed: Number(values.seed), count: 1 }).map(({ task }) => ({
      task,
      set: 'concepts' as const,
    })),
  ].filter((_, i) => i % every === 0);
}

async function rowsOf(tasks: readonly One[]): Promise<Map<Task, TaskRow>> {
  const rows = new Map<Task, TaskRow>();
  let cpu = 0;
  await searchAll(tasks, options, ({ task }, result) => {
    if (result instanceof Error) console.error(`BROKEN ${task.id} ${result.message}`);
    else {
      rows.set(task, result.row);
      cpu += result.cpu_seconds;
    }
  });
  console.log(`${tasks.length} tasks, ${(cpu / tasks.length).toFixed(2)} CPU-seconds per task`);
  return rows;
}

function solvedBySet(tasks: readonly One[], rows: ReadonlyMap<Task, TaskRow>): string {
  return sets
    .map((set) => {
      const those = tasks.filter((one) => one.set === set);
      const solved = those.filter(({ task }) => {
        const row = rows.get(task);
        return row !== undefined && isSolved(row, task);
      });
      return `${set} ${solved.length} of ${those.length}`;
    })
    .join(', ');
}

/** The tasks that each group of words loses when it is switched off; groups that time ran out for are missing. */
async function ablate(users: ReadonlyMap<string, readonly One[]>): Promise<Map<string, One[]>> {
  const groups = groupsOfWords();
  const jobs: Ablation[] = [...users]
    .filter(([word, those]) => groups.has(word) && those.length <= Number(values.most))
    .sort(([, a], [, b]) => a.length - b.length)
    .flatMap(([word, those]) =>
      those.map((one) => ({ ...one, word, without: [...(groups.get(word) ?? [])] })),
    );
  const lost = new Map<string, One[]>();
  const seen = new Map<string, number>();
  console.log(`${jobs.length} searches without a word`);
  await searchAll(jobs, { ...options, until: isOver }, (job, result) => {
    const isLost = result instanceof Error || !isSolved(result.row, job.task);
    seen.set(job.word, (seen.get(job.word) ?? 0) + 1);
    lost.set(job.word, [...(lost.get(job.word) ?? []), ...(isLost ? [job] : [])]);
  });
  for (const word of lost.keys())
    if ((seen.get(word) ?? 0) < (users.get(word)?.length ?? 0)) lost.delete(word);
  return lost;
}

function report(users: ReadonlyMap<string, readonly One[]>, lost: ReadonlyMap<string, readonly One[]>): void {
  const counts = (those: readonly One[]): number[] =>
    sets.map((set) => those.filter((one) => one.set === set).length);
  const lines = [...groupsOfWords().keys()].map((word) => {
    const its = lost.get(word);
    return {
      word,
      users: counts(users.get(word) ?? []),
      lost: users.has(word) ? (its === undefined ? null : counts(its)) : [0, 0, 0],
      tasks: (its ?? []).map(({ task, set }) => `${set} ${task.id}`),
    };
  });
  write(
    'words.jsonl',
    lines.map((line) => JSON.stringify(line)),
  );
  console.log(`word | used by ${sets.join(', ')} | lost ${sets.join(', ')}`);
  for (const { word, users: used, lost: gone } of lines)
    console.log(`${word} | ${used.join(', ')} | ${gone === null ? 'not measured' : gone.join(', ')}`);
}

function write(name: string, lines: readonly string[]): void {
  mkdirSync(values.out, { recursive: true });
  writeFileSync(join(values.out, name), lines.map((line) => `${line}\n`).join(''));
}
