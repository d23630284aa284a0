import { describe, expect, test } from 'vitest';
import { goalHash } from '../../src/lean/toolchain/fingerprint.ts';
import { protocolVersion, type Goal } from '../../src/lean/base/protocol.ts';
import { conversation } from '../helpers/lean.ts';

const lean = conversation();

const check = (
  statement: string,
  proof: string,
  session = lean.root,
): Parameters<typeof lean.must<'check'>>[1] => ({
  session,
  statement,
  proof,
});
async function load(text: string, session = lean.root): Promise<number> {
  return (await lean.must('load', { session, text })).session;
}
async function start(statement: string): Promise<{ state: number; goals: Goal[] }> {
  return await lean.must('start', { session: lean.root, statement, canonical: true });
}

describe('hello', () => {
  test('reports protocol, version and imports', async () => {
    const hello = await lean.must('hello', {});
    expect(hello.protocol).toBe(protocolVersion);
    expect(hello.lean).toMatch(new RegExp(`^${lean.pool.toolchain.version.replaceAll('.', '\\.')}`));
    expect(hello.imports).toEqual([...lean.pool.toolchain.imports]);
    expect(hello.modules).toBeGreaterThan(100);
  });
});

describe('load', () => {
  test('a session extends another without changing it', async () => {
    const base = await load('def base := 1');
    const child = await load('theorem base_eq : base = 1 := rfl', base);
    const other = await load('def other := base + 1', base);
    await lean.must('check', check('theorem t : base = 1', 'base_eq', child));
    await lean.must('check', check('theorem t : other = 2', 'rfl', other));
    expect(await lean.mustFail('check', check('theorem t : base = 1', 'base_eq', base))).toMatchObject({
      kind: 'elaboration',
    });
  });

  test('namespaces, variables and notation left open by a text stay open', async () => {
    const session = await load('namespace Deep\nvariable (n : Nat)\nlocal notation "two" => 2');
    const checked = await lean.must(
      'check',
      check('theorem t : n + two = two + n', 'Nat.add_comm n two', session),
    );
    expect(checked.name).toBe('Deep.t');
  });

  test('a missing import is named', async () => {
    const failure = await lean.mustFail('load', {
      session: lean.root,
      text: 'import Init.Data.List.Basic\nimport Mathlib.Tactic.Ring\n\ntheorem t : True := trivial',
    });
    expect(failure).toMatchObject({ kind: 'missing-import', missing: ['Mathlib.Tactic.Ring'] });
  });

  test('available imports are accepted', async () => {
    const session = await load('import Init.Data.List.Basic\n\ndef imported := [1]');
    await lean.must('check', check('theorem t : imported = [1]', 'rfl', session));
  });

  test('messages have severity, line and column of the user’s text', async () => {
    const { messages, errors } = await lean.must('load', {
      session: lean.root,
      text: '-- ünïcode → 𝔸\n\ndef x := 1\n#check x\n\ntheorem wrong : x = 2 := by\n  /- 𝔸 -/ decide\ntheorem open_ : x = 1 := by sorry\n',
      keep_going: true,
    });
    expect(errors).toBeGreaterThan(0);
    expect(messages).toContainEqual({ severity: 'info', start: [4, 0], end: [4, 6], text: 'x : Nat' });
    expect(messages.find(({ severity }) => severity === 'error')?.start[0]).toBe(7);
    expect(messages.find(({ severity }) => severity === 'warning')).toMatchObject({
      start: [8, 8],
      end: [8, 13],
    });
  });

  test('columns count characters, not bytes', async () => {
    const { messages } = await lean.must('load', {
      session: lean.root,
      text: 'theorem t : "𝔸→" = "b" := by decide',
      keep_going: true,
    });
    expect(messages[0]).toMatchObject({ severity: 'error', start: [1, 29] });
  });

  test('a text with errors is not loaded unless requested', async () => {
    const text = 'theorem bad : 1 = 2 := rfl\ntheorem fine : 1 = 1 := rfl';
    expect(await lean.mustFail('load', { session: lean.root, text })).toMatchObject({ kind: 'elaboration' });
    const { session, errors } = await lean.must('load', { session: lean.root, text, keep_going: true });
    expect(errors).toBeGreaterThan(0);
    await lean.must('check', check('theorem t : 1 = 1', 'fine', session));
  });

  test('a text that times out is not loaded, wherever it was stopped', async () => {
    const text = Array.from(
      { length: 4000 },
      (_, index) => `theorem t${index} : ${index} = ${index} := rfl`,
    ).join('\n');
    for (const deadlineMs of [40, 80, 120, 160, 200])
      expect(
        await lean.mustFail('load', { session: lean.root, text, keep_going: true }, { deadlineMs }),
      ).toMatchObject({
        kind: 'timeout',
      });
  });

  test('an unloaded session is unknown', async () => {
    const session = await load('def gone := 1');
    await lean.must('unload', { sessions: [session, 4711] });
    expect(await lean.mustFail('check', check('theorem t : gone = 1', 'rfl', session))).toMatchObject({
      kind: 'unknown-session',
    });
    await load('def still_here := 1');
  });

  test('compiles ordinary Lean: loops, strings, sorting, derived instances', async () => {
    const { messages, errors } = await lean.must('load', {
      session: lean.root,
      text: `
def sum (n : Nat) : Nat := Id.run do
  let mut total := 0
  for i in [0:n] do total := total + i
  while total > 40 do total := total - 1
  return total
#eval sum 10
inductive Colour | red | green deriving Repr, DecidableEq, Hashable, Ord
#eval (Colour.red, Colour.red == .green)
#eval ("a,b".splitOn ",", toString \`a.b, [1, 2].reverse ++ [3], #[3, 1, 2].qsort (· < ·))
theorem fast : sum 4 = 6 := by native_decide
#print axioms fast`,
      keep_going: true,
    });
    expect(errors).toBe(0);
    expect(messages.slice(0, 3).map(({ text }) => text)).toEqual([
      '40',
      '(Colour.red, false)',
      '(["a", "b"], "a.b", [2, 1, 3], #[1, 2, 3])',
    ]);
    expect(messages[3]?.text).toContain('Lean.ofReduceBool');
  });
});

