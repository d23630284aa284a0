import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lean } from '../../src/app/lean.ts';
import { systemClock } from '../../src/core/clock.ts';
import { checkSnippet } from '../../src/lean/dialects/kimina.ts';
import { environmentOf } from '../../src/lean/project/environment.ts';
import { goalsOfFiles } from '../../src/lean/blueprint/file-goals.ts';
import { bareGoal } from '../../src/lean/goals/goal.ts';
import { fillFile, writeFilled } from '../../src/lean/writing/writer.ts';
import { leanJudges } from '../../src/lean/remote/judges.ts';
import { weigh } from '../../src/remote/assess-answer.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { openGate } from './run.ts';

/** The paths that lead to the gate from further away, each attacked with proofs that other people could hand in. */
let lean: Lean;
let unshare: () => void;
beforeAll(async () => {
  unshare = shareOwnProcesses();
  lean = await openGate();
});
afterAll(async () => {
  await lean[Symbol.asyncDispose]();
  unshare();
});

/** Proofs of `theorem t : 1 = 2`. */
const hostile: readonly (readonly [string, string])[] = [
  ['a sorry', 'by sorry'],
  ['a sorry in the middle of a term', '(fun h => h) sorry'],
  ['a kernel that is told to skip', 'by set_option debug.skipKernelTC true in decide +kernel'],
  ['an axiom after the proof', 'cheat\n\naxiom cheat : 1 = 2'],
  ['a weaker theorem after a comment that never ends', 'by decide /-'],
  ['a second theorem of the same name', 'by decide\n\ntheorem t : True := trivial'],
  ['a section that redefines a numeral', 'rfl\n\nlocal macro_rules | `(2) => `(1)'],
  ['the end of a namespace that nobody opened', 'by decide\nend'],
  ['compiled code', 'by native_decide'],
];

describe('proofs into a file: prove --write, golf, ship and the MCP server write through one writer', () => {
  test.for(hostile)('%s', async ([, proof]) => {
    const text = 'theorem t : 1 = 2 := sorry\n\ntheorem after : 2 = 2 := rfl\n';
    const file = path.join(temporaryFolder(), 'File.lean');
    writeFileSync(file, text);
    const { goals } = await goalsOfFiles([file], lean);
    const proved = goals.map((goal) => ({ goal, proof }));
    const filled = await fillFile(file, proved, lean);
    expect(filled).toMatchObject({ placed: [], after: text });
    expect(filled.refused.length).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('an honest proof beside them is written, and not over somebody’s edit', async () => {
    const text = 'theorem t : 1 + 1 = 2 := sorry\n';
    const file = path.join(temporaryFolder(), 'File.lean');
    writeFileSync(file, text);
    const { goals } = await goalsOfFiles([file], lean);
    const filled = await fillFile(
      file,
      goals.map((goal) => ({ goal, proof: 'rfl' })),
      lean,
    );
    expect(filled.placed).toEqual(['t']);
    writeFileSync(file, `-- an edit\n${text}`);
    expect(await writeFilled(filled, lean)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(`-- an edit\n${text}`);
    writeFileSync(file, text);
    expect(await writeFilled(filled, lean)).toBe(true);
  });
});

describe('answers of remote workers', () => {
  const goal = { ...bareGoal, id: 't', statement: 'theorem t : 1 = 2' };
  const facts = { goalHash: 'forged', fingerprint: 'forged', context: '', features: {} };
  const answer = (proof: string | null, refuted: string | null = null) => ({
    number: 1,
    question: 't',
    job: 'j',
    worker: 'forger',
    verdict: null,
    body: { proof, refuted, premises: [], reason: 'proved', cpuSeconds: 0, attempts: 1, facts },
  });

  test.for(hostile)('%s', async ([, proof]) => {
    const { signal } = new AbortController();
    const weighed = await weigh(leanJudges(lean.pool, lean.gate), goal, answer(proof), signal);
    expect(weighed).toMatchObject({ kind: 'refused', worker: 'forger' });
  });

  test('a true goal is not refuted by a worker’s word', async () => {
    const { signal } = new AbortController();
    const fine = { ...goal, statement: 'theorem t (n : Nat) : n = n' };
    for (const instance of ['n = 1', '1', 'sorry', 'n := 1'])
      expect(
        await weigh(leanJudges(lean.pool, lean.gate), fine, answer(null, instance), signal),
      ).toMatchObject({ kind: 'refused' });
  });
});

describe('snippets of a Kimina client', () => {
  test.for(hostile)('%s', async ([, proof]) => {
    const code = `theorem t : 1 = 2 := ${proof}\n`;
    const parts = {
      gate: lean.gate,
      environment: environmentOf(code),
      clock: systemClock,
      megabytes: () => 0,
    };
    const { signal } = new AbortController();
    const { response, error, verdicts } = await checkSnippet({ id: '1', code }, parts, {
      timeout: 60,
      signal,
    });
    const isInvalid =
      error !== undefined ||
      (response?.sorries?.length ?? 0) > 0 ||
      response?.messages?.some(({ severity }) => severity === 'error') === true;
    expect(isInvalid).toBe(true);
    expect(verdicts.some(({ name, verdict }) => name === 't' && verdict === 'accepted')).toBe(false);
  });
});
