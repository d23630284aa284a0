import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { sameGrid } from '../src/arc/grid.ts';
import { actionNames } from '../src/arc/rules/actions.ts';
import { criteria } from '../src/arc/rules/criteria.ts';
import { objectFeatureNames, sourceNames, wideFeatureNames } from '../src/arc/rules/features/features.ts';
import { memberFeatureNames } from '../src/arc/rules/members.ts';
import { usedSteps } from '../src/arc/rules/normal.ts';
import type { Program, Step } from '../src/arc/rules/program.ts';
import { operations } from '../src/arc/rules/registry.ts';
import { colourSourceNames } from '../src/arc/rules/treatment-colours.ts';
import { parsed, partsOf, treatmentNames } from '../src/arc/rules/treatments.ts';
import { attemptsOf, type Row } from '../src/arc/solve/row.ts';
import type { Task } from '../src/arc/task.ts';
import { loadTasks } from '../src/arc/tasks.ts';

/**
 * What right rules are made of: in how many tasks every operation, every variant of one and every feature stands in an attempt
 * whose answers are all right. Arguments are files of rows; the tasks stand beside each as tasks.jsonl, or are the training
 * tasks of --data (or ORCH_DATA). Without arguments: fast mode, as `bench:arc` left it, and the concepts, as
 * `bench:arc-unseen` did. What serves one task or none is listed at the end: it should be merged, widened or dropped.
 */
const { values, positionals } = parseArgs({ options: { data: { type: 'string' } }, allowPositionals: true });
const results = join(import.meta.dirname, 'results', 'arc');

/** Everything that could be used, group by group: what no rule uses must be seen too. */
const known: Readonly<Record<string, readonly string[]>> = {
  operations: [...operations.keys()],
  variants: [...operations.values()].flatMap(({ name, parameters, search }) =>
    search.flatMap(({ args }) => variantsIn({ op: name, args }, parameters)),
  ),
  criteria,
  'features of cells': wideFeatureNames,
  'colours that tables read': sourceNames,
  'features of cells in parts': [],
  'features of members': memberFeatureNames,
  'features of moved objects': objectFeatureNames,
  'features of treated objects': objectFeatureNames,
  moves: actionNames([]),
  treatments: treatmentNames,
  'colours of treatments': colourSourceNames,
  'kinds of objects': [],
};

/** What the learned operations ask. */
const askedBy: Readonly<Record<string, string>> = {
  cells: 'features of cells',
  cells_beside: 'features of cells',
  cells_in_parts: 'features of cells in parts',
  choose: 'features of members',
  tabulate: 'features of members',
  move_objects: 'features of moved objects',
  treat_objects: 'features of treated objects',
};

main();

/** Names of one group, each with the tasks that it serves. */
type Usage = ReadonlyMap<string, Map<string, Set<string>>>;

function main(): void {
  const usual = ['fast', 'concepts'].map((folder) => join(results, folder, 'rows.jsonl'));
  const files = positionals.length > 0 ? positionals : usual.filter((file) => existsSync(file));
  const usage: Usage = new Map(
    Object.entries(known).map(([group, names]) => [
      group,
      new Map(names.map((name) => [folded(group, name), new Set<string>()])),
    ]),
  );
  const rules = files.flatMap(rightRules);
  for (const { id, program } of rules)
    for (const index of usedSteps(program))
      for (const [group, name] of usesOf(program[index] as Step)) {
        const tasksOf = usage.get(group) as Map<string, Set<string>>;
        const use = folded(group, name);
        tasksOf.set(use, (tasksOf.get(use) ?? new Set()).add(id));
      }
  console.log(`${rules.length} tasks with an attempt whose answers are all right, from ${files.join(', ')}`);
  for (const [group, tasksOf] of usage) print(group, tasksOf);
}

/** Names by the number of tasks that they serve, and then those that serve one or none. */
function print(group: string, tasksOf: ReadonlyMap<string, ReadonlySet<string>>): void {
  const counted = [...tasksOf].sort(([a, one], [b, two]) => two.size - one.size || (a < b ? -1 : 1));
  const listed = (
    holds: (tasks: number) => boolean,
    show: (name: string, tasks: ReadonlySet<string>) => string,
  ): string =>
    counted
      .filter(([, { size }]) => holds(size))
      .map(([name, tasks]) => show(name, tasks))
      .join(', ');
  console.log(`\n${group}, ${counted.length}`);
  console.log(
    `  in more tasks: ${listed(
      (tasks) => tasks > 1,
      (name, { size }) => `${name} ${size}`,
    )}`,
  );
  console.log(
    `  in one: ${listed(
      (tasks) => tasks === 1,
      (name, [task]) => `${name} (${task})`,
    )}`,
  );
  console.log(
    `  in none: ${listed(
      (tasks) => tasks === 0,
      (name) => name,
    )}`,
  );
}

