import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { open } from '../../../src/app/orch.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { startServe } from '../../../src/server/serve/serve.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { jsonLines, run } from '../../helpers/orch.ts';
import { expectPeer, fetchPeer } from '../../helpers/peers.ts';

const commit = 'fb2393de3461db35eda4c714e3fd21187e92ec90';
const packages = 'httpx tenacity tqdm pydantic typing_extensions pygments colorama tabulate requests'.split(
  ' ',
);

const expected: Readonly<Record<string, unknown>> = {
  health: { status: 'ok' },
  test: true,
  check: {
    valid: 'valid',
    sorry: 'sorry',
    lean_error: 'lean_error',
    // Kimina's own server calls this valid
    axiom: 'lean_error',
    server_error: 'server_error',
    crlf: 'valid',
    empty: 'valid',
  },
  'infotree full': true,
  'infotree tactics': true,
  'infotree original': true,
  'infotree substantive': true,
  extract_data: ['p q : Prop\nh : p ∧ q\n⊢ q ∧ p'],
  timeout: ['timeout_error'],
  'wrong key': 'refused',
  'async check': Array.from({ length: 6 }, () => 'valid'),
};

const Said = z.object({ call: z.string(), value: z.unknown() });

test('the public client of Kimina Lean Server gets the answers that it expects', async () => {
  const client = path.join(fetchPeer('project-numina/kimina-lean-server', commit), 'client');
  const folder = temporaryFolder();
  const python = path.join(folder, 'bin', 'python');
  expect(await run('python3', ['-m', 'venv', folder])).toMatchObject({ code: 0 });
  expect(await run(python, ['-m', 'pip', 'install', '--quiet', ...packages])).toMatchObject({ code: 0 });

  await using orch = await open({
    settings: { lean: 'embedded', num_procs: 2, ledger: path.join(folder, 'ledger.db') },
  });
  await using server = await startServe({
    orch,
    clock: systemClock,
    port: 0,
    workers: 2,
    maxWaitSeconds: 600,
    token: 'key',
  });
  const script = path.join(import.meta.dirname, 'kimina-client.py');
  const { code, stdout, stderr } = await run(python, [script, client, server.url, 'key']);
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"call"'));
  const said = jsonLines(lines.join('\n')).map((line) => Said.parse(line));
  const answers = Object.fromEntries(said.map(({ call, value }) => [call, value]));
  const calls = Object.keys(expected);
  const different = calls.filter((call) => !isDeepStrictEqual(answers[call], expected[call]));
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expectPeer(
    'kimina',
    { peer: 'Kimina Lean Server’s Python client', version: commit.slice(0, 8) },
    calls,
    Object.fromEntries(different.map((call) => [call, answers[call]])),
  );
});