describe('statement', () => {
  test('returns name, universes and symbols', async () => {
    expect(
      await lean.must('statement', {
        session: lean.root,
        statement:
          'theorem t {α : Type u} {β : Type v} (f : α → β) (xs : List α) : (xs.map f).length = xs.length',
      }),
    ).toMatchObject({
      name: 't',
      universes: ['u', 'v'],
      symbols: expect.arrayContaining(['List', 'List.map', 'Eq', 'List.length']) as string[],
    });
  });

  test.each([
    ['a definition', 'def t : Nat'],
    ['unfinished', 'theorem t (n : Nat'],
    ['no type', 'theorem t (n : Nat)'],
    ['with a proof of its own', 'theorem t : True := trivial'],
    ['two of them', 'theorem s : 1 = 2 := sorry\ntheorem t : True'],
    ['an ill-typed one', 'theorem t : "a" + 1 = 2'],
    ['a name that is taken', 'theorem Nat.add_comm (a b : Nat) : a + b = b + a'],
    ['nothing', ''],
  ])('%s is not a statement', async (_, statement) => {
    expect(await lean.mustFail('statement', { session: lean.root, statement })).toMatchObject({
      kind: 'statement',
    });
  });
});

describe('check', () => {
  test.each(
    [
      ['theorem t (a b : Nat) : a + b = b + a', 'by omega'],
      ['theorem t (a b : Nat) : a + b = b + a', 'Nat.add_comm a b'],
      ['theorem t (xs : List α) : xs.reverse.reverse = xs', 'by simp'],
      ['theorem t : ∃ n : Nat, n * n = 49', '⟨7, rfl⟩'],
      ['theorem «naïve name» (𝔸 : Prop) (h : 𝔸) : 𝔸 ∧ "→😀" = "→😀"', '⟨h, rfl⟩'],
      [
        'theorem t (p q : Prop) : p ∨ q → q ∨ p',
        'by\n  intro h\n  cases h with\n  | inl h => exact .inr h\n  | inr h => exact .inl h',
      ],
    ].slice(0, 6),
  )('%s := %s', async (statement, proof) => {
    const checked = await lean.must('check', check(statement, proof));
    expect(checked.assumes).toEqual([]);
  });

  test('reports the constants that a proof uses', async () => {
    const { constants } = await lean.must('check', {
      ...check('theorem t (a b : Nat) : a + b = b + a', 'Nat.add_comm a b'),
      constants: true,
    });
    expect(constants).toContain('Nat.add_comm');
    expect(constants).not.toContain('Nat.mul_comm');
  });

  test('the standard axioms are named and allowed', async () => {
    const { axioms, assumes } = await lean.must(
      'check',
      check('theorem t (p q : Prop) (h : p ↔ q) : p = q', 'propext h'),
    );
    expect(axioms).toEqual(['propext']);
    expect(assumes).toEqual([]);
  });

  test.each([
    ['statement', 'theorem t : undefined_thing 1', 'trivial'],
    ['parse', 'theorem t : True', 'by (trivial'],
    ['parse', 'theorem t : True', 'trivial\ntheorem u : 1 = 2 := sorry'],
    ['parse', 'theorem t : True', ''],
    ['elaboration', 'theorem t : 2 + 2 = 5', 'by decide'],
    ['elaboration', 'theorem t : True', 'no_such_lemma'],
    ['elaboration', 'theorem t (n : Nat) : n = n + 1', 'by constructor'],
    ['sorry', 'theorem t : 1 = 2', 'by sorry'],
    ['sorry', 'theorem t : 1 = 2', 'sorryAx _ true'],
    ['sorry', 'theorem t : 1 = 2', 'by have h : 1 = 2 := sorry; exact h'],
    ['recursion', 'theorem t : (List.range 3000).length = 3000', 'by decide'],
  ])('%s: %s := %s', async (kind, statement, proof) => {
    expect(await lean.mustFail('check', check(statement, proof))).toMatchObject({ kind });
  });

  test('a heartbeat limit makes the answer unknown, and the next request is not affected', async () => {
    const request = check(
      'theorem t (a b c d e f : Nat) : a + b + c + d + e + f = f + e + d + c + b + a',
      'by simp [Nat.add_comm, Nat.add_left_comm, Nat.add_assoc]',
    );
    expect(await lean.mustFail('check', { ...request, heartbeats: 5 })).toMatchObject({ kind: 'heartbeats' });
    await lean.must('check', request);
  });

  test('a timeout makes the answer unknown', async () => {
    const statement = 'theorem t (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 1';
    const proof = 'by\n  set_option maxRecDepth 1000000 in\n  repeat (rw [h])';
    expect(
      await lean.mustFail('check', { ...check(statement, proof), heartbeats: 0 }, { deadlineMs: 300 }),
    ).toMatchObject({ kind: 'timeout' });
    await lean.must('check', check('theorem t : True', 'trivial'));
  });

  test('axioms of the preamble are refused unless they are allowed, and then they are listed', async () => {
    const session = await load('axiom cheat : ∀ p : Prop, p');
    const request = check('theorem t : 1 = 2', 'cheat _', session);
    expect(await lean.mustFail('check', request)).toMatchObject({ kind: 'axiom', axioms: ['cheat'] });
    expect(await lean.must('check', { ...request, allow_axioms: [['cheat']] })).toMatchObject({
      assumes: ['cheat'],
    });
  });

  test('a statement rewritten by a macro of the session is judged as Lean reads it', async () => {
    const session = await load('macro_rules | `(1 = 2) => `(1 = 1)');
    expect((await lean.must('statement', { session, statement: 'theorem t : 1 = 2' })).canonical).toBe(
      (await lean.must('statement', { session: lean.root, statement: 'theorem t : 1 = 1' })).canonical,
    );
  });

  test('error positions refer to statement and proof written as one text', async () => {
    const failure = await lean.mustFail(
      'check',
      check('theorem t (n : Nat) :\n    n = n + 1', 'by\n  omega'),
    );
    expect(failure.messages[0]).toMatchObject({ severity: 'error', start: [3, 2] });
  });
});

