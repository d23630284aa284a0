// The parts below `open()`: a Lean, its workers, the gate that judges, and the protocol of a worker.
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  environmentFingerprint,
  Gate,
  goalHash,
  LeanDomain,
  LeanPool,
  Market,
  microStrategy,
  openLedger,
  PoolBroken,
  readGoals,
  resolveToolchain,
  systemClock,
  Workbench,
  type Candidate,
  type Claim,
  type Constant,
  type Failure,
  type FailureKind,
  type Fault,
  type FileClaim,
  type Goal,
  type GoalsRead,
  type LeanGoal,
  type Lease,
  type Message,
  type Operation,
  type OperationResult,
  type PoolOptions,
  type ProofState,
  type Question,
  type Reply,
  type Requests,
  type Result,
  type Sorry,
  type Toolchain,
  type ToolchainKind,
  type ToolchainLimits,
  type ToolchainOptions,
} from 'orch';

const home = process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache');
const cacheFolder = path.join(process.env['ORCH_CACHE_DIR'] ?? path.join(home, 'orch'), 'lean');
const chosen: ToolchainOptions = {
  lean: 'embedded',
  folder: '.',
  cacheFolder,
  environment: {},
  image: 'init',
};
const toolchain: Toolchain = await resolveToolchain(chosen);
const kind: ToolchainKind = toolchain.kind;
const bounds: ToolchainLimits = toolchain.limits;
console.log(kind, typeof bounds, environmentFingerprint(toolchain, '').length > 0);

const one: PoolOptions = { slots: 1 };
const workers = new LeanPool(toolchain, systemClock, one);
const judges = new LeanPool(toolchain, systemClock, one);
const gate = new Gate(workers, judges);
const question: Question = { statement: 'theorem t : 2 * 3 = 6' };
const claim: Claim = { ...question, proof: 'by decide' };
const whole: FileClaim = { text: 'theorem a : 1 = 1 := rfl\ntheorem b : 1 = 2 := sorry' };
console.log((await gate.check(claim)).verdict);
console.log((await gate.checkFile(whole)).map(({ name, verdict }) => `${name} ${verdict}`).join(', '));

/** A request of the worker protocol, docs/PROTOCOL.md. */
async function ask<Op extends Operation>(lease: Lease, op: Op, body: Requests[Op]): Promise<Reply<Op>> {
  return await lease.request(op, body);
}
await workers.use(async (lease) => {
  const loaded = await ask(lease, 'load', {
    session: lease.fileSession,
    text: 'theorem t : 1 = 2 := sorry',
    sorries: true,
  });
  const failure: Failure | undefined = loaded.ok ? undefined : loaded;
  const why: FailureKind | undefined = failure?.kind;
  const read: OperationResult<'load'> | undefined = loaded.ok ? loaded : undefined;
  const messages: readonly Message[] = read?.messages ?? [];
  const [sorry]: readonly Sorry[] = read?.sorries ?? [];
  const goals: readonly Goal[] = sorry?.goals ?? [];
  console.log(why, messages.length, goals[0]?.target);
  const begun = await ask(lease, 'start', { session: lease.fileSession, statement: 'theorem u : 3 = 3' });
  const state: ProofState | undefined = begun.ok ? begun : undefined;
  console.log(state?.closed);
  const page = await ask(lease, 'constants', { session: 0, limit: 1 });
  const constants: readonly Constant[] = page.ok ? page.constants : [];
  console.log(constants.length);
});

const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'orch-example-')), 'A.lean');
writeFileSync(file, 'theorem c (n : Nat) : n = n := sorry\n');
const found: GoalsRead = await readGoals(
  file,
  async (environment, talk) => await workers.use(talk, { environment }),
);
const [goal]: readonly LeanGoal[] = found.goals;
if (goal) {
  const answer: Result<Candidate> = await workers.use(async (lease): Promise<Result<Candidate>> => {
    const bench = await Workbench.open(lease, goal, { toolchain });
    if (bench.ok) return { ok: true, value: { proof: 'by rfl', premises: [] } };
    const fault: Fault = bench.error;
    return { ok: false, error: fault };
  });
  console.log(answer.ok, goalHash('n = n').length);
}

// the same parts as the engine uses them: goals of a domain, arms of a strategy, lemmas of a market
const ledger = await openLedger(':memory:', { clock: systemClock });
const domain = new LeanDomain(workers, gate);
const budget = { cpu_seconds: 10, heartbeats: 100_000 };
const micro = microStrategy({ budget, memory: ledger.experience, premises: undefined });
if (goal) {
  const opened = await domain.open(goal, async () => {}, new AbortController().signal);
  if (opened.kind === 'open') {
    console.log(micro.arms(opened.work).length > 0);
    await domain.close(opened.work);
  }
}
const market = new Market(ledger.tickets, ledger.journal, systemClock);
const lemma = {
  goal: 'theorem d (n : Nat) : n ≤ n + 1',
  context: [''],
  suggested_name: 'd',
  constraints: [],
};
console.log((await market.request({ ...lemma, priority: 0.5, requester: 'g', dependencies: [] })).kind);
await ledger.close();
await Promise.all([workers.close(), judges.close()]);
await workers.use(async () => {}).catch((error: unknown) => console.log(error instanceof PoolBroken));

// prints:
// embedded object true
// accepted
// a accepted, b rejected
// undefined 1 1 = 2
// false
// 1
// true 64
// true
// opened
// true
