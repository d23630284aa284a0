import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { environmentOf } from '../../../src/lean/project/environment.ts';
import { LeanDojo } from '../../../src/lean/dialects/leandojo.ts';
import { OneLease } from '../../../src/lean/dialects/one-lease.ts';
import { Repl } from '../../../src/lean/dialects/repl.ts';
import { BlankLineFraming, parseRequest } from '../../../src/lean/dialects/repl-wire.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { conversation } from '../../helpers/lean.ts';

const lean = conversation();
let repl: Repl;
beforeEach(() => {
  repl = newRepl();
});

/** All conversations of this file take turns in one worker. */
const lease = new OneLease(async () => await Promise.resolve(lean.pool), 2e9);
afterAll(() => lease.release());

function newRepl(): Repl {
  return new Repl({ borrow: lease.borrow, environmentOf, timeout: 60 });
}

/** As a client sends it. */
async function ask(request: object, to = repl): Promise<Record<string, unknown>> {
  const parsed = parseRequest(JSON.stringify(request));
  return { ...(parsed.ok ? await to.answer(parsed.value) : { message: parsed.error.message }) };
}

const conjunction = (proof: string): string => `theorem t (n : Nat) : f n = n ∧ True := ${proof}\n#check t`;
const identity = 'theorem foo (x : Int) : x = x := by sorry';

describe('commands', () => {
  test('an environment extends an earlier one, which stays available', async () => {
    expect(await ask({ cmd: 'def f := 2' })).toEqual({ env: 0 });
    expect(await ask({ cmd: 'example : f = 2 := rfl', env: 0 })).toEqual({ env: 1 });
    const wrong = await ask({ cmd: 'example : f = 3 := rfl', env: 0 });
    expect(wrong).toMatchObject({ env: 2, messages: [{ severity: 'error', pos: { line: 1 } }] });
    expect(await ask({ cmd: 'def f := 3' })).toEqual({ env: 3 });
    expect(await ask({ cmd: 'def f := 4', env: 0 })).toMatchObject({ messages: [{ severity: 'error' }] });
  });

  test('sorrys have goals, places and proof states', async () => {
    expect(await ask({ cmd: `\n${identity}` })).toEqual({
      env: 0,
      messages: [
        {
          severity: 'warning',
          pos: { line: 2, column: 8 },
          endPos: { line: 2, column: 11 },
          data: expect.stringContaining('sorry') as string,
        },
      ],
      sorries: [
        {
          proofState: 0,
          pos: { line: 2, column: 36 },
          endPos: { line: 2, column: 41 },
          goal: 'x : Int\n⊢ x = x',
        },
      ],
    });
  });

  test('a tactic that closes several goals has a state for each', async () => {
    const { sorries } = await ask({ cmd: 'theorem t : 1 = 1 ∧ 2 = 2 := by\n  constructor <;> sorry' });
    expect(sorries).toMatchObject([{ goal: 'case left\n⊢ 1 = 1' }, { goal: 'case right\n⊢ 2 = 2' }]);
    expect(await ask({ tactic: 'rfl', proofState: 0 })).toMatchObject({ proofStatus: 'Completed' });
  });

  test('the axioms of a theorem do not include theorems of the library', async () => {
    const cmd = [
      'axiom mine : 1 = 2',
      'theorem t : 1 = 2 := mine',
      'theorem u (a b : Nat) : a + b = b + a := by omega',
      'theorem v : 1 = 1 := rfl',
      'open Nat in #print axioms t',
      '#print axioms u',
      '#print axioms v',
      '#print axioms missing',
    ].join('\n');
    const { messages } = await ask({ cmd });
    expect(messages).toMatchObject([
      { severity: 'info', data: "'t' depends on axioms: [mine]" },
      {
        data: expect.stringMatching(
          /^'u' depends on axioms: \[propext, Classical.choice, Quot.sound\]\n.*at most/,
        ),
      },
      { data: "'v' does not depend on any axioms" },
      { severity: 'error', data: 'Unknown constant `missing`' },
    ]);
  });

  test('declarations have types on request, in the order of the text', async () => {
    const cmd = 'def f (n : Nat) := n\n\ntheorem t : f 1 = 1 := rfl\nstructure P where\n  x : Nat';
    const { declTypes } = await ask({ cmd, declTypes: true });
    expect(declTypes).toMatchObject([
      { name: 'f', kind: 'definition', type: 'Nat → Nat', pos: { line: 1, column: 0 }, endPos: { line: 1 } },
      { name: 't', kind: 'theorem', type: 'f 1 = 1', pos: { line: 3 } },
      { name: 'P', kind: 'inductive', type: 'Type' },
      { name: 'P.mk', kind: 'constructor', type: 'Nat → P' },
      { name: 'P.x', type: 'P → Nat' },
    ]);
    expect(await ask({ cmd: 'def g := f 2', env: 0, declTypes: true })).toMatchObject({
      declTypes: [{ name: 'g' }],
    });
  });

  test('missing environments and files are reported, and a file is read', async () => {
    expect(await ask({ cmd: 'def f := 1', env: 5 })).toEqual({ message: 'Unknown environment.' });
    expect(await ask({ tactic: 'rfl', proofState: 7 })).toEqual({ message: 'Unknown proof state.' });
    expect(await ask({ cmd: 'import Mathlib' })).toMatchObject({
      message: expect.stringContaining('Mathlib') as string,
    });
    const file = path.join(temporaryFolder(), 'F.lean');
    writeFileSync(file, 'def f : Nat := 37\ntheorem h : f = 37 := by exact rfl\n');
    expect(await ask({ path: file })).toEqual({ env: 0 });
    expect(await ask({ path: `${file}.missing` })).toHaveProperty('message');
  });
});

