import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

interface Told {
  readonly attempt_rows: readonly { readonly attempt: string; readonly arm: string }[];
}

test('orch replay repeats the outcome of an attempt and of a cache hit', async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    path.join(cwd, 'goals.jsonl'),
    '{"id":"swap","statement":"theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"}\n',
  );
  for (const from of ['micro', 'cache']) {
    await orch(['run', 'goals.jsonl', '--cpu-target', '1'], { cwd });
    const { attempt_rows: attempts } = JSON.parse(
      (await orch(['why', 'swap', '--json'], { cwd })).stdout,
    ) as Told;
    const last = attempts.at(-1);
    expect(last?.arm).toMatch(new RegExp(`^${from}/`));
    const again = await orch(['replay', last?.attempt ?? '', '--json'], { cwd });
    expect(again.code).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ same: true, changed: [], now: { outcome: 'solved' } });
  }
});
