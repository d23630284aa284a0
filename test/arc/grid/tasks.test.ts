import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { loadTasks } from '../../../src/arc/grid/tasks.ts';

const folder = mkdtempSync(join(tmpdir(), 'arc-tasks-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pair = { input: [[1, 2]], output: [[2, 1]] };
const plain = { train: [pair], test: [{ input: [[3, 4]] }] };

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return error instanceof UserError ? error.code : undefined;
  }
}

describe('tasks', () => {
  it('are read from JSONL', () => {
    const path = file(
      'tasks.jsonl',
      `${JSON.stringify({ task_id: 'x', ...plain })}\n\n${JSON.stringify({ task_id: 'y', train: [pair], test: [pair] })}\n`,
    );
    const tasks = loadTasks(path);
    expect(tasks.map(({ id }) => id)).toEqual(['x', 'y']);
    expect(tasks[0]?.answers).toEqual([null]);
    expect(tasks[1]?.answers[0]?.width).toBe(2);
  });

  it('are read from a folder, in order of name', () => {
    const inner = mkdtempSync(join(folder, 'many-'));
    writeFileSync(join(inner, 'b.json'), JSON.stringify(plain));
    writeFileSync(join(inner, 'a.json'), JSON.stringify(plain));
    expect(loadTasks(inner).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it("are read from Kaggle's challenge files with their solutions", () => {
    const path = file('arc_challenges.json', JSON.stringify({ k1: plain }));
    expect(loadTasks(path)[0]?.answers).toEqual([null]);
    file('arc_solutions.json', JSON.stringify({ k1: [[[4, 3]]] }));
    expect(loadTasks(path)[0]?.answers[0]?.cells).toEqual(Uint8Array.from([4, 3]));
  });

  it.each([
    ['missing.jsonl', undefined, 'ARC_TASKS_MISSING'],
    ['empty.jsonl', '\n', 'ARC_TASKS_EMPTY'],
    ['bad.jsonl', '{', 'ARC_NOT_JSON'],
    ['shape.jsonl', '{"train":[]}', 'ARC_TASK_SHAPE'],
    [
      'grid.jsonl',
      JSON.stringify({ train: [{ input: [[1], [2, 3]], output: [[1]] }], test: [pair] }),
      'ARC_GRID_SHAPE',
    ],
    [
      'twice.jsonl',
      [1, 2].map(() => JSON.stringify({ task_id: 'same', ...plain })).join('\n'),
      'ARC_TASK_TWICE',
    ],
  ])('%s is refused with an error code', (name, content, code) => {
    const path = content === undefined ? join(folder, name) : file(name, content);
    expect(codeOf(() => loadTasks(path))).toBe(code);
  });
});
