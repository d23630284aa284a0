import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../src/lean/gate/verdict.ts';
import { Gate, stages, type StatementData } from '../../../src/lean/gate/gate.ts';
import { elaborateFile } from '../../../src/lean/gate/roles.ts';
import { statedByItself } from '../../../src/lean/gate/stated-by-itself.ts';
import { verdictOf } from '../../../src/lean/gate/verdicts.ts';
import { failureKinds } from '../../../src/lean/base/protocol.ts';
import { checkClaim, conversation } from '../../helpers/lean.ts';

const lean = conversation();

const check = async (statement: string, proof: string, preamble = ''): Promise<Verdict> =>
  await checkClaim(lean.pool, { statement, proof, preamble });

/** "name kind" of each verdict on a file. */
const kinds = async (text: string, against?: string, holes: string[] = []): Promise<string[]> =>
  (
    await new Gate(lean.pool, lean.pool).checkFile({ text, holes, ...(against !== undefined && { against }) })
  ).map(({ name = '', kind }) => `${name} ${kind}`);

describe('a claim', () => {
  test('an accepted claim reports its assurance level and environment', async () => {
    const claim = { statement: 'theorem t (a b : Nat) : a + b = b + a', proof: 'by omega' };
    const verdict = await checkClaim(lean.pool, claim);
    expect(verdict).toMatchObject({
      verdict: 'accepted',
      kind: 'proved',
      name: 't',
      assurance: 'replayed',
      assumes: [],
      toolchain: 'lean-4.28.0-embedded',
    });
    expect(verdict.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect((await checkClaim(lean.pool, claim)).fingerprint).toBe(verdict.fingerprint);
    expect((await checkClaim(lean.pool, { ...claim, preamble: 'def x := 1' })).fingerprint).not.toBe(
      verdict.fingerprint,
    );
  });

  test.each([
    ['a proof that the kernel was told to skip', 'by set_option debug.skipKernelTC true in decide +kernel'],
    ['a sorry', 'by sorry'],
  ])('%s is rejected', async (_, proof) => {
    expect(await checkClaim(lean.pool, { statement: 'theorem t : (1 : Nat) = 2', proof })).toMatchObject({
      verdict: 'rejected',
      assurance: null,
    });
  });

  test('a proof by compiled code is valid in Lean, and is rejected for its axiom', async () => {
    const claim = {
      preamble:
        'def sum (n : Nat) : Nat := Id.run do\n  let mut s := 0\n  for i in [0:n] do s := s + i\n  return s',
      statement: 'theorem t : sum 4 = 6',
      proof: 'by native_decide',
    };
    expect(await checkClaim(lean.pool, claim)).toMatchObject({
      verdict: 'rejected',
      kind: 'axiom',
      message: expect.stringContaining('Lean.ofReduceBool') as string,
    });
  });

  test.each([
    ['theorem t : 1 = 2', 'by decide', /^the proof, line 1, column 4: /],
    ['theorem t :\n  1 = 2', 'by\n  decide', /^the proof, line 2, column 3: /],
    ['theorem t : 1 = "a"', 'rfl', /^the statement, line 1, column \d+: /],
    ['theorem t : (1 = 2', 'rfl', /^the statement, line 1, column \d+: /],
  ])('%s := %s is refused at its position in the user’s text', async (statement, proof, place) => {
    expect((await checkClaim(lean.pool, { statement, proof })).message).toMatch(place);
  });
});

describe('the statement', () => {
  test.each([
    ['a match', '', '(match 0 with | 0 => 1 | _ => 2) = 1', 'rfl'],
    ['an inductive type', 'inductive T | a | b (n : Nat)', '∀ x : T, x = x', 'fun _ => rfl'],
    ['a proof inside the type', '', '(⟨3, by omega⟩ : Fin 5).val = 3', 'rfl'],
    ['recursion', 'def f : Nat → Nat | 0 => 0 | n + 1 => f n + 2', 'f 2 = 4', 'rfl'],
    ['a lemma of the preamble', 'theorem h : 1 + 1 = 2 := rfl', '2 = 1 + 1', 'h.symm'],
  ])('the constants of %s are bound by content', async (_, preamble, type, proof) => {
    expect(await check(`theorem t : ${type}`, proof, preamble)).toMatchObject({
      verdict: 'accepted',
      assurance: 'replayed',
    });
  });

  test('only names that the strict rule allows, or lower-case words, are bound automatically', async () => {
    expect(await check('theorem t (x : ℝ) : x = x', 'rfl')).toMatchObject({ kind: 'statement' });
    expect(await check('theorem t (x : α) : x = x', 'rfl')).toMatchObject({ verdict: 'accepted' });
    expect(await check('theorem t : 1 = 1', 'rfl', 'def f (x : ℝ) := x')).toMatchObject({
      kind: 'elaboration',
    });
    expect(await check('theorem t : x = x', 'rfl', 'variable (x : ℝ)')).toMatchObject({ kind: 'statement' });
    const meant = 'structure P where\n  x : Nat\nvariable {A : Type} (x : A)';
    expect(await check('theorem t (p : P) : (p, x) = (p, x)', 'rfl', meant)).toMatchObject({
      verdict: 'accepted',
    });
    // parts of files rely on longer names; a statement takes over those, and no others
    const part =
      'inductive Term : Type → Type 1 where\n  | val (x : ty) : Term ty\ndef use (t : Term ty) := t';
    expect(await check('theorem t (a : Term Nat) : use a = a', 'rfl', part)).toMatchObject({
      verdict: 'accepted',
    });
    expect(await check('theorem t (a : Term ty) : a = a', 'rfl', part)).toMatchObject({
      verdict: 'accepted',
    });
    const lists = 'inductive Same : List α → List α → Prop where\n  | of : Same as as';
    expect(await check('theorem t (h : Same as as) : Same as as', 'h', lists)).toMatchObject({
      verdict: 'accepted',
    });
    const bound = await check('theorem t (a : Term type) : a = a', 'rfl', part);
    expect(bound).toMatchObject({ verdict: 'accepted', bound: ['type'] });
    for (const other of ['tyPe', 'Ty', 'ℝ'])
      expect(await check(`theorem t (a : Term ${other}) : a = a`, 'rfl', part)).toMatchObject({
        kind: 'statement',
      });
    const text = 'set_option relaxedAutoImplicit true';
    expect(await check('theorem t (x : Real) : x = x', 'rfl', text)).toMatchObject({ verdict: 'accepted' });
  });

  test('is reported as elaborated', async () => {
    const question = { statement: 'theorem t (x : α) : x = x' };
    expect(await new Gate(lean.pool, lean.pool).show(question)).toMatch(
      /^theorem t : ∀ \{α : Sort .*\} \(x : α\), x = x$/,
    );
  });
});

describe('two exports', () => {
  test('equal bytes get equal verdicts, whatever was judged before', async () => {
    const gate = new Gate(lean.pool, lean.pool);
    const question = { statement: 'theorem t : (match 0 with | 0 => 1 | _ => 2) = 1' };
    const stated = await gate.state(question);
    const other = await gate.state({ statement: 'theorem t : (match 0 with | 0 => 1 | _ => 2) = 2' });
    if (!stated.ok || !other.ok) throw new Error('both can be stated');
    const [one, two] = [stated.value.data, other.value.data];
    const exported = await lean.must('check', {
      session: lean.root,
      ...question,
      proof: 'rfl',
      export: true,
    });
    const judge = async (data: StatementData): Promise<string> =>
      (await gate.judgeData({}, data, exported.export)).kind;
    const told = [];
    for (const data of [one, two, one, two]) told.push(await judge(data));
    expect(told).toEqual(['proved', 'statement-changed', 'proved', 'statement-changed']);
  });
});

describe('a gate with fewer stages', () => {
  test('reaches lower assurance levels', async () => {
    const claim = { statement: 'theorem t : 1 = 1', proof: 'rfl' };
    const assurances = [];
    for (const left of [
      stages,
      ['form', 'binding', 'axioms'],
      ['form', 'kernel', 'axioms'],
      ['form', 'binding', 'kernel'],
    ] as const)
      assurances.push((await new Gate(lean.pool, lean.pool, left).check(claim)).assurance);
    expect(assurances).toEqual(['replayed', 'statement-bound', 'axioms-clean', 'elaborated']);
  });
});

describe('a file', () => {
  test('every theorem is judged, without binding a statement', async () => {
    const text = 'theorem a : 1 = 1 := rfl\ntheorem b : 1 = 2 := sorry\ntheorem c : 1 = 2 := rfl';
    const verdicts = await new Gate(lean.pool, lean.pool).checkFile({ text });
    expect(verdicts.find(({ name }) => name === 'a')).toMatchObject({
      verdict: 'accepted',
      assurance: 'axioms-clean',
    });
    expect(verdicts.find(({ name }) => name === 'b')).toMatchObject({ verdict: 'rejected', kind: 'sorry' });
    expect(verdicts.filter(({ verdict }) => verdict === 'accepted')).toHaveLength(1);
  });
});

describe('a file is judged by its environment, not its text', () => {
  test.each([
    ['_root_', 'namespace N\ntheorem _root_.x : 1 = 2 := sorry\nend N', 'x sorry'],
    ['a name with a dot in it', 'theorem a.b : 1 = 1 := rfl\ntheorem «a.b» : 1 = 2 := sorry', '«a.b» sorry'],
    [
      'several `in`s',
      'open Nat in open List in set_option maxRecDepth 99 in theorem x : 1 = 2 := sorry',
      'x sorry',
    ],
    ['a macro', 'macro "make" n:ident : command => `(theorem $n : 1 = 2 := sorry)\nmake x', 'x sorry'],
    ['an example', 'example : 1 = 2 := sorry', '«example 1» sorry'],
    ['a definition', 'def x : 1 = 2 := sorry', 'x sorry'],
    ['an instance', 'instance x : Inhabited (1 = 2) := ⟨sorry⟩', 'x sorry'],
    ['an axiom', 'axiom x : 1 = 2', 'x axiom'],
    ['text that Lean does not read', 'theorem y : 1 = 1 := rfl\n#exit\ntheorem x : 1 = 2 := rfl', ' unread'],
  ])('%s cannot hide a declaration', async (_, text, told) => {
    expect(await kinds(text)).toContain(told);
  });

  test('a file or a reference without declarations is not a success', async () => {
    expect(await kinds('def x : Nat := 1')).toEqual(['x defined', ' no-theorem']);
    expect(await kinds('theorem t : 1 = 1 := rfl', 'def x : Nat := 1')).toEqual(['t proved', ' no-theorem']);
  });

  test('every declaration in the text gets a line', async () => {
    const hide = 'macro "hide" c:command : command => `(section end)';
    const good = 'theorem good : 1 = 1 := rfl';
    expect(await kinds(`${good}\n${hide}\nhide theorem bad : 1 = 2 := rfl`)).toEqual([
      'bad unaccounted',
      'good proved',
    ]);
    expect(await kinds(`${good}\n#guard_msgs (drop all) in theorem bad : foo := rfl`)).toContain(
      'bad elaboration',
    );
    const expected = '/-- error: Unknown identifier `foo` -/\n#guard_msgs in example : Nat := foo';
    expect(await kinds(`${good}\n${expected}`)).toEqual(['good proved', ' expected-failure']);
    expect(await kinds(expected)).toEqual([' expected-failure', ' no-theorem']);
    expect(await kinds(good, `${good}\n${hide}\nhide theorem bad : 1 = 2 := rfl`)).toEqual([' unread']);
    expect(await kinds(`${good}\ntheorem bad : 1 = 2 := sorry`, good)).toEqual(['good proved', 'bad sorry']);
  });

  test('a file follows Lean’s rule for undeclared names, and they are listed', async () => {
    const text = 'theorem t (x : ℝ) : x = x := rfl';
    const gate = new Gate(lean.pool, lean.pool);
    expect(await gate.checkFile({ text })).toMatchObject([{ kind: 'proved', bound: ['ℝ'] }]);
    expect(await kinds(`set_option autoImplicit false\n${text}`)).toEqual(['t elaboration']);
  });

  test('a declaration that Lean refuses is rejected', async () => {
    const good = 'theorem good : 1 = 1 := rfl';
    expect(await kinds(`${good}\nend`)).toEqual([' elaboration', 'good proved']);
    expect(await kinds(`prelude\n${good}`)).toEqual([' missing-import']);
    expect(await kinds(`def any : Nat := Classical.choice ⟨0⟩\n${good}`)).toEqual([
      'any elaboration',
      'good proved',
    ]);
  });

  test('a file without the library proves no reference', async () => {
    const text = 'prelude\nimport Init.Core\ntheorem t : 1 = 1 := rfl';
    expect(await kinds(text, 'theorem t : 1 = 1 := sorry')).toEqual([' statement-changed']);
  });

  test('a file that runs code is unknown by itself, but judged against a reference', async () => {
    // of all such commands one that takes Lean no second to compile
    const text = 'theorem t : 1 = 1 := rfl\n@[export own] def own := 1';
    expect(await kinds(text)).toEqual(['t runs-code', 'own runs-code']);
    expect(await kinds(text, 'theorem t : 1 = 1 := sorry')).toEqual(['t proved']);
  });

  test('if only proofs run code, the file is judged by its statements', async () => {
    const code = 'by first | (have : 2 = 2 := by native_decide); fail | ';
    const text = `def two := 2\ntheorem t : two = 2 := ${code}rfl\ntheorem u : two = 3 := ${code}sorry\nexample : 1 = 2 := sorry`;
    expect((await kinds(text)).toSorted()).toEqual([
      't proved',
      'two defined',
      'u sorry',
      '«example 1» sorry',
    ]);
  });

  test('an elaborator that hides a declaration is detected, whatever its name looks like', async () => {
    const { pool } = lean;
    const good = 'theorem good : 1 = 1 := rfl\ndef a.b := 1';
    const shown = await pool.use(async (lease) => await elaborateFile(lease, good, {}));
    const claim = {
      text: `${good}\ntheorem x : 1 = 2 := sorry\ndef «a.b» : 1 = 2 := sorry\nexample : 1 = 2 := sorry`,
    };
    const candidate = shown.ok ? shown.value.data : undefined;
    const parts = { workers: pool, judges: pool, stages, claim, candidate, limits: {} };
    const stated = await statedByItself(parts);
    expect(stated?.hidden.toSorted()).toEqual(['a.b', 'example 1', 'x']);
    expect([...(stated?.proved ?? [])]).toEqual(['good', 'a.b']);
  });

  test('a hole of a reference takes the body that the file supplies, and only that', async () => {
    const reference = 'def n : Nat := sorry\ndef twice : Nat := n + n\ntheorem t : twice = 34 := sorry';
    const judge = async (text: string): Promise<string[]> => await kinds(text, reference, ['n', 't']);
    const rest = 'def twice : Nat := n + n\ntheorem t : twice = 34 := rfl';
    expect(await judge(`def n : Nat := 17\n${rest}`)).toEqual(['t proved', 'n defined', 'twice defined']);
    expect(await judge(`def half : Nat := 17\ndef n : Nat := half\n${rest}`)).toContain('t proved');
    expect(await kinds(`def n : Nat := 17\n${rest}`, reference)).toContain('t statement-changed');
    for (const wrong of [
      `def n : Nat := 16\ndef twice : Nat := 34\ntheorem t : twice = 34 := rfl`,
      `def n : Fin 40 := 17\n${rest.replaceAll('n + n', 'n.val + n.val')}`,
      `theorem lie : 17 = 17 := rfl\nopaque n : Nat\n${rest.replace('rfl', 'sorry')}`,
      `axiom m : Nat\nnoncomputable def n : Nat := m\nnoncomputable ${rest.replace('rfl', 'sorry')}`,
      `def n : Nat := sorry\n${rest.replace('rfl', 'sorry')}`,
      rest.replaceAll('n + n', '34'),
    ])
      expect(await judge(wrong)).not.toContain('t proved');
  });

  test('a definition of a reference may use a theorem that the file proves', async () => {
    const rest = 'noncomputable def w : Nat := Classical.choose e\ntheorem t : w = 0 := ';
    const reference = `theorem e : ∃ x : Nat, x = 0 := sorry\n${rest}sorry`;
    const judge = async (proof: string): Promise<string[]> =>
      await kinds(`theorem e : ∃ x : Nat, x = 0 := ${proof}\n${rest}Classical.choose_spec e`, reference, [
        'e',
        't',
      ]);
    expect(await judge('⟨0, rfl⟩')).toEqual(['e proved', 't proved', 'w defined']);
    expect(await judge('sorry')).toEqual(['e sorry', 't sorry', 'w sorry']);
  });

  test('a reference binds every theorem and the shared definitions', async () => {
    const reference = 'def Hard : Prop := 1 = 2\ntheorem t : Hard := sorry\ntheorem u : 1 = 1 := sorry';
    const decoy = 'mutual\ninductive Decoy : Prop | mk : Decoy\ninductive Hard : Prop | mk : Hard\nend';
    expect(await kinds(`${decoy}\ntheorem t : Hard := .mk\ntheorem u : 1 = 1 := rfl`, reference)).toEqual([
      't statement-changed',
      'u statement-changed',
    ]);
    expect(await kinds('def Hard : Prop := 1 = 2\ntheorem u : 1 = 1 := rfl', reference)).toEqual([
      't statement-changed',
      'u proved',
      'Hard defined',
    ]);
  });
});

describe('verdictOf', () => {
  test('no failure kind maps to success', () => {
    for (const kind of failureKinds) expect(verdictOf(kind)).not.toBe('accepted');
  });
});
