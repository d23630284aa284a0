import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lean } from '../../src/app/lean.ts';
import { open } from '../../src/index.ts';
import { sharedFolder } from '../helpers/folders.ts';
import { jsonLines } from '../helpers/orch.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { environmentAttacks } from './attacks/environments.ts';
import { checkInFolders, openGate } from './run.ts';

/** A reference has its own environment: what happens without that rule, and every way to pass one in. */
const limits = { deadlineMs: 60_000 };
const folder = sharedFolder();
const write = (name: string, text: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

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

describe('without the rule the attacks succeed', () => {
  const [redefined, macro] = environmentAttacks;
  test.for([redefined, macro].filter((attack) => attack !== undefined))(
    '$disguise: accepted when the reference is read with the candidate’s imports',
    async (attack) => {
      expect(await checkInFolders(lean.gate, attack, limits, true)).toMatchObject([
        { verdict: 'accepted', name: 't' },
      ]);
    },
  );
});

describe('every way to provide a reference', () => {
  const solution = write('submission/Solution.lean', 'import Defs\ntheorem t : Hard := trivial');
  write('submission/Defs.lean', 'def Hard : Prop := True');
  const reference = write('reference/Reference.lean', 'import Defs\ntheorem t : Hard := sorry');
  write('reference/Defs.lean', 'def Hard : Prop := 1 = 2');

  const refused = [{ verdict: 'rejected', kind: 'statement-changed', name: 't' }];
  const both = { candidate: path.dirname(solution), reference: path.dirname(reference) };

  test('--submission and --target; the verdict names both environments', async () => {
    const args = ['check', '--submission', solution, '--target', reference];
    const { code, stdout } = await orchHere([...args, '--json']);
    expect(code).toBe(1);
    expect(jsonLines(stdout)).toMatchObject(refused);
    expect(jsonLines(stdout)).toMatchObject([
      {
        environments: {
          candidate: { project: both.candidate, imports: ['Defs'], options: {} },
          reference: { project: both.reference, imports: ['Defs'], options: {} },
        },
      },
    ]);
    const { stderr } = await orchHere(args);
    expect(stderr).toContain(`file: the project ${both.candidate}; imports Defs`);
    expect(stderr).toContain(`reference: the project ${both.reference}; imports Defs`);
  });

  test('--config reads challenge and solution of one project separately', async () => {
    write(
      'both/lakefile.toml',
      'name = "both"\n[[lean_lib]]\nname = "Challenge"\n[[lean_lib]]\nname = "Solution"',
    );
    write('both/Challenge.lean', 'theorem t : 1 = 2 := sorry');
    write('both/Solution/Evil.lean', 'macro_rules | `(2) => `(1)');
    write('both/Solution.lean', 'import Solution.Evil\ntheorem t : 1 = 2 := rfl');
    const config = write(
      'both/config.json',
      JSON.stringify({
        challenge_module: 'Challenge',
        solution_module: 'Solution',
        theorem_names: ['t'],
        permitted_axioms: [],
      }),
    );
    const { code, stdout } = await orchHere(['check', '--config', config, '--json']);
    expect(jsonLines(stdout)).toMatchObject(refused);
    expect(code).toBe(1);
  });

  test('the library judges a text in a named environment', async () => {
    await using orch = await open({ project: path.dirname(solution), settings: { lean: 'embedded' } });
    const text = 'import Defs\ntheorem t : Hard := sorry';
    const environment = { imports: ['Defs'], options: {}, project: path.dirname(reference) };
    expect(await orch.checkFile({ file: solution, against: { text, environment } })).toMatchObject(refused);
  });

  test('a reference that imports the judged file cannot be read separately', async () => {
    const own = write('same/Reference.lean', 'import Solution\ntheorem u : Hard := sorry');
    const file = write('same/Solution.lean', 'def Hard : Prop := True\ntheorem u : Hard := trivial');
    const { code, stdout } = await orchHere(['check', file, '--against', own, '--json']);
    expect(jsonLines(stdout)).toMatchObject([{ verdict: 'unknown', kind: 'inseparable' }]);
    expect(code).toBe(3);
  });
});
