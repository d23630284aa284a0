import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { killFigures } from '../../bench/arc-kill.ts';
import { gridToRows } from '../../src/arc/grid/grid.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { invented } from '../arc/invented.ts';

it('a run gives equal bytes with 1, 2 and 4 workers, and after kill -9 and --resume', async () => {
  const folder = temporaryFolder();
  const batch = path.join(folder, 'batch.jsonl');
  const lines = invented.slice(0, 6).map(({ id, train, test }) =>
    JSON.stringify({
      id,
      train: train.map(({ input, output }) => ({ input: gridToRows(input), output: gridToRows(output) })),
      test: test.map((input) => ({ input: gridToRows(input) })),
    }),
  );
  writeFileSync(batch, `${lines.join('\n')}\n`);
  expect(await killFigures(batch, lines.length, path.join(folder, 'runs'))).toMatch(/: equal bytes$/);
}, 300_000);