describe('export and judge-file', () => {
  test('judges every declaration of a text', async () => {
    const text = [
      'def d := 1',
      'theorem good : d = 1 := rfl',
      'theorem gap : d = 1 := sorry',
      'theorem on_gap : d = 1 := gap',
      'axiom ax : d = 2',
      'theorem on_axiom : d = 2 := ax',
      'namespace N',
      'theorem classical (p q : Prop) (h : p ↔ q) : p = q := propext h',
      'end N',
    ].join('\n');
    const session = await load(text);
    const judged = async (allow_axioms: string[][]): Promise<Record<string, string>> => {
      const { export: candidate } = await lean.must('export', { session, role: 'candidate' });
      const { theorems, others } = await lean.must('judge-file', { candidate, allow_axioms });
      return Object.fromEntries(
        [...theorems, ...others.filter(({ ok }) => !ok)].map((one) => [
          one.name,
          one.ok ? `ok ${one.assumes.join()}` : one.kind,
        ]),
      );
    };
    const common = { d: 'ok ', good: 'ok ', gap: 'sorry', on_gap: 'sorry', 'N.classical': 'ok ' };
    expect(await judged([])).toEqual({ ...common, ax: 'axiom', on_axiom: 'axiom' });
    expect(await judged([['ax']])).toEqual({ ...common, on_axiom: 'ok ax' });
  });
});

