import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../helpers/folders.ts';

const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/** Seven lines that print a text of 2^26 letters. */
const bomb = `def double : Nat → String → String
  | 0, text => text
  | n + 1, text => double n (text ++ text)

theorem t : 1 = 1 := rfl

#eval IO.println (double 26 "a")`;

/** `orch serve` in its own process, which a bomb may end. */
async function served(...options: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0', ...options], {
    cwd: temporaryFolder(),
    env: { ...process.env, ORCH_LEAN: 'embedded', ORCH_NUM_PROCS: '1', ORCH_CPU_TARGET: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = [createInterface({ input: child.stdout }), createInterface({ input: child.stderr })];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`orch serve ended with ${String(code)}`)));
    for (const each of lines)
      each.on('line', (line) => {
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
        if (address !== undefined) resolve(address);
      });
  });
  return {
    url,
    post: async (body) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/check`, { method: 'POST', body: text, headers });
      return { status: answer.status, text: await answer.text() };
    },
    [Symbol.asyncDispose]: async () => {
      const closed = once(child, 'close');
      if (child.exitCode === null && child.kill('SIGTERM')) await closed;
    },
  };
}

interface Serving extends AsyncDisposable {
  readonly url: string;
  post(body: unknown): Promise<{ status: number; text: string }>;
}

const fine = { snippets: [{ id: 'fine', code: 'theorem t : 1 = 1 := rfl' }], debug: true };

test('a snippet whose answer is too large gets an error, and the server keeps running', async () => {
  await using server = await served();
  const { status, text } = await server.post({ snippets: [{ id: 'bomb', code: bomb }], timeout: 300 });
  expect([status, text.length < 10_000]).toEqual([200, true]);
  expect(text).toMatch(/larger than/);
  expect((await server.post(fine)).text).toContain('"verdict":"accepted"');
});

test('forty requests of 58 MB at once are answered or asked to retry', async () => {
  await using server = await served();
  const padding = `/-${'x'.repeat(3_600_000)}-/`;
  const snippets = Array.from({ length: 16 }, (_, id) => ({ id: String(id), code: padding }));
  const body = JSON.stringify({ snippets, timeout: 1 });
  expect(body.length).toBeGreaterThan(57e6);
  const answers = await Promise.all(Array.from({ length: 40 }, async () => await server.post(body)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  expect((await server.post(fine)).text).toContain('"verdict":"accepted"');
});

test('an unread answer counts until its client is disconnected', async () => {
  await using server = await served('--max-wait', '600');
  const code = bomb.replace('26', '24'); // more than sockets hold
  // blanks, so that five requests take all the memory
  const body = `${JSON.stringify({ snippets: [{ id: 'long', code }], timeout: 300 })}${' '.repeat(62_000_000)}`;
  const clients = Array.from({ length: 5 }, async () => {
    const client = request(`${server.url}/api/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    client.end(body);
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    return answer.on('error', () => undefined);
  });
  const answers = await Promise.all(clients);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect((await server.post(fine)).text).toContain('"verdict":"accepted"');
  // there was room for it because one of them had been disconnected
  const areWhole = answers.map(async (answer) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer.once('close', resolve).resume();
    await promise;
    return answer.complete;
  });
  expect(await Promise.all(areWhole)).toContain(false);
});
