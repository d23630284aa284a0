import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { Lean } from '../../src/app/lean.ts';
import { attemptAlone } from '../../src/core/scheduler/single-attempt.ts';
import { systemClock } from '../../src/core/clock.ts';
import { ScriptMemory } from '../../src/lean/cache/script-memory.ts';
import { checkSnippet } from '../../src/lean/dialects/kimina.ts';
import { OneLease } from '../../src/lean/dialects/one-lease.ts';
import { Repl } from '../../src/lean/dialects/repl.ts';
import { LeanDomain } from '../../src/lean/domain.ts';
import { environmentOf } from '../../src/lean/project/environment.ts';
import { goalsOfFiles } from '../../src/lean/blueprint/file-goals.ts';
import { bareGoal, type LeanGoal } from '../../src/lean/goals/goal.ts';
import { golf } from '../../src/lean/improve/golf/golf.ts';
import { fillFile, writeFilled } from '../../src/lean/writing/writer.ts';
import { leanJudges } from '../../src/lean/remote/judges.ts';
import { judgeChange } from '../../src/lean/ship/change.ts';
import { cacheStrategy } from '../../src/lean/strategies/cache/cache.ts';
import type { Orch } from '../../src/app/orch.ts';
import { receive } from '../../src/remote/received.ts';
import { countsAsSolved } from '../../src/shared/assurance.ts';
import { deskFor, mcpServer } from '../../src/server/mcp/mcp.ts';
import { exportBundle, importBundle } from '../../src/store/scripts/bundle.ts';
import { ScriptStore } from '../../src/store/scripts/scripts.ts';
import { goalClosed } from '../helpers/event-bodies.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import type { ClaimAttack } from './attack.ts';
import { attackByMarket, attackByRecall } from './elsewhere.ts';
import { call } from '../server/mcp/served.ts';

/** A submitted proof. */
export interface HandedIn {
  readonly look: string;
  readonly preamble?: string;
  /** A theorem named `t`. */
  readonly statement: string;
  readonly proof: string;
  /** Paths on which it is not an attack. */
  readonly except?: readonly string[];
}

/** The environment of the paths. */
interface Surroundings {
  readonly lean: Lean;
  readonly orch: Orch;
}

/** A way to the gate: was the proof accepted there? */
export type PathTo = (around: Surroundings, handed: HandedIn) => Promise<boolean>;

const deadlineMs = 120_000;
const signal = new AbortController().signal;
const goalOf = ({ preamble = '', statement }: HandedIn): LeanGoal => ({
  ...bareGoal,
  id: 't',
  preamble,
  statement,
});
const textOf = ({ preamble, statement }: HandedIn, proof: string): string =>
  [...(preamble === undefined ? [] : [preamble]), `${statement} := ${proof}\n`].join('\n');
const asClaim = ({ look, preamble = '', statement, proof }: HandedIn): ClaimAttack => ({
  sort: 'text',
  disguise: look,
  kind: 'kernel',
  preamble,
  statement,
  proof,
});

const written: PathTo = async ({ lean }, handed) => {
  const file = path.join(temporaryFolder(), 'File.lean');
  const before = textOf(handed, 'sorry');
  writeFileSync(file, before);
  const { goals } = await goalsOfFiles([file], lean);
  const proved = goals.filter(({ id }) => id === 't').map((goal) => ({ goal, proof: handed.proof }));
  const filled = await fillFile(file, proved, lean);
  const isPlaced = filled.placed.includes('t');
  const isWritten = filled.placed.length > 0 && (await writeFilled(filled, lean));
  if (!isPlaced && readFileSync(file, 'utf8') !== before) throw new Error('a refused proof was written');
  return isPlaced && isWritten;
};

const golfed: PathTo = async ({ lean }, handed) => {
  const game = await golf(lean, goalOf(handed), handed.proof, { cpuSeconds: 10 });
  return game.ok && game.value.verdict?.verdict === 'accepted';
};

const shipped: PathTo = async ({ lean }, handed) => {
  const folder = temporaryFolder();
  const tree = (name: string, text: string): string => {
    mkdirSync(path.join(folder, name));
    writeFileSync(path.join(folder, name, 'File.lean'), text);
    return path.join(folder, name);
  };
  const trees = {
    before: tree('before', textOf(handed, 'sorry')),
    tree: tree('tree', textOf(handed, handed.proof)),
  };
  const { verdicts, isInTheorems } = await judgeChange(lean.gate, trees, 'File.lean', { deadlineMs });
  return isInTheorems && verdicts.length > 0 && verdicts.every(({ verdict }) => verdict === 'accepted');
};