describe('start, step, steps, drop', () => {
  test('a proof runs step by step: hypotheses, targets, cases, the end', async () => {
    const first = await start('theorem t (p q : Prop) (h : p ∧ q) : q ∧ p');
    expect(first.goals).toMatchObject([
      {
        hypotheses: [
          { name: 'p', type: 'Prop' },
          { name: 'q', type: 'Prop' },
          { name: 'h', type: 'p ∧ q' },
        ],
        target: 'q ∧ p',
      },
    ]);
    const split = await lean.must('step', { state: first.state, tactic: 'constructor' });
    expect(split.goals.map((goal) => [goal.case, goal.target])).toEqual([
      ['left', 'q'],
      ['right', 'p'],
    ]);
    expect(split.closed).toBe(false);
    const left = await lean.must('step', { state: split.state, tactic: '· exact h.2' });
    const done = await lean.must('step', { state: left.state, tactic: 'exact h.1' });
    expect(done).toMatchObject({ goals: [], closed: true });
  });

  test('a let shows its value, and a hidden name its dagger', async () => {
    const { state } = await start('theorem t : ∀ n : Nat, n = n');
    const step = await lean.must('step', { state, tactic: 'intro\nlet x := 5' });
    expect(step.goals[0]?.hypotheses).toMatchObject([{ name: 'n✝' }, { name: 'x', type: 'Nat', value: '5' }]);
  });

  test('a saved state can be used many times, each use independent', async () => {
    const { state } = await start('theorem t (a b : Nat) (h : a ≤ b) : a + 1 ≤ b + 1');
    const expected = {
      omega: 'closed',
      'exact h': 'tactic',
      no_tactic: 'parse',
      'have x := h': 'open',
      sorry: 'tactic',
      'exact (': 'parse',
      skip: 'open',
    };
    const { results } = await lean.must('steps', { state, tactics: Object.keys(expected) });
    expect(results.map((result) => (result.ok ? (result.closed ? 'closed' : 'open') : result.kind))).toEqual(
      Object.values(expected),
    );
    const again = await lean.must('steps', {
      state,
      tactics: ['skip', 'omega', 'omega'],
      stop_when_closed: true,
    });
    expect(again.results).toHaveLength(2);
  });

  test('a dropped state and a state that never existed are unknown', async () => {
    const { state } = await start('theorem t : True');
    await lean.must('drop', { states: [state, 99_999] });
    for (const gone of [state, 99_999])
      expect(await lean.mustFail('step', { state: gone, tactic: 'trivial' })).toMatchObject({
        kind: 'unknown-state',
      });
  });

  test('steps stop at the deadline', async () => {
    const { state } = await start('theorem t (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : f 0 = 1');
    const endless = 'set_option maxRecDepth 1000000 in\n  repeat (rw [h])';
    const reply = await lean.ask(
      'steps',
      { state, tactics: [endless, 'skip'], heartbeats: 0 },
      { deadlineMs: 300 },
    );
    const kinds = reply.ok ? reply.results.map((result) => (result.ok ? 'ok' : result.kind)) : [reply.kind];
    expect(kinds).toEqual(['timeout']);
  });

  test('a statement with an error gives no state', async () => {
    expect(
      await lean.mustFail('start', { session: lean.root, statement: 'theorem t : 1 + "a" = 2' }),
    ).toMatchObject({
      kind: 'statement',
    });
  });
});

