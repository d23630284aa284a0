import { describe, expect, test } from 'vitest';
import { started, token } from './started.ts';
import { ended, hostileName, underWay } from './told.ts';

const pause = { action: 'pause' };

describe('a request that changes state', () => {
  test('needs the token, JSON and a limited size', async () => {
    const { post, ledger } = await started(underWay().events);
    const before = await ledger.journal.lastSeq();
    for (const [status, body, headers] of [
      [401, pause, { authorization: '' }],
      [401, pause, { authorization: 'Bearer the-tokem' }],
      [401, pause, { authorization: `Basic ${token}` }],
      [415, pause, { 'content-type': 'text/plain' }],
      [415, pause, { 'content-type': 'application/x-www-form-urlencoded' }],
      [413, { ...pause, goal: 'x'.repeat(20_000) }, {}],
      [400, 'not json', {}],
      [400, { action: 'explode' }, {}],
      [400, { action: 'retry' }, {}],
      [400, { ...pause, surprise: 1 }, {}],
      [400, { action: 'priority', goal: 'racing', priority: 2 }, {}],
      [404, { action: 'cancel', goal: 'nothing' }, {}],
      [404, { ...pause, run: 'nothing' }, {}],
    ] as const)
      expect([body, headers, (await post(body, headers)).status]).toEqual([body, headers, status]);
    expect(await ledger.journal.lastSeq()).toBe(before);
  });

  test('is stored in the ledger, where the run finds it', async () => {
    const { post, ledger } = await started(underWay().events);
    expect((await post({ action: 'priority', goal: hostileName, priority: 0.75 })).json()).toMatchObject({
      run: 'run-2',
      action: 'priority',
    });
    expect((await post({ action: 'resume', run: 'run-2' })).status).toBe(202);
    expect(await ledger.views.controlRequests('run-2', 28)).toMatchObject([
      { action: 'priority', goal: hostileName, value: 0.75 },
      { action: 'resume', goal: null, value: null },
    ]);
  });

  test('is refused for a run that has ended or stopped responding', async () => {
    const finished = await started(ended().events);
    expect((await finished.post(pause)).status).toBe(409);
    const silent = await started(underWay().events);
    silent.clock.at += 60_000;
    expect((await silent.post(pause)).status).toBe(409);
  });

  test('must be a POST to a known address', async () => {
    const { get } = await started(underWay().events);
    expect((await get('/api/control')).status).toBe(404);
  });
});

describe('every request', () => {
  test('must have a local Host header, with any port', async () => {
    const { get, post, port } = await started(underWay().events);
    for (const host of [
      'evil.example',
      'evil.example:80',
      '127.0.0.1.evil.example',
      '0.0.0.0',
      '192.168.0.1',
    ])
      for (const address of ['/', '/api/stats', '/api/events', '/metrics', '/main.js'])
        expect([host, address, (await get(address, { host })).status]).toEqual([host, address, 403]);
    for (const host of [`127.0.0.1:${port}`, 'localhost', 'LOCALHOST:9000', '[::1]:8000'])
      expect([host, (await get('/api/stats', { host })).status]).toEqual([host, 200]);
    expect((await post(pause, { host: 'evil.example' })).status).toBe(403);
  });

  test('must come from the dashboard or from no page', async () => {
    const { get, post, port } = await started(underWay().events);
    const own = `http://127.0.0.1:${port}`;
    for (const origin of [
      'https://evil.example',
      'null',
      `https://127.0.0.1:${port}`,
      'http://127.0.0.1:1',
    ]) {
      expect([origin, (await post(pause, { origin })).status]).toEqual([origin, 403]);
      expect([origin, (await get('/api/stats', { origin })).status]).toEqual([origin, 403]);
    }
    expect((await post(pause, { origin: own })).status).toBe(202);
    expect((await get('/api/stats', { origin: own })).headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is answered with a policy that allows nothing from outside', async () => {
    const { get } = await started(underWay().events);
    for (const address of ['/', '/goals/some%20goal', '/api/stats', '/metrics', '/api/nothing', '/main.js']) {
      const { headers } = await get(address);
      expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });
});
