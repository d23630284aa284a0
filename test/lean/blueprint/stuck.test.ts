import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBlueprint } from '../../../src/lean/blueprint/read.ts';
import { stateBlueprint } from '../../../src/lean/blueprint/states.ts';
import { stuckGoals } from '../../../src/lean/blueprint/stuck.ts';
import type { GoalRow } from '../../../src/shared/ledger.ts';
import { uncheckedReason } from '../../../src/store/ledger/unchecked.ts';
import { temporaryFolder } from '../../helpers/folders.ts';

const node = (name: string, uses: string): string =>
  `\\begin{lemma}\\label{lem:${name}}\\lean{A.${name}}\\leanok${uses}\\end{lemma}\n\\begin{proof}x\\end{proof}\n`;

/** `base` blocks `top`; nothing waits for `side`. */
function blueprint() {
  const file = path.join(temporaryFolder(), 'content.tex');
  writeFileSync(file, node('base', '') + node('top', '\\uses{lem:base}') + node('side', ''));
  return stateBlueprint(readBlueprint(file));
}

const row = (goal: string, changes: Partial<GoalRow> = {}): GoalRow => ({
  run: 'r',
  goal,
  statement: '',
  topic: null,
  label: null,
  difficulty: 0.5,
  priority: 0,
  source: 'A.lean:3',
  requester: null,
  goal_hash: null,
  fingerprint: null,
  status: 'unsolved',
  until: null,
  ticket: null,
  attempts: 4,
  cpu_seconds: 120,
  latest_error: null,
  refuted: null,
  reason: null,
  ...changes,
});
const names = (rows: readonly GoalRow[]): string[] => stuckGoals(rows, blueprint()).map(({ goal }) => goal);

test('a goal is stuck if it was tried, stayed open, and other work waits for it', () => {
  expect(names([row('A.base'), row('A.top#2'), row('A.side')])).toEqual(['A.base', 'A.top#2']);
  expect(stuckGoals([row('A.base'), row('A.side')], undefined)).toHaveLength(2);
});

test('a goal that was tried again under the next name is one goal', () => {
  expect(names([row('A.base'), row('A.base (2)', { status: 'solved' })])).toEqual([]);
  expect(names([row('A.base'), row('A.base (2)')])).toEqual(['A.base']);
});

test('solved, refuted, running and untried goals, goals without a file, and those of another judge are not stuck', () => {
  const others: Partial<GoalRow>[] = [
    { status: 'solved' },
    { status: 'refuted', refuted: 'n = 1' },
    { status: 'racing' },
    { attempts: 0 },
    { reason: uncheckedReason },
    { source: 'bank' },
  ];
  expect(others.flatMap((changes) => names([row('A.base', changes)]))).toEqual([]);
});

test('the newest run decides, but a proof of any run counts', () => {
  expect(names([row('A.base', { status: 'refuted' }), row('A.base')])).toEqual([]);
  expect(names([row('A.base'), row('A.base', { status: 'solved' })])).toEqual([]);
  expect(names([row('A.base'), row('A.base', { status: 'racing' })])).toEqual(['A.base']);
});