async function identity(statement: string): Promise<string> {
  return goalHash((await start(statement)).goals[0]?.canonical ?? '');
}

describe('goal identity', () => {
  test.each(
    [
      ['binder names', 'theorem a (x y : Nat) : x + y = y + x', 'theorem b (n m : Nat) : n + m = m + n'],
      ['bound names', 'theorem a : ∀ x : Nat, ∃ y, y > x', 'theorem b : ∀ n : Nat, ∃ k, k > n'],
      ['universe names', 'theorem a {α : Type u} (x : α) : x = x', 'theorem b {β : Type v} (y : β) : y = y'],
      ['binder kinds', 'theorem a {x : Nat} : x = x', 'theorem b (x : Nat) : x = x'],
      ['notation', 'theorem a (p q : Prop) : p ∧ q', 'theorem b (p q : Prop) : And p q'],
    ].slice(0, 5),
  )('does not depend on %s', async (_, first, second) => {
    expect(await identity(first)).toBe(await identity(second));
  });

  test.each([
    ['order', 'theorem a (x y : Nat) : x + y = y + x', 'theorem b (x y : Nat) : y + x = x + y + 0'],
    ['which variable', 'theorem a (x y : Nat) : x = y', 'theorem b (x y : Nat) : x = x'],
    ['type', 'theorem a (x : Nat) : x + 0 = x', 'theorem b (x : Int) : x + 0 = x'],
    ['numbers', 'theorem a : 2 = 2', 'theorem b : 3 = 3'],
    ['text', 'theorem a : "a" = "a"', 'theorem b : "b" = "b"'],
    ['a hypothesis', 'theorem a (x : Nat) : x = x', 'theorem b (x : Nat) (h : x > 0) : x = x'],
    [
      'universe',
      'theorem a {α : Type u} {β : Type u} (f : α → β) : f = f',
      'theorem b {α : Type u} {β : Type v} (f : α → β) : f = f',
    ],
  ])('depends on %s', async (_, first, second) => {
    expect(await identity(first)).not.toBe(await identity(second));
  });

  test('a goal reached in two ways has one identity', async () => {
    const { state } = await start('theorem t (p q : Prop) : p → q → p');
    const { results } = await lean.must('steps', {
      state,
      tactics: ['intro h; intro k', 'intro a b', 'intros; rename_i c d'],
      canonical: true,
    });
    const hashes = results.map((result) =>
      result.ok ? goalHash(result.goals[0]?.canonical ?? '') : result.message,
    );
    expect(new Set(hashes).size).toBe(1);
  });
});