describe('steps', () => {
  test('the last step completes the proof', async () => {
    await ask({ cmd: 'theorem c (p q r : Prop) (h : p ∧ q) (g : q → r) : p ∧ r := by sorry' });
    expect(await ask({ tactic: 'apply And.intro', proofState: 0 })).toMatchObject({
      proofState: 1,
      proofStatus: 'Incomplete: open goals remain',
      goals: [expect.stringMatching(/^case left\np q r : Prop\n/) as string, expect.anything()],
    });
    expect(await ask({ tactic: 'exact h.left', proofState: 1 })).toMatchObject({ proofState: 2 });
    expect(await ask({ tactic: 'exact g h.right', proofState: 2 })).toEqual({
      proofState: 3,
      goals: [],
      proofStatus: 'Completed',
    });
    expect(await ask({ tactic: 'exat h', proofState: 1 })).toEqual({
      message: 'Lean error:\n<input>:1:1: unknown tactic',
    });
  });

  test('a step that leaves no goal without a proof does not complete it', async () => {
    await ask({ cmd: identity });
    const status = async (tactic: string): Promise<unknown> => {
      const { proofStatus, message } = await ask({ tactic, proofState: 0 });
      return proofStatus ?? message;
    };
    expect(await status('sorry')).toBe('Incomplete: contains sorry');
    expect(await status('exact foo x')).toMatch(/^Error: kernel type check failed/);
    expect(await status('exact (by rfl)')).toBe('Completed');
  });

  test('lemmas that the kernel has not checked complete no proof', async () => {
    await ask({ cmd: 'theorem wrong : 1 = 2 := by sorry' });
    const tactic = 'set_option debug.skipKernelTC true in decide +kernel';
    const { proofStatus } = await ask({ tactic, proofState: 0 });
    expect(proofStatus).toMatch(/^Not verified/);
  });

  test('a missing term is filled, also if it is data', async () => {
    await ask({ cmd: 'def n : Nat := sorry\ntheorem t : 1 + 1 = 2 ∧ True := ⟨sorry, sorry⟩' });
    expect(await ask({ tactic: 'exact 3', proofState: 0 })).toMatchObject({ proofStatus: 'Completed' });
    expect(await ask({ tactic: 'rfl', proofState: 1 })).toMatchObject({ proofStatus: 'Completed' });
  });

  test('a proof can use earlier declarations of the same text', async () => {
    await ask({ cmd: 'def f := 1\ntheorem t : f = 1 := by sorry' });
    expect(await ask({ tactic: 'rfl', proofState: 0 })).toMatchObject({ proofStatus: 'Completed' });
  });

  test('a state inside a step survives its worker, and can be pickled', async () => {
    await ask({ cmd: 'theorem t (p q : Prop) (h : p ∧ q) : q := by sorry' });
    await ask({ tactic: 'have a : p := by sorry', proofState: 0 });
    const file = path.join(temporaryFolder(), 'state.json');
    expect(await ask({ pickleTo: file, proofState: 1 })).toMatchObject({ proofState: 3 });
    const other = newRepl();
    expect(await ask({ unpickleProofStateFrom: file }, other)).toMatchObject({
      goals: ['p q : Prop\nh : p ∧ q\n⊢ p'],
    });
    // the root still has an unproved goal
    expect(await ask({ tactic: 'exact h.1', proofState: 0 }, other)).toMatchObject({
      proofStatus: 'Incomplete: contains metavariable(s)',
    });
  });

  test('a discarded state is unknown, and states that depend on it still work', async () => {
    await ask({ cmd: 'def f := 1' });
    await ask({ cmd: 'theorem t : f = 1 := by sorry', env: 0 });
    expect(await ask({ discard: { envs: [0, 7], proofStates: [] } })).toEqual({ discarded: 1 });
    expect(await ask({ cmd: '#check f', env: 0 })).toEqual({ message: 'Unknown environment.' });
    expect(await ask({ tactic: 'rfl', proofState: 0 })).toMatchObject({ proofStatus: 'Completed' });
    expect(await ask({ discard: { proofStates: [0, 1] } })).toEqual({ discarded: 2 });
    expect(await ask({ tactic: 'rfl', proofState: 0 })).toEqual({ message: 'Unknown proof state.' });
    expect(repl.size).toBe(2);
    await ask({ discard: { envs: [1] } });
    expect(repl.size).toBe(0);
  });

  test('a script is replayed into its sorry, as a tactic and as a term', async () => {
    await ask({ cmd: 'def f (n : Nat) := n + 0' });
    await ask({ cmd: conjunction('by\n  constructor\n  · sorry\n  · trivial'), env: 0 });
    await ask({ cmd: conjunction('⟨sorry, trivial⟩'), env: 0 });
    for (const [proofState, after] of [
      [0, 2],
      [1, 4],
    ] as const) {
      await ask({ tactic: 'unfold f', proofState });
      await ask({ tactic: 'rfl', proofState: after });
      const answer = await ask({ replay: after + 1 });
      expect(answer).toMatchObject({
        messages: [{ severity: 'info' }],
        cmd: expect.not.stringContaining('sorry') as string,
      });
      expect(
        await ask({ cmd: 'example : f 3 = 3 := (t 3).1', env: answer['env'] as number }),
      ).not.toHaveProperty('messages');
    }
    expect(await ask({ replay: 0 })).toEqual({ message: 'no tactic has been run yet' });
    expect(await ask({ replay: 99 })).toEqual({ message: 'Unknown proof state.' });
  });

  test('nothing is lost when the worker dies, and a request that takes too long ends', async () => {
    await ask({ cmd: 'def f (n : Nat) := n + 0' });
    await ask({ cmd: 'theorem t (n : Nat) : f n = n := by sorry', env: 0 });
    await ask({ tactic: 'unfold f', proofState: 0 });
    const endless = 'theorem slow : (List.range 100000000).length = 3 := by decide';
    const late = await ask({
      cmd: `set_option maxRecDepth 1000000 in\nset_option maxHeartbeats 0 in\n${endless}`,
      timeout: 1,
    });
    expect(late).toHaveProperty(late['env'] === undefined ? 'message' : 'messages');
    for (const { pid } of lean.pool.status()) if (pid !== undefined) process.kill(pid, 'SIGKILL');
    // the death may be noticed only by a request that falls into it
    const first = await ask({ tactic: 'rfl', proofState: 1 });
    const done = first['message'] !== undefined ? await ask({ tactic: 'rfl', proofState: 1 }) : first;
    expect(done).toMatchObject({ proofStatus: 'Completed' });
  });
});

