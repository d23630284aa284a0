import { sameGrid } from '../src/arc/grid/grid.ts';
import { actionNames } from '../src/arc/language/actions.ts';
import { criteria } from '../src/arc/language/criteria.ts';
import { objectFeatureNames, sourceNames, wideFeatureNames } from '../src/arc/language/features/features.ts';
import { memberFeatureNames } from '../src/arc/language/members.ts';
import { usedSteps } from '../src/arc/language/normal.ts';
import type { Program, ProgramStep } from '../src/arc/language/program.ts';
import { operations } from '../src/arc/language/registry.ts';
import { colourSourceNames } from '../src/arc/language/treatment-colours.ts';
import { parsed, treatmentParts, treatmentNames } from '../src/arc/language/treatments.ts';
import type { Words } from '../src/arc/language/vocabulary.ts';
import { attemptsOf, type TaskRow } from '../src/arc/solve/row.ts';
import type { Task } from '../src/arc/grid/task.ts';

/** The words of the rule language, and which of them a rule uses. */

const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** All words by list, including those that no rule uses. */
const lists: Readonly<Partial<Record<Words, readonly string[]>>> = {
  operation: [...operations.keys()],
  variant: [...operations.values()].flatMap(({ name, parameters, search }) =>
    search.flatMap(({ args }) => variantsIn({ op: name, args }, parameters)),
  ),
  criterion: criteria,
  'cell feature': wideFeatureNames,
  'cell colour': sourceNames,
  'member feature': memberFeatureNames,
  'object feature': objectFeatureNames,
  move: actionNames(digits),
  treatment: treatmentNames,
  'treatment colour': colourSourceNames,
  view: [
    'walls',
    'walls+roles:count:main',
    'orient:mass-across',
    'orient:transpose',
    'orient:rotate180',
    'orient:wide',
    'roles:count:black',
    'roles:count:main',
    'roles:solid:black',
  ],
  learner: ['moves', 'treatments', 'tiles', 'members', 'pieces', 'cells'],
};

/** The features that the learned operations ask. */
const askedBy: Readonly<Record<string, Words>> = {
  cells: 'cell feature',
  choose: 'member feature',
  tabulate: 'member feature',
  move_objects: 'object feature',
  treat_objects: 'object feature',
};

/**
 * All words of the language by group. Words that differ only in direction, colour or threshold share a group, since a
 * turned or recoloured task is the same task.
 */
export function groupsOfWords(): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  const add = (list: string, word: string, group: string): void => {
    const name = `${list}:${group}`;
    groups.set(name, (groups.get(name) ?? new Set()).add(`${list}:${word}`));
  };
  for (const [list, words] of Object.entries(lists))
    for (const word of words) {
      add(list, word, folded(list, word));
      const [verb = '', way = ''] = word.split(' ');
      if (list === 'treatment' && way !== '') add(list, word, `${verb} *`);
      if (list === 'move') add(list, word, `${verb} *`);
    }
  return groups;
}

/** The words that a list of regular expressions names, one per line. */
export function wordsIn(text: string): string[] {
  const patterns = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => new RegExp(`^(${line})$`));
  return [...groupsOfWords().values()]
    .flatMap((words) => [...words])
    .filter((word) => patterns.some((pattern) => pattern.test(word)));
}

/** The groups of words that a rule uses. */
export function wordsOf(program: Program, by: string): Set<string> {
  const used = new Set<string>([`learner:${by.split(' ', 1)[0]}`]);
  for (const index of usedSteps(program))
    for (const [list, word] of usesOf(program[index] as ProgramStep)) {
      used.add(`${list}:${folded(list, word)}`);
      if (list === 'move' || (list === 'treatment' && word.includes(' ')))
        used.add(`${list}:${word.split(' ', 1)[0]} *`);
    }
  return used;
}

/** The rules of the attempts, and whether each attempt alone is right for every test input. */
export function rulesOf(row: TaskRow, { answers }: Task): { right: boolean; program: Program; by: string }[] {
  const attempts = attemptsOf(row);
  return row.chosen.flatMap(({ candidate_id: id }, which) => {
    const rule = row.candidates.find(({ candidate_id }) => candidate_id === id);
    if (rule === undefined) return [];
    const right = attempts.every((pair, i) => {
      const [grid, answer] = [pair[which] ?? null, answers[i] ?? null];
      return grid !== null && answer !== null && sameGrid(grid, answer);
    });
    return [{ right, program: rule.program, by: rule.by }];
  });
}

function folded(list: string, word: string): string {
  if (list === 'operation') return word;
  const kept = /^(variant|move|treatment)$/.test(list) ? (/^[^( ]*/.exec(word) ?? [''])[0] : '';
  const head = kept.replace(/^until-\d/, 'until-N');
  return (
    head +
    word
      .slice(kept.length)
      .replace(/>\d+/, '>N')
      .replace(/ -?\d+/g, ' N')
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

function* usesOf({ op, args }: ProgramStep): Generator<readonly [list: Words, word: string]> {
  yield ['operation', op];
  for (const variant of variantsIn({ op, args }, operations.get(op)?.parameters ?? {}))
    yield ['variant', variant];
  if (/^(pick|best|rest|sort)$/.test(op)) yield ['criterion', args['by'] as string];
  const asked = askedBy[op];
  if (asked === undefined) return;
  for (const name of args['features'] as readonly string[]) yield [asked, name];
  for (const answer of Object.values(args['table'] as Readonly<Record<string, string>>)) {
    if (answer.startsWith('@') && asked === 'cell feature') yield ['cell colour', answer.slice(1)];
    if (op === 'move_objects') yield ['move', answer];
    if (op !== 'treat_objects') continue;
    for (const part of treatmentParts(answer)) {
      const { name, colour } = parsed(part);
      yield ['treatment', name];
      if (colour !== null && !/^\d$/.test(colour)) yield ['treatment colour', colour];
    }
  }
}

/** A variant is an operation with one of its choices; numbers and colours do not count, because they vary by task. */
function variantsIn({ op, args }: ProgramStep, parameters: object): string[] {
  return Object.entries(parameters as Readonly<Record<string, { kind: string }>>)
    .filter(([name, { kind }]) => kind === 'choice' && args[name] !== undefined)
    .map(([name]) => `${op}(${name}: ${args[name] as string})`);
}
