import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';
import { serveReplies } from '../models/wire.ts';
import { full, rows } from './goal-files.ts';

const key = 'sk-planted-5f0c7d2e9b';
const password = 'planted-passw0rd';

/** A secret as it is, in base64 at any offset, and as a URL writes it. */
const forms = [key, password].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  ...[0, 1, 2].map((offset) =>
    Buffer.from(`${' '.repeat(offset)}${secret}`)
      .toString('base64')
      .slice(4, -4),
  ),
]);

test('a key that a server echoes and a password in a URL appear nowhere', async () => {
  const cwd = temporaryFolder();
  const service = await serveReplies((_, turn) => ({ echoesKey: [200, 401, 500][turn % 3] ?? 200 }));
  onTestFinished(service.close);
  writeFileSync(
    path.join(cwd, 'goals.jsonl'),
    rows({ id: 'g', statement: 'theorem t (f : Nat → Nat) : f 0 = f 1' }),
  );
  const env = {
    ORCH_MODEL: `openai:${service.url}/v1#planner`,
    ORCH_STRATEGIES: 'sketch',
    ORCH_LOG_LEVEL: 'trace',
    ORCH_LOG_FILE: path.join(cwd, 'log.jsonl'),
    OPENAI_API_KEY: key,
    OPENAI_LOG: 'debug',
    DEBUG: '*',
    NODE_DEBUG: 'http',
  };
  const printed: string[] = [];
  const say = async (args: readonly string[], more = {}): Promise<number | null> => {
    const { code, stdout, stderr } = await orch(args, { cwd, env: { ...env, ...more } });
    printed.push(stdout, stderr);
    return code;
  };
  const withPassword = service.url.replace('//', `//user:${password}@`);
  expect(await say(['run', 'goals.jsonl'], { ORCH_MODEL: `openai:${withPassword}/v1#planner` })).toBe(2);
  expect(await say(['run', 'goals.jsonl', '--reporter', 'json', '--goal-cpu', '5', ...full])).toBe(1);
  expect(await say(['why', 'g', '--json'])).toBe(0);
  expect(await say(['stats', '--json'])).toBe(0);
  expect(await say(['report', 'latest', '--out', 'report.html'])).toBe(0);
  expect(await say(['ledger', 'export', '--out', 'events.jsonl'])).toBe(0);
  expect(service.asked.length).toBeGreaterThan(0);
  expect(service.asked[0]?.headers.authorization).toContain(key);

  const files = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).map((name) => path.join(cwd, name));
  const written = files.filter((file) => statSync(file).isFile());
  expect(written.map((file) => path.basename(file))).toEqual(
    expect.arrayContaining(['ledger.db', 'log.jsonl', 'report.html', 'events.jsonl']),
  );
  const texts = [...printed, ...written.map((file) => readFileSync(file, 'latin1'))];
  for (const secret of forms) {
    const at = texts.findIndex((text) => text.includes(secret));
    expect({
      secret,
      seen: at < printed.length ? texts[at]?.slice(0, 500) : written[at - printed.length],
    }).toEqual({
      secret,
      seen: undefined,
    });
  }
});
