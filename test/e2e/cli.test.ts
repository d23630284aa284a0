import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { jsonLines, orch } from '../helpers/orch.ts';
import { longTest } from '../helpers/tier.ts';

const statement = 'theorem t (a b : Nat) : a + b = b + a';

function fileWith(text: string, name = 'File.lean'): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

describe('orch check', () => {
  test('accepted: exit 0, one line of JSON and nothing else on stdout', async () => {
    const { code, stdout } = await orch(['check', '--json', '--stmt', statement, '--proof', 'by omega']);
    expect(code).toBe(0);
    expect(jsonLines(stdout)).toEqual([
      {
        verdict: 'accepted',
        kind: 'proved',
        message: expect.any(String) as string,
        name: 't',
        assurance: expect.any(String) as string,
        axioms: expect.any(Array) as string[],
        assumes: [],
        advisories: [],
        judge: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
        bound: [],
        toolchain: expect.stringContaining('4.28.0') as string,
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        cpu_seconds: expect.any(Number) as number,
      },
    ]);
  });

  test('unknown: exit 3', async () => {
    const preamble = fileWith('partial def spin (n : Nat) : Nat := spin (n + 1)\n#eval spin 0');
    const { code, stdout } = await orchHere([
      'check',
      '--json',
      '--timeout',
      '1',
      '--preamble',
      preamble,
      '--stmt',
      statement,
      '--proof',
      'by omega',
    ]);
    expect(code).toBe(3);
    expect(jsonLines(stdout)).toMatchObject([{ verdict: 'unknown', kind: 'timeout', assurance: null }]);
  });

  test('prints a mark, the verdict and the reason for people; exits 1 if rejected', async () => {
    const { code, stdout } = await orchHere([
      'check',
      '--stmt',
      'theorem t : 2 + 2 = 5',
      '--proof',
      'by decide',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ rejected {2}elaboration: the proof, line 1, column 4: /);
  });

  longTest('a preamble with an axiom is refused unless the axiom is allowed', async () => {
    const preamble = fileWith('axiom magic : 1 = 2');
    const args = [
      'check',
      '--json',
      '--preamble',
      preamble,
      '--stmt',
      'theorem t : 1 = 2',
      '--proof',
      'magic',
    ];
    const refused = await orchHere(args);
    expect(refused.code).toBe(1);
    expect(jsonLines(refused.stdout)).toMatchObject([
      { verdict: 'rejected', kind: 'axiom', assurance: null },
    ]);
    const allowed = await orchHere([...args, '--allow-axiom', 'magic']);
    expect(allowed.code).toBe(0);
    expect(jsonLines(allowed.stdout)).toMatchObject([{ verdict: 'accepted', assumes: ['magic'] }]);
  });

  test('a file or a folder prints one line per theorem; one rejection fails it, annotated in a workflow', async () => {
    const good = fileWith('theorem a : 1 = 1 := rfl\n\ntheorem b (p : Prop) (h : p) : p := h\n');
    const fine = await orchHere(['check', '--json', good]);
    expect(fine.code).toBe(0);
    expect(jsonLines(fine.stdout)).toHaveLength(2);

    const file = fileWith(
      'theorem a : 1 = 1 := rfl\n\ntheorem b : 1 = 2 :=\n  sorry\n-- one\ntheorem c : 1 = 2 := by\n  decide\n',
    );
    const { code, stdout, stderr } = await orchHere(['check', '--json', path.dirname(file)], {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject([
      { file, name: 'a', verdict: 'accepted', line: 1 },
      { file, name: 'b', kind: 'sorry', line: 3 },
      { file, name: 'c', kind: 'elaboration', line: 7 },
    ]);
    expect(stderr).toContain(`::error file=${file},line=3,title=b::sorry: `);
    expect(stderr).toContain(`::error file=${file},line=7,title=c::elaboration: line 7, column 3`);
  });

  longTest(
    'a folder passes if its theorems pass; files without theorems are reported and matter only if there are no others',
    async () => {
      const plain = fileWith('def two : Nat := 2\n');
      const folder = path.dirname(plain);
      const env = { GITHUB_ACTIONS: 'true' };
      const nothing = await orchHere(['check', folder], { env });
      expect(nothing.code).toBe(3);
      expect(nothing.stderr).not.toContain('::error');
      writeFileSync(path.join(folder, 'Good.lean'), 'theorem a : 1 = 1 := rfl\n');
      const { code, stdout } = await orchHere(['check', folder], { env });
      expect(code).toBe(0);
      expect(stdout).toContain(`· ${plain}  no theorem\n`);
      expect(stdout).toContain('✓ 2 files  1 accepted\n');
    },
  );

  test.each([
    ['no arguments', ['check']],
    ['a statement without a proof', ['check', '--stmt', statement]],
    ['a file and a statement', ['check', 'File.lean', '--stmt', statement, '--proof', 'rfl']],
    ['a file that is not there', ['check', '/nowhere/File.lean']],
    [
      'a preamble that is not there',
      ['check', '--preamble', '/nowhere', '--stmt', statement, '--proof', 'rfl'],
    ],
    ['a time that is none', ['check', '--timeout', 'soon', '--stmt', statement, '--proof', 'rfl']],
    ['an option that does not exist', ['check', '--fast', '--stmt', statement, '--proof', 'rfl']],
    ['a command that does not exist', ['conjure']],
    ['tactic without a statement', ['tactic']],
    ['tactic with a preamble that is not there', ['tactic', '--stmt', statement, '--preamble', '/nowhere']],
    ['an image that does not exist', ['lean', 'setup', '--image', 'mathlib']],
  ])('usage error: %s exits 2 and prints only to stderr', async (_, args) => {
    const { code, stdout, stderr } = await orchHere(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
    expect(stderr).not.toContain('unexpected error');
  });

  test('an invalid setting exits 2', async () => {
    const { code, stderr } = await orchHere(['check', '--stmt', statement, '--proof', 'rfl'], {
      env: { ORCH_NUM_PROCS: 'x' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('num_procs');
  });
});

describe('orch tactic', () => {
  const stmt = 'theorem t (p q : Prop) (h : p ∧ q) : q ∧ p';

  test('reads steps from stdin: goals, a wrong step, undo, the tree, the end', async () => {
    const input = ['nonsense', 'constructor', 'tree', 'undo', 'goals', 'exact ⟨h.2, h.1⟩'].join('\n');
    const { code, stdout } = await orchHere(['tactic', '--stmt', stmt], { input });
    expect(code).toBe(0);
    expect(stdout).toContain('h : p ∧ q');
    expect(stdout).toContain('✗ parse');
    expect(stdout).toContain('case left');
    expect(stdout).toContain('*   1 constructor  (2 goals)');
    expect(stdout).toContain('✓ accepted');
  });

  test('input that ends before the proof exits 1', async () => {
    expect((await orchHere(['tactic', '--stmt', stmt], { input: 'constructor\n' })).code).toBe(1);
  });

  test('a statement with an error exits 2', async () => {
    const { code, stderr } = await orchHere(['tactic', '--stmt', 'theorem t : 1 + "a" = 2']);
    expect(code).toBe(2);
    expect(stderr).toContain('the statement has an error');
  });
});

describe('orch doctor, orch lean', () => {
  test('doctor --json prints findings with a state, and exits 0 if nothing is broken', async () => {
    const { code, stdout } = await orchHere(['doctor', '--json'], { env: { ORCH_NUM_PROCS: '1' } });
    const [report] = jsonLines(stdout) as [
      { ok: boolean; findings: { name: string; state: string; fix?: string }[] },
    ];
    expect(report.findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node', 'memory', 'disk', 'stack', 'lean package', 'embedded lean', 'in use']),
    );
    expect(report.findings.filter(({ state, fix }) => state !== 'ok' && !fix)).toEqual([]);
    expect(code).toBe(report.ok ? 0 : 2);
  });

  test('doctor reports a missing Lean as broken and exits 2', async () => {
    const { code, stdout } = await orchHere(['doctor', '--json'], { env: { ORCH_LEAN: 'no-such-lean' } });
    expect(code).toBe(2);
    expect(jsonLines(stdout)).toMatchObject([{ ok: false }]);
  });

  test('lean status shows what is built', async () => {
    const { code, stdout } = await orchHere(['lean', 'status', '--json']);
    expect(code).toBe(0);
    const [status] = jsonLines(stdout) as [{ stages: { name: string; ready: boolean; bytes: number }[] }];
    for (const name of ['runtime', 'image init', 'code'])
      expect(status.stages.find((stage) => stage.name === name)).toMatchObject({ ready: true });
    expect((await orchHere(['lean', 'status'])).stdout).toContain('✓ image init');
  });

  test('lean clean removes only its folder', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'mine'), '');
    const { code, stdout } = await orchHere(['lean', 'clean'], { env: { ORCH_CACHE_DIR: folder } });
    expect(code).toBe(0);
    expect(stdout).toContain(path.join(folder, 'lean'));
  });

  test('--help and --version exit 0', async () => {
    expect((await orchHere(['--help'])).code).toBe(0);
    expect((await orch(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});
