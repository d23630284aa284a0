import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { copilotStrategy } from '../../../src/lean/strategies/copilot/copilot.ts';
import { Workbench } from '../../../src/lean/workbench/workbench.ts';
import { open, type Orch } from '../../../src/app/orch.ts';
import { askForTactics } from '../../../src/models/tactic-server.ts';
import { startServe } from '../../../src/server/serve/serve.ts';
import { sharedFolder } from '../../helpers/folders.ts';
import { shareOwnProcesses } from '../../helpers/shared-workers.ts';

const folder = sharedFolder();
let orch: Orch;
let unshare: () => void;
beforeAll(async () => {
  unshare = shareOwnProcesses();
  orch = await open({ settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') } });
});
afterAll(async () => {
  await orch.close();
  unshare();
});

async function served(): Promise<string> {
  const server = await startServe({
    orch,
    clock: systemClock,
    port: 0,
    workers: 1,
    maxWaitSeconds: 60,
    copilot: true,
  });
  onTestFinished(async () => await server.close());
  return server.url;
}

const { signal } = new AbortController();

test('the server works as an external model, and orch’s own search uses its proposals', async () => {
  const url = await served();
  const tactics = await askForTactics({ url, name: 'orch' }, 'p q : Prop\nh : p ∧ q\n⊢ q ∧ p', signal);
  expect(tactics).toEqual({
    ok: true,
    value: expect.arrayContaining([
      { output: 'constructor', score: expect.any(Number) as number },
    ]) as unknown,
  });
  const encoded = await fetch(`${url}/encode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'orch', input: 'List.reverse' }),
  });
  expect(((await encoded.json()) as { outputs: number[] }).outputs).toHaveLength(512);
  expect(await askForTactics({ url: 'http://127.0.0.1:1', name: '' }, '⊢ True', signal)).toMatchObject({
    ok: false,
    error: { kind: 'tactic-server' },
  });

  const settings = { copilot_url: url, copilot_model: 'orch' };
  const strategy = copilotStrategy({ budget: { cpu_seconds: 60, heartbeats: 20_000 }, settings });
  const goal = {
    id: 'g',
    preamble: '',
    statement: 'theorem t (p q r : Prop) (h : p ∧ q ∧ r) : r ∧ q ∧ p',
    holes: { kind: 'statement' },
    topic: null,
    label: null,
    allowAxioms: [],
    source: null,
  } as const;
  // two workers: the server looks premises up in another one than the goal is open in
  await using other = await open({
    settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'other.db') },
  });
  const { pool } = await other.leanFor(other.environmentOf(''));
  const outcome = await pool.use(async (lease) => {
    const opened = await Workbench.open(lease, goal, { toolchain: pool.toolchain });
    if (!opened.ok) throw new Error(opened.error.message);
    const arm = strategy.arms(opened.value).find(({ name }) => name === 'copilot/external');
    if (!arm) throw new Error('there is an arm for the server');
    const run = {
      signal,
      limits: strategy.budget,
      permit: async () => {},
      place: 0,
      seed: 1,
      deadline: Infinity,
    };
    const answer = await strategy.attempt(opened.value, arm, run);
    await opened.value.end();
    return answer;
  });
  if (outcome.kind !== 'solved') throw new Error(`${outcome.kind}: ${outcome.message}`);
  const { statement } = goal;
  expect(await orch.check({ statement, proof: outcome.candidate.proof })).toMatchObject({
    verdict: 'accepted',
  });
});