describe('the library', () => {
  test('constants are returned in pages', async () => {
    const page = async (offset: number, limit: number): Promise<string[]> =>
      (await lean.must('constants', { session: lean.root, offset, limit })).constants.map(({ name }) => name);
    const whole = await page(0, 900);
    expect(whole).toHaveLength(900);
    expect([...(await page(0, 300)), ...(await page(300, 300)), ...(await page(600, 300))]).toEqual(whole);
    expect((await lean.must('constants', { session: lean.root, limit: 0 })).total).toBeGreaterThan(20_000);
    expect(await page(10_000_000, 10)).toEqual([]);
  });

  test('a constant has kind, module, symbols, shape and type', async () => {
    const session = await load(
      'namespace Own\ninductive Colour | red | blue\ndef pick : Colour := .red\ntheorem same (c : Colour) : c = c := rfl\ntheorem again (d : Colour) : d = d := rfl\naxiom given : pick = .blue\nend Own',
    );
    const { constants } = await lean.must('constants', { session, own: true, types: true });
    const found = Object.fromEntries(constants.map((constant) => [constant.name, constant]));
    expect(found['Own.same']).toMatchObject({ kind: 'theorem', type: '∀ (c : Own.Colour), c = c' });
    expect(found['Own.same']?.symbols.sort()).toEqual(['Eq', 'Own.Colour']);
    expect(found['Own.again']?.shape).toBe(found['Own.same']?.shape);
    expect(found['Own.given']?.shape).not.toBe(found['Own.same']?.shape);
    expect(found['Own.pick']).toMatchObject({ kind: 'definition', type: 'Own.Colour' });
    expect(found['Own.Colour']).toMatchObject({ kind: 'inductive' });
    expect(found['Own.Colour.red']).toMatchObject({ kind: 'constructor' });
    expect(found['Own.Colour.rec']).toMatchObject({ kind: 'recursor' });
    expect(found['Own.given']).toMatchObject({ kind: 'axiom' });
    expect(constants.every(({ name }) => name.startsWith('Own.'))).toBe(true);
  });

  test('a constant of a text has its role, the constants of its body, and whether it depends on sorry', async () => {
    const session = await load(
      'namespace Own\ninductive Coin | one | more (c : Coin)\nprivate def inner (c : Coin) : Coin := c.more\ndef Coin.add : Coin → Coin → Coin\n  | a, .one => inner a\n  | a, .more b => .more (add a b)\ninstance : Add Coin := ⟨Coin.add⟩\ninductive Big : Coin → Prop\n  | more : Big (a + .one)\nstructure Purse where\n  first : Coin\ndef total (p : Purse) : Coin := p.first + go p.first\nwhere go (c : Coin) : Coin := c\ntheorem stated (a b : Coin) : a + b = b + a := sorry\ntheorem used (a : Coin) : a + .one = .one + a := stated a .one\ntheorem proved (a : Coin) : a = a := rfl\nend Own',
    );
    const { constants } = await lean.must('constants', { session, own: true });
    const found = new Map(
      constants.map(({ name, role, uses, unfinished }) => [name, { role, uses, unfinished }]),
    );
    expect(found.get('Own.Coin.add')).toMatchObject({ role: 'function' });
    expect(found.get('Own.Coin.add')?.uses).toContain('Own.Coin.more');
    expect(found.get('Own.Coin.instAdd') ?? found.get('Own.instAddCoin')).toMatchObject({
      role: 'instance',
      uses: ['Own.Coin.add', 'Own.Coin'],
    });
    expect(found.get('Own.Big')).toMatchObject({ role: 'predicate' });
    expect(found.get('Own.total.go')).toMatchObject({ role: 'function' });
    expect(found.get('Own.Purse.first')?.role).toBeUndefined();
    expect(
      [...found]
        .filter(([, { role }]) => role === 'function')
        .map(([name]) => name)
        .sort(),
    ).toEqual(['Own.Coin.add', 'Own.total', 'Own.total.go']);
    expect([...found].flatMap(([name, { unfinished }]) => (unfinished ? [name] : [])).sort()).toEqual([
      'Own.stated',
      'Own.used',
    ]);
  });

  test('a library theorem is reported as a theorem, although the embedded library shows it as an axiom', async () => {
    const { total } = await lean.must('constants', { session: lean.root, limit: 0 });
    let found;
    for (let offset = 0; offset < total && !found; offset += 4000) {
      const { constants } = await lean.must('constants', { session: lean.root, offset, limit: 4000 });
      found = constants.find(({ name }) => name === 'Nat.add_comm');
    }
    expect(found).toMatchObject({ kind: 'theorem', module: 'Init.Data.Nat.Basic' });
  });

  test('reports which tactics exist', async () => {
    const names = ['omega', 'grind', 'exact?', 'rw', 'simp_all', 'ring', 'linarith', 'norm_num', 'nonsense'];
    expect((await lean.must('tactics', { session: lean.root, names })).tactics).toEqual([
      'omega',
      'grind',
      'exact?',
      'rw',
      'simp_all',
    ]);
  });
});

