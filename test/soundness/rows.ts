import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import type { RowAttack } from './attacks/rows.ts';

const idsOf = (rows: readonly { readonly id?: unknown }[]): Set<unknown> => new Set(rows.map(({ id }) => id));

/** All rows in one run: a hostile one must not affect the others either. */
export function testRows(attacks: readonly RowAttack[], beside: readonly RowAttack[]): void {
  test('no hostile row is solved, and every honest row is', async () => {
    const cwd = temporaryFolder();
    const rows = [...attacks, ...beside];
    writeFileSync(path.join(cwd, 'goals.jsonl'), `${rows.map((row) => JSON.stringify(row)).join('\n')}\n`);
    const args = ['run', 'goals.jsonl', '--reporter', 'json', '--goal-cpu', '5', '--num-procs', '1'];
    const { code, stdout, stderr } = await orch([...args, '--cpu-target', '1'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 1 });
    const goals = (jsonLines(stdout) as Record<string, unknown>[]).filter(({ type }) => type === 'goal');
    const solved = goals.filter((goal) => goal['solved'] === true);
    expect(idsOf(goals)).toEqual(idsOf(rows));
    expect(idsOf(solved)).toEqual(idsOf(beside));
  });
}
