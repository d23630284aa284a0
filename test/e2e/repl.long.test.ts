import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/folders.ts';
import { orch } from '../helpers/orch.ts';

describe('orch repl', () => {
  test('answers each request, also invalid ones, with an object and a blank line, and ends with its input', async () => {
    const requests = [
      '{"cmd": "theorem t (n : Nat) : n + 0 = n := by sorry"}',
      'garbage',
      '{"tactic": "rfl",\n"proofState": 0}',
    ];
    const { code, stdout } = await orch(['repl', '--timeout', '60'], {
      cwd: temporaryFolder(),
      input: requests.join('\n\n'),
    });
    const answers = stdout.trim().split('\n\n');
    expect(code).toBe(0);
    expect(answers.map((text) => Object.keys(JSON.parse(text) as object))).toEqual([
      ['env', 'messages', 'sorries'],
      ['message'],
      ['proofStatus', 'proofState', 'goals'],
    ]);
  });

  test("LeanDojo's dialect, with its variables", async () => {
    const around = { cwd: temporaryFolder(), input: '{"tsid": 0, "tac": "rfl"}\n' };
    const args = ['repl', '--dialect', 'leandojo', '--stmt', 'theorem t (n : Nat) : n + 0 = n'];
    const { code, stdout } = await orch(args, { ...around, env: { NUM_PROCS: '1', TACTIC_TIMEOUT: '30' } });
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toEqual([
      expect.stringContaining('⊢ n + 0 = n') as string,
      expect.stringContaining('"tactic_state":"no goals"') as string,
    ]);
    const wrong = await orch(args, { ...around, env: { TACTIC_MEMORY_LIMIT: 'much' } });
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(await orch(['repl', '--stmt', 'theorem t : 1 = 1'], around)).toMatchObject({ code: 2 });
  });
});