describe('sorries', () => {
  const text = [
    'namespace A',
    'theorem one (n : Nat) : n + 0 = n := by',
    '  sorry',
    'theorem two (p q : Prop) (hp : p) (hq : q) : p ∧ q := by',
    '  constructor',
    '  · sorry',
    '  · exact sorry',
    'end A',
    'def three : Nat := sorry',
    'theorem four : ∀ n : Nat, 0 ≤ n := fun n => sorry',
    'theorem five (xs : List Nat) : xs ++ [] = xs := by',
    '  cases xs with',
    '  | nil => rfl',
    '  | cons x xs => admit',
  ].join('\n');

  test('are listed in text order, each with range, declaration and goal', async () => {
    const { sorries, errors } = await lean.must('load', { session: lean.root, text, sorries: true });
    expect(errors).toBe(0);
    expect(
      sorries.map(({ start: from, end, declaration, goals }) => [from, end, declaration, goals[0]?.target]),
    ).toEqual([
      [[3, 2], [3, 7], 'A.one', 'n + 0 = n'],
      [[6, 4], [6, 9], 'A.two', 'p'],
      [[7, 10], [7, 15], 'A.two', 'q'],
      [[9, 19], [9, 24], 'three', 'Nat'],
      [[10, 44], [10, 49], 'four', '0 ≤ n'],
      [[14, 17], [14, 22], 'five', 'x :: xs ++ [] = x :: xs'],
    ]);
    expect(sorries[1]?.goals[0]?.hypotheses.map(({ name }) => name)).toEqual(['p', 'q', 'hp', 'hq']);
  });

  test('each has a state to start from', async () => {
    const { sorries } = await lean.must('load', { session: lean.root, text, sorries: true });
    const proofs = ['rfl', 'exact hp', 'exact hq', 'exact 7', 'exact Nat.zero_le n', 'simp'];
    for (const [index, tactic] of proofs.entries()) {
      const { state } = sorries[index] ?? {};
      expect(await lean.must('step', { state: state ?? -1, tactic })).toMatchObject({ closed: true });
    }
  });

  test('a later theorem cannot be used for an earlier one', async () => {
    const { sorries } = await lean.must('load', {
      session: lean.root,
      text: 'theorem early : 1 + 1 = 2 := sorry\ntheorem late : 1 + 1 = 2 := rfl',
      sorries: true,
    });
    expect(
      await lean.mustFail('step', { state: sorries[0]?.state ?? -1, tactic: 'exact late' }),
    ).toMatchObject({
      kind: 'tactic',
    });
  });

  test('they are listed only on request, and a text may have none', async () => {
    expect(
      (await lean.must('load', { session: lean.root, text: 'def x := 1', sorries: true })).sorries,
    ).toEqual([]);
    expect((await lean.must('load', { session: lean.root, text })).sorries).toEqual([]);
  });
});

describe('memory', () => {
  test('every answer reports its memory', async () => {
    const { cost } = await lean.ask('memory', {});
    expect(cost.peakBytes).toBeGreaterThan(1e8);
    expect(cost.cpuSeconds).toBeGreaterThan(0);
    expect(cost.wallSeconds).toBeGreaterThan(0);
  });
});

describe('invalid requests', () => {
  test('an unknown operation is an invalid request', async () => {
    expect(await lean.mustFail('nonsense' as 'memory', {})).toMatchObject({ kind: 'invalid-request' });
  });
});