describe('pickles', () => {
  test('contain texts and tactics from which another conversation can continue', async () => {
    const folder = temporaryFolder();
    const [env, state] = [path.join(folder, 'a.olean'), path.join(folder, 'b.olean')];
    await ask({ cmd: 'def f : Nat := 42' });
    expect(await ask({ pickleTo: env, env: 0 })).toEqual({ env: 0 });
    await ask({ cmd: 'def g : Nat := by sorry', env: 0 });
    await ask({ tactic: 'have t : Nat := f', proofState: 0 });
    expect(await ask({ pickleTo: state, proofState: 1 })).toMatchObject({
      proofState: 2,
      goals: ['t : Nat\n⊢ Nat'],
    });

    const other = newRepl();
    expect(await ask({ unpickleEnvFrom: env }, other)).toEqual({ env: 0 });
    expect(await ask({ cmd: 'example : f = 42 := rfl', env: 0 }, other)).toEqual({ env: 1 });
    expect(await ask({ unpickleProofStateFrom: state }, other)).toMatchObject({ proofState: 0 });
    expect(await ask({ tactic: 'exact t', proofState: 0 }, other)).toMatchObject({
      proofStatus: 'Completed',
    });
    expect(await ask({ unpickleEnvFrom: state }, other)).toHaveProperty('message');
    expect(await ask({ unpickleEnvFrom: path.join(folder, 'none') }, other)).toHaveProperty('message');
  });
});

