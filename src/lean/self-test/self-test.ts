import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import type { Gate } from '../gate/gate.ts';
import { environmentOfFile } from '../project/environment.ts';
import type { LeanPool } from '../workers/pool.ts';
import { expectedVerdicts } from './claims.ts';

/** One question to Lean, with the expected answer. */
export interface SelfTestRow {
  readonly name: string;
  readonly expected: string;
  readonly seen: string;
  readonly isFine: boolean;
  readonly seconds: number;
}

interface TestedLean {
  readonly pool: LeanPool;
  readonly gate: Gate;
}

interface Question {
  readonly name: string;
  readonly expected: string | ((lean: TestedLean) => string);
  readonly ask: (lean: TestedLean) => Promise<string>;
}

const limits = { deadlineMs: 120_000 };
const hold = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'by omega' };

/** Asks all questions in turn; one that fails does not stop the others. */
export async function selfTest(
  lean: TestedLean,
  clock: Clock,
  onRow: (row: SelfTestRow, done: number, total: number) => void = () => undefined,
): Promise<SelfTestRow[]> {
  const rows: SelfTestRow[] = [];
  for (const { name, ask, ...question } of questions) {
    const expected = typeof question.expected === 'string' ? question.expected : question.expected(lean);
    const start = clock.now();
    const seen = await ask(lean).catch((error: unknown) => `it failed: ${messageOf(error)}`);
    const row = { name, expected, seen, isFine: seen === expected, seconds: (clock.now() - start) / 1000 };
    rows.push(row);
    onRow(row, rows.length, questions.length);
  }
  return rows;
}

/** An unexpected verdict is reported with Lean's message. */
const verdictQuestions: readonly Question[] = expectedVerdicts.map(({ name, claim, verdict, kind }) => ({
  name,
  expected: `${verdict} (${kind})`,
  ask: async ({ gate }) => {
    const found = await gate.check(claim, limits);
    const short = `${found.verdict} (${found.kind})`;
    return found.verdict === verdict && found.kind === kind ? short : `${short}: ${found.message}`;
  },
}));

const questions: readonly Question[] = [
  { name: 'a worker starts', expected: 'hello', ask: hello },
  ...verdictQuestions,
  { name: 'a tactic step closes a goal', expected: 'closed', ask: async (lean) => await step(lean, 'omega') },
  {
    name: 'a failing step reports a reason',
    expected: 'failed (tactic)',
    ask: async (lean) => await step(lean, 'rfl'),
  },
  { name: 'a file is judged theorem by theorem', expected: 'a accepted, b rejected', ask: wholeFile },
  { name: 'the position of a file’s sorry is found', expected: 'line 1, column 43', ask: findSorry },
  {
    name: 'a project of two modules',
    // a Lake project's Lean finds only the modules of its own project, and says so
    expected: ({ pool }) => (pool.toolchain.folder === undefined ? 'accepted' : 'unknown (inseparable)'),
    ask: project,
  },
  { name: 'a deadline stops an endless program', expected: 'unknown (timeout)', ask: endless },
  { name: 'a cancelled check is unknown', expected: 'unknown (cancelled)', ask: cancelled },
  { name: 'two checks at once', expected: 'accepted, accepted', ask: twoAtOnce },
  { name: 'a killed worker is replaced', expected: 'accepted', ask: killed },
  { name: 'a worker reports its memory', expected: 'bytes', ask: memory },
];

async function hello({ pool }: TestedLean): Promise<string> {
  const reply = await pool.use(async (lease) => await lease.request('hello', {}, limits));
  return reply.ok ? 'hello' : reply.message;
}

async function step({ pool }: TestedLean, tactic: string): Promise<string> {
  return await pool.use(async (lease) => {
    const { statement } = hold;
    const start = await lease.request('start', { session: lease.rootSession, statement }, limits);
    if (!start.ok) return start.message;
    const reply = await lease.request('step', { state: start.state, tactic }, limits);
    if (!reply.ok) return `failed (${reply.kind})`;
    return reply.closed ? 'closed' : 'still open';
  });
}

async function wholeFile({ gate }: TestedLean): Promise<string> {
  const text = 'theorem a : 1 + 1 = 2 := rfl\ntheorem b : 1 = 2 := by decide\n';
  const verdicts = await gate.checkFile({ text }, limits);
  return verdicts.map(({ name, verdict }) => `${name ?? '?'} ${verdict}`).join(', ');
}

async function findSorry({ pool }: TestedLean): Promise<string> {
  const text = '/- 𝕜 -/ theorem t (n : Nat) : 0 + n = n := sorry\n';
  const reply = await pool.use(
    async (lease) => await lease.request('read', { session: lease.rootSession, text }, limits),
  );
  if (!reply.ok) return reply.message;
  const [line, column] = reply.pieces[0]?.sorries[0]?.start ?? [0, 0];
  return `line ${line}, column ${column}`;
}

async function project({ gate }: TestedLean): Promise<string> {
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'orch-self-test-'));
  const write = (name: string, text: string): string => {
    writeFileSync(path.join(folder.path, name), text);
    return path.join(folder.path, name);
  };
  write('lakefile.toml', 'name = "selftest"\n[[lean_lib]]\nname = "Base"\n[[lean_lib]]\nname = "Top"\n');
  write('Base.lean', 'def two : Nat := 2\n');
  const text = 'import Base\ntheorem t : two + two = 4 := rfl\n';
  const environment = environmentOfFile(write('Top.lean', text), text);
  const [verdict] = await gate.checkFile({ text, environment }, limits);
  if (!verdict) return 'no verdict';
  if (verdict.verdict === 'accepted') return 'accepted';
  const short = `${verdict.verdict} (${verdict.kind})`;
  return verdict.kind === 'inseparable' ? short : `${short}: ${verdict.message}`;
}

async function endless({ gate }: TestedLean): Promise<string> {
  const text = 'partial def spin (n : Nat) : Nat := if n == 0 then 0 else spin (n + 1)\n#eval spin 1\n';
  const [verdict] = await gate.checkFile({ text }, { deadlineMs: 5000 });
  return verdict ? `${verdict.verdict} (${verdict.kind})` : 'no verdict';
}

async function cancelled({ gate }: TestedLean): Promise<string> {
  const { verdict, kind } = await gate.check(hold, { ...limits, signal: AbortSignal.abort() });
  return `${verdict} (${kind})`;
}

async function twoAtOnce({ gate }: TestedLean): Promise<string> {
  const both = await Promise.all([gate.check(hold, limits), gate.check(hold, limits)]);
  return both.map(({ verdict }) => verdict).join(', ');
}

async function killed({ pool, gate }: TestedLean): Promise<string> {
  await pool.use(async (lease) => {
    await lease.request('hello', {}, limits);
    if (lease.pid !== undefined) process.kill(lease.pid, 'SIGKILL');
  });
  // the pool may still lend the dead worker; its answer is unknown
  const { verdict } = await gate.check(hold, limits);
  return verdict === 'unknown' ? (await gate.check(hold, limits)).verdict : verdict;
}

async function memory({ pool }: TestedLean): Promise<string> {
  const reply = await pool.use(async (lease) => await lease.request('memory', {}, limits));
  return reply.ok ? 'bytes' : reply.message;
}
