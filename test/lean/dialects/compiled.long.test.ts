import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareCompiled, readCompiledTree } from '../../../src/lean/dialects/compiled.ts';
import { environmentIn } from '../../../src/lean/project/environment.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { orch } from '../../helpers/orch.ts';
import { TestProject } from '../../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await TestProject.open();
  project.write('lakefile.toml', `name = "sv"\n[[lean_lib]]\nname = "S"\nglobs = ["S.+"]\n`);
});
afterAll(async () => await project.close());

/** The compiled module of a text. */
async function compiled(name: string, text: string): Promise<string> {
  project.write(`S/${name}.lean`, text);
  project.lean.pool.environments.forget();
  const opened = await project.lean.pool.environments.open(environmentIn(project.folder, [`S.${name}`], ''));
  const module = opened.ok
    ? opened.value.modules.find(({ file }) => file.endsWith(`/${name}.lean`))
    : undefined;
  if (!module) throw new Error(opened.ok ? 'not compiled' : opened.error.message);
  return module.ilean.replace(/\.ilean$/, '.olean');
}

async function verdicts(target: string, submission: string): Promise<string[]> {
  const [stated, made] = [readCompiledTree(target, '4.28.0'), readCompiledTree(submission, '4.28.0')];
  const judged = await compareCompiled(project.lean.gate, stated, made, [], { deadlineMs: 60_000 });
  return judged.map(({ name, verdict, kind }) => `${name} ${verdict} ${kind}`).toSorted();
}

const target = `
structure Pair where
  a : Nat
  b : Nat
def double (n : Nat) : Nat := n + n
def half (n : Nat) : { m : Nat // m ≤ n } := sorry
theorem le (n : Nat) : n ≤ double n := sorry
theorem both.{u} {α : Type u} (xs : List α) (p : Pair) : xs.length ≤ double xs.length ∧ p.a = p.a := sorry
`;
const filled = target
  .replace(':= sorry\ntheorem le', ':= ⟨0, Nat.zero_le n⟩\ntheorem le')
  .replace('double n := sorry', 'double n := Nat.le_add_left n n')
  .replace('p.a = p.a := sorry', 'p.a = p.a := ⟨le _, rfl⟩');
const good = [
  'Pair.a accepted defined',
  'Pair.b accepted defined',
  'both accepted proved',
  'double accepted defined',
  'half accepted defined',
  'le accepted proved',
];

describe('two compiled modules', () => {
  test('a submission that fills what the target leaves open is accepted', async () => {
    const [stated, made] = [await compiled('Target', target), await compiled('Good', filled)];
    const all = await verdicts(stated, made);
    expect(all).toEqual(expect.arrayContaining(good));
    expect(all.filter((one) => !one.includes('accepted'))).toEqual([]);
    const command = await orch(['check', '--submission', made, '--target', stated, '--json']);
    expect(command).toMatchObject({ code: 0, stdout: expect.stringContaining('"replayed"') as string });
    expect(await orch(['check', '--submission', stated, '--target', made])).toMatchObject({ code: 1 });
  });

  const changes: Record<string, readonly [string, string, string]> = {
    'another value': ['n + n\n', 'n + n + 0\n', 'le rejected statement-changed'],
    'another universe': ['both.{u} {α : Type u}', 'both {α : Type}', 'both rejected statement-changed'],
    'another structure': ['b : Nat', 'b : Int', 'both rejected statement-changed'],
    'a weaker statement': ['p.a = p.a', 'p.b = p.b', 'both rejected statement-changed'],
    'a proof left open': ['⟨le _, rfl⟩', 'sorry', 'both rejected sorry'],
    'a definition left out': ['double', 'twice', 'double rejected statement-changed'],
    'another kind': ['theorem le (n', 'def le (n', 'le rejected statement-changed'],
    'other code': [
      'def double',
      '@[implemented_by Nat.succ] def double',
      'double rejected statement-changed',
    ],
    'an unsafe helper': ['structure Pair', 'unsafe def f : Nat := 0\nstructure Pair', 'f rejected unsafe'],
    'a partial helper': [
      'structure Pair',
      'partial def f (n : Nat) : Nat := f n\nstructure Pair',
      'f rejected unsafe',
    ],
  };
  for (const [what, [from, to, expected]] of Object.entries(changes))
    test(`${what} is seen`, async () => {
      const name = what.replaceAll(' ', '');
      const changed = filled.replaceAll(from, to);
      const all = await verdicts(await compiled('Target', target), await compiled(name, changed));
      expect(all).toContain(expected);
    });

  test('a constant that no kernel has seen is rejected', async () => {
    const forged = `import Lean
open Lean in
run_cmd Elab.Command.liftCoreM do
  let value := mkConst \`\`True.intro
  let bad := Declaration.thmDecl { name := \`bad, levelParams := [], type := mkConst \`\`False, value }
  withOptions (debug.skipKernelTC.set · true) (addDecl bad)
theorem le (n : Nat) : n = n + 1 := bad.elim
`;
    const wrong = 'import Lean\ntheorem le (n : Nat) : n = n + 1 := sorry\n';
    const all = await verdicts(await compiled('Wrong', wrong), await compiled('Forged', forged));
    expect(all).toContain('le rejected kernel');
    expect(all.filter((one) => one.includes('accepted'))).toEqual([]);
  });

  test('a damaged file is refused or judged, and never accepted for more than it proves', async () => {
    const honest = readFileSync(await compiled('Good', filled));
    const stated = await compiled('Target', target);
    const file = path.join(temporaryFolder(), 'Damaged.olean');
    let seed = 1;
    const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const answers = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const bytes = Buffer.from(honest);
      for (let count = 0; count <= round % 3; count++)
        bytes.writeUInt8(next(256), 88 + next(bytes.length - 88));
      writeFileSync(file, round % 10 === 0 ? bytes.subarray(0, next(bytes.length)) : bytes);
      const answer = await verdicts(stated, file).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'bad-olean' });
        return [];
      });
      answers.add(answer.length === 0 ? 'refused' : 'judged');
      const accepted = answer.filter((one) => one.includes('accepted') && !one.startsWith('Pair.'));
      expect(good).toEqual(expect.arrayContaining(accepted));
    }
    expect([...answers].toSorted()).toEqual(['judged', 'refused']);
  });
});
