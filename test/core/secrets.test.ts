import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { deeplyWithoutSecrets, secretsOf, withoutSecrets } from '../../src/core/secrets.ts';
import { Models } from '../../src/models/configured.ts';
import { openLedger } from '../../src/store/open.ts';
import { connect } from '../../src/store/sqlite/database.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { serviceWith } from '../models/server.ts';

const key = 'sk-planted/0123+456"789';

test.each([
  ['postgres://orch:hunter2@db/orch', 'postgres://orch@db/orch'],
  ['postgres://orch:hun/ter@2@db/orch', 'postgres://orch@db/orch'],
  [
    'postgres://db/orch?user=orch&password=hunter2&sslmode=require',
    'postgres://db/orch?user=orch&password=[hidden]&sslmode=require',
  ],
  [
    'fatal: https://x-access-token:hunter2@github.com/a/b.git',
    'fatal: https://x-access-token@github.com/a/b.git',
  ],
  ['{"url":"http://host/v1?api_key=hunter2","n":1}', '{"url":"http://host/v1?api_key=[hidden]","n":1}'],
  ['openai:https://host/v1;token=hunter2#m', 'openai:https://host/v1;token=[hidden]#m'],
  ['postgres://orch:hun "ter\' 2@db/orch', 'postgres://orch@db/orch'],
  ['postgres://db/orch?password=hun ter2&user=orch', 'postgres://db/orch?password=[hidden]&user=orch'],
  ['fatal: https://ghp_hunter2@github.com/a/b.git', 'fatal: https://[hidden]@github.com/a/b.git'],
  ['https://host/v1?sv=1&sig=hunter2', 'https://host/v1?sv=1&sig=[hidden]'],
  [
    'see http://127.0.0.1:8000/#goals and mail ada@example.org',
    'see http://127.0.0.1:8000/#goals and mail ada@example.org',
  ],
])('%s is shown as %s', (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
});

test('the folder that we are in is not a secret', () => {
  expect(
    secretsOf({ PWD: '/home/ada/sums', OLDPWD: '/home/ada/tops', DB_PWD: 'hunter2-hunter2' }),
  ).not.toContain('/home/ada/sums');
  expect(secretsOf({ DB_PWD: 'hunter2-hunter2' })).toContain('hunter2-hunter2');
});

test('a key is redacted in every form in which a server may repeat it', () => {
  const secrets = secretsOf({ OPENAI_API_KEY: key, PATH: '/usr/bin', SHORT_KEY: 'abc' });
  for (const form of [
    key,
    JSON.stringify({ key }),
    encodeURIComponent(key),
    Buffer.from(key).toString('base64'),
    Buffer.from(key).toString('hex'),
  ])
    expect(withoutSecrets(`<${form}>`, secrets)).toContain('[hidden]');
  expect(deeplyWithoutSecrets({ a: [key, 1, null], [key]: true }, secrets)).toEqual({
    a: ['[hidden]', 1, null],
    '[hidden]': true,
  });
});

test('a key that a server repeats reaches neither caller nor cache, and the cache is private', async () => {
  const folder = path.join(temporaryFolder(), 'answers');
  mkdirSync(folder);
  const settings = {
    model_cache: folder,
    model_network: 'on',
    model_goal_tokens: 1e6,
    model_goal_seconds: 100,
    model_beam: 4,
    model_samples: 8,
    model_batch: 4,
    model_temperature: 0.2,
  } as const;
  const request = { prompt: 'x', samples: 1, temperature: 0, maxTokens: 1000 };
  for (const echoesKey of [200, 401]) {
    const { url } = await serviceWith({ echoesKey });
    const environment = { OPENAI_API_KEY: 'sk-planted-0123456789', OPENAI_LOG: 'debug' };
    const model = new Models(settings, environment, systemClock).named(`openai:${url}/v1#m`);
    const answer = JSON.stringify(await model.generate(request));
    expect(answer).toContain(echoesKey === 200 ? 'plan' : 'failed');
    expect(answer).not.toContain('planted');
    expect(answer).not.toContain(Buffer.from(environment.OPENAI_API_KEY).toString('base64').slice(0, 20));
  }
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  expect(files).toHaveLength(1);
  for (const file of files) {
    expect(readFileSync(file, 'utf8')).not.toContain('planted');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test('a new database and the files next to it are private to the user', () => {
  const folder = temporaryFolder();
  using database = connect(path.join(folder, 'new.db'), false);
  database.execute('PRAGMA journal_mode = WAL');
  database.execute('CREATE TABLE t (a)');
  expect(readdirSync(folder).length).toBeGreaterThan(1);
  for (const name of readdirSync(folder)) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
});

test.each(['postgres://ada:planted#word@:1:x/orch', 'postgres://ada@[::1/orch#planted'])(
  'an invalid database address is reported without its password: %s',
  async (url) => {
    const error: unknown = await openLedger(url, { clock: systemClock }).catch((refused: unknown) => refused);
    expect(error).toMatchObject({
      code: 'ledger-unreadable',
      message: expect.stringContaining('postgres://ada@'),
    });
    expect(inspect(error, { depth: 9 })).not.toContain('planted');
  },
);