/** A bundle of someone else, with the proof as a script for this very goal. */
const imported: PathTo = async ({ lean }, handed) => {
  const version = { lean: 'lean', mathlib: '' };
  const domain = new LeanDomain(lean.pool, lean.gate);
  const attempt = async (store: ScriptStore) =>
    await attemptAlone(
      { domain, clock: systemClock, signal },
      goalOf(handed),
      [cacheStrategy(new ScriptMemory(store, version))],
      'cache/same',
      { limits: { cpu_seconds: 30, heartbeats: 20_000 }, seed: 1 },
    );
  const folder = temporaryFolder();
  using theirs = new ScriptStore(path.join(folder, 'theirs.db'), systemClock);
  const memory = new ScriptMemory(theirs, version);
  await attemptAlone(
    { domain, clock: systemClock, signal },
    goalOf(handed),
    [cacheStrategy(memory)],
    'cache/same',
    {
      limits: { cpu_seconds: 30, heartbeats: 20_000 },
      seed: 1,
    },
  );
  const closed = { ...goalClosed, goal: 't', solved: true, proof: handed.proof, arm: 'micro/close' };
  memory.listen({ type: 'goal-closed', run: 'run', at: 0, ...closed });
  using ours = new ScriptStore(path.join(folder, 'ours.db'), systemClock);
  ours.add(importBundle(exportBundle({ scripts: theirs.all() }).bytes).scripts);
  const answer = await attempt(ours);
  return answer.kind === 'attempted' && answer.attempt.outcome === 'solved';
};

const served: PathTo = async ({ lean }, handed) => {
  const code = textOf(handed, handed.proof);
  const { gate, pool } = lean;
  const parts = { gate, pool, environment: environmentOf(code), clock: systemClock };
  const { response, error, diagnostics } = await checkSnippet({ id: '1', code }, parts, {
    timeout: 120,
    signal,
  });
  const isValid =
    error === undefined &&
    (response?.sorries ?? []).length === 0 &&
    response?.messages?.some(({ severity }) => severity === 'error') !== true;
  const isAccepted =
    diagnostics?.verdicts.some(({ name, verdict }) => name === 't' && verdict === 'accepted') === true;
  if (isValid && !isAccepted) throw new Error('a client that reads messages alone takes it for proved');
  return isValid && isAccepted;
};

async function callTool(
  { orch }: Surroundings,
  folder: string,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = mcpServer([deskFor(orch, folder, systemClock)], 600);
  await server.connect(theirs);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(ours);
  try {
    return await call(client, name, args);
  } finally {
    await client.close();
    await server.close();
  }
}

const verified: PathTo = async (around, { preamble = '', statement, proof }) =>
  (await callTool(around, temporaryFolder(), 'lean_verify', { preamble, statement, proof }))['verdict'] ===
  'accepted';

const submitted: PathTo = async (around, handed) => {
  const folder = temporaryFolder();
  const before = textOf(handed, 'sorry');
  writeFileSync(path.join(folder, 'File.lean'), before);
  const line = before.trimEnd().split('\n').length;
  const answer = await callTool(around, folder, 'lean_submit', {
    file_path: 'File.lean',
    line,
    proof: handed.proof,
  });
  const isWritten = answer['written'] === true;
  if (!isWritten && readFileSync(path.join(folder, 'File.lean'), 'utf8') !== before)
    throw new Error('a refused proof was written');
  return isWritten;
};

const answered: PathTo = async ({ lean }, handed) => {
  const facts = { goalHash: 'forged', fingerprint: 'forged', context: '', features: {} };
  const body = {
    proof: handed.proof,
    refuted: null,
    premises: [],
    reason: 'proved',
    cpuSeconds: 0,
    attempts: 1,
    facts,
  };
  const answer = { number: 1, question: 't', job: 'j', worker: 'forger', verdict: null, body };
  const { claim } = receive(answer);
  if (claim.kind !== 'proof') throw new Error('the answer is not read as a proof');
  const judges = leanJudges(lean.pool, lean.gate);
  return countsAsSolved(await judges.proof(goalOf(handed), claim.candidate.proof, signal));
};

const repl: PathTo = async ({ lean }, handed) => {
  const lease = new OneLease(async () => await Promise.resolve(lean.pool), 2e9);
  try {
    const conversation = new Repl({ borrow: lease.borrow, environmentOf, timeout: 60 });
    const cmd = textOf(handed, 'by sorry');
    const asked = await conversation.answer({ kind: 'command', cmd });
    const proofState = 'sorries' in asked ? asked.sorries?.at(-1)?.proofState : undefined;
    if (proofState === undefined) return false;
    const tactic = handed.proof.startsWith('by')
      ? handed.proof.slice(2).replaceAll('\n  ', '\n').trim()
      : `exact ${handed.proof}`;
    const done = await conversation.answer({ kind: 'step', proofState, tactic });
    return 'proofStatus' in done && done.proofStatus === 'Completed';
  } finally {
    lease.release();
  }
};

export const paths: Readonly<Record<string, PathTo>> = {
  'prove --write': written,
  golf: golfed,
  ship: shipped,
  'market complete': async ({ lean }, handed) =>
    (await attackByMarket(lean, asClaim(handed), { deadlineMs })).verdict === 'accepted',
  'ledger recall': async ({ lean }, handed) =>
    (await attackByRecall(lean, asClaim(handed))).verdict === 'accepted',
  'cache import': imported,
  'serve (Kimina)': served,
  'mcp lean_verify': verified,
  'mcp lean_submit': submitted,
  'remote answer': answered,
  repl,
};
