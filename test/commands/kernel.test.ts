import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { ExportWorld, type Row } from '../helpers/ndjson.ts';
import { run } from '../helpers/orch.ts';

const document = readFileSync(path.join(packageRoot, 'docs', 'INTEGRATIONS.md'), 'utf8');
const [, written = ''] = /```json\n(.*external_kernels.*)\n```/.exec(document) ?? [];
const Config = z.object({
  external_kernels: z.object({ orch: z.tuple([z.string(), z.string()], z.string()) }),
});

/** The documented command of comparator with a file, as its sandbox starts it: without an environment. */
async function asComparatorDoes(text: string): Promise<{ code: number | null; stdout: string }> {
  const [program, cli, ...args] = Config.parse(JSON.parse(written)).external_kernels.orch;
  // Landlock lets it run nothing else: no shell, no npx, no second Node
  expect([program, cli]).toEqual(['node', 'node_modules/orch/bin/orch.js']);
  const file = path.join(temporaryFolder(), 'export.ndjson');
  writeFileSync(file, text);
  const env = Object.fromEntries(Object.keys(process.env).map((key) => [key, undefined]));
  return await run(process.execPath, [path.join(packageRoot, 'bin/orch.js'), ...args, file], { env });
}

const lines = (rows: readonly Row[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

test("comparator's external kernel exits with 0, 1 and 2", async () => {
  const world = new ExportWorld().withBasics();
  world.theorem('fine', world.c('True'), world.c('True.intro'));
  expect(await asComparatorDoes(lines(world.rows))).toMatchObject({ code: 0 });
  world.theorem('false', world.c('False'), world.c('True.intro'));
  expect(await asComparatorDoes(lines(world.rows))).toMatchObject({ code: 1 });
});

test('an export of six million rows is declined before it is read', async () => {
  const declined = await asComparatorDoes('\n'.repeat(6_000_001));
  expect(declined).toMatchObject({ code: 2, stdout: expect.stringContaining('6000001 rows') as string });
});