/**
 * The name of what differs in direction, colour or threshold alone: these stand or fall together, for a task that is turned or
 * recoloured is the same task. Operations and verbs keep their names.
 */
function folded(group: string, name: string): string {
  if (group === 'operations') return name;
  const kept = /^(variants|moves|treatments)$/.test(group) ? (/^[^( ]*/.exec(name) ?? [''])[0] : '';
  return (
    kept +
    name
      .slice(kept.length)
      .replace(/>\d+/, '>N')
      .replace(/(touches|beside|corner|column-of|row-of)-\d/, '$1-N')
      .replace(/(north|south)-(east|west)|(up|down)-(left|right)|(falling|rising|other)-diagonal/, 'DIAGONAL')
      .replace(
        /\b(north|south|east|west|left|right|up|down|above|below|top|bottom|across|upright|first|last)\b/g,
        'SIDE',
      )
      .replace(/\b(rows?|columns?)\b/g, 'LINE')
      .replace(/-[xy]\b/, '-x')
      .replace(/-(back|from-end)\b/, '')
      .replace(/\bheight\b/, 'width')
      .replace(/rotate(90|270)/, 'rotate90')
      .replace(/(anti-?)?transposed?|turned-SIDE/, 'transpose')
  );
}

function rightRules(file: string): { id: string; program: Program }[] {
  const beside = join(dirname(file), 'tasks.jsonl');
  const data = values.data ?? process.env['ORCH_DATA'] ?? '';
  const tasks = new Map(
    loadTasks(existsSync(beside) ? beside : join(data, 'arc', 'arc1-training.jsonl')).map((task) => [
      task.id,
      task,
    ]),
  );
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
  return rows.flatMap((row) => {
    const task = tasks.get(row.task_id);
    const attempt = task === undefined ? -1 : [0, 1].findIndex((which) => isRight(row, task, which as 0 | 1));
    const id = row.chosen[attempt]?.candidate_id;
    const rule = row.candidates.find(({ candidate_id }) => candidate_id === id);
    return rule === undefined ? [] : [{ id: row.task_id, program: rule.program }];
  });
}

function isRight(row: Row, { answers }: Task, which: 0 | 1): boolean {
  return attemptsOf(row).every((attempts, i) => {
    const [grid, answer] = [attempts[which], answers[i] ?? null];
    return grid !== null && answer !== null && sameGrid(grid, answer);
  });
}

/** What a step uses: a group and a name in it. */
function* usesOf({ op, args }: Step): Generator<readonly [group: string, name: string]> {
  yield ['operations', op];
  for (const variant of variantsIn({ op, args }, operations.get(op)?.parameters ?? {}))
    yield ['variants', variant];
  if (typeof args['objects'] === 'string') yield ['kinds of objects', args['objects']];
  if (/^(pick|best|rest|sort)$/.test(op)) yield ['criteria', args['by'] as string];
  const asked = askedBy[op];
  if (asked === undefined) return;
  for (const name of args['features'] as readonly string[]) yield [asked, name];
  for (const answer of Object.values(args['table'] as Readonly<Record<string, string>>)) {
    if (answer.startsWith('@')) yield ['colours that tables read', answer.slice(1)];
    // a fixed offset, and the colour of an anchor, are the task's own
    if (op === 'move_objects') yield ['moves', answer.replaceAll(/ -?\d+/g, ' N')];
    if (op !== 'treat_objects') continue;
    for (const part of partsOf(answer)) {
      const { name, colour } = parsed(part);
      yield ['treatments', name.replace(/^until-\d/, 'until-N')];
      if (colour !== null) yield ['colours of treatments', colour.replace(/\d/, 'N')];
    }
  }
}

/** A variant is an operation with one of its choices; numbers and colours are the task's own. */
function variantsIn({ op, args }: Step, parameters: object): string[] {
  return Object.entries(parameters as Readonly<Record<string, { kind: string }>>)
    .filter(([name, { kind }]) => kind === 'choice' && args[name] !== undefined)
    .map(([name]) => `${op}(${name}: ${args[name] as string})`);
}