describe('the protocol', () => {
  test('requests end at a blank line, and may contain line breaks', () => {
    const framing = new BlankLineFraming(50);
    const lines = ['{"cmd": "a\\n', 'b"}', '', '', '# a comment', '', '-- one more', '', '{"cmd": "c"}'];
    expect(
      [...lines.map((line) => framing.push(line)), framing.end()].filter((text) => text !== undefined),
    ).toEqual(['{"cmd": "a\\nb"}', '{"cmd": "c"}']);
    expect([framing.push('x'.repeat(60)), framing.push('')]).toEqual([undefined, null]);
    expect([framing.push(undefined), framing.push('')]).toEqual([undefined, null]);
  });

  test('an invalid request is answered with a message', () => {
    for (const text of ['{', 'null', '[]', '{"cmd": 3}', '{"env": 1}', '{"tactic": "rfl", "proofState": -1}'])
      expect(parseRequest(text)).toEqual({
        ok: false,
        error: { kind: expect.any(String) as string, message: expect.any(String) as string },
      });
  });
});

const read = (line: string): unknown => JSON.parse(line.replace(/^REPL> /, ''));

test("LeanDojo's dialect", async () => {
  const dojo = new LeanDojo(repl);
  expect(
    read(await dojo.begin({ text: 'theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  sorry' })),
  ).toMatchObject({
    tsid: 0,
    tactic_state: 'p q : Prop\nh : p ∧ q\n⊢ q ∧ p',
    error: null,
  });
  expect(read(await dojo.answer('{"tsid": 0, "tac": "exact ⟨h.2, h.1⟩"}'))).toMatchObject({
    tactic_state: 'no goals',
  });
  expect(read(await dojo.answer('{"sid": 0, "cmd": "sorry"}'))).toMatchObject({
    error: 'proof contains `sorry`',
  });
  expect(read(await dojo.answer('{"tsid": 0, "tac": "rfl"}'))).toMatchObject({ tsid: null });
  expect(read(await dojo.answer('nonsense'))).toMatchObject({
    error: expect.stringContaining('JSON') as string,
  });
  expect(read(await new LeanDojo(newRepl()).begin({ text: 'theorem t : 1 = 1 := rfl' }))).toMatchObject({
    tsid: null,
  });
});
