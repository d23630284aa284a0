import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lean } from '../../src/app/lean.ts';
import { open, type Orch } from '../../src/app/orch.ts';
import { goalsOfFiles } from '../../src/lean/blueprint/file-goals.ts';
import { bareGoal } from '../../src/lean/goals/goal.ts';
import { fillFile, writeFilled, type FilledFile } from '../../src/lean/writing/writer.ts';
import { leanJudges } from '../../src/lean/remote/judges.ts';
import { sharedFolder, temporaryFolder } from '../helpers/folders.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { kernelBugAttacks } from './attacks/kernel-bugs.ts';
import { paths, type HandedIn } from './paths.ts';
import { openGate } from './run.ts';

/** Every path to the gate, attacked with proofs that others could submit. */
const folder = sharedFolder();
let lean: Lean;
let orch: Orch;
let unshare: () => void;
beforeAll(async () => {
  unshare = shareOwnProcesses();
  lean = await openGate();
  orch = await open({ settings: { lean: 'embedded', num_procs: 1, ledger: path.join(folder, 'ledger.db') } });
});
afterAll(async () => {
  await orch.close();
  await lean[Symbol.asyncDispose]();
  unshare();
});

const statement = 'theorem t : 1 = 2';
/** The 30 lines of plain Lean that make a kernel of 4.28 prove `False`. */
const bug = kernelBugAttacks.flatMap((attack) => ('file' in attack ? [attack.file] : []))[0] ?? '';
const [beforeFalse = '', proofOfFalse = ''] = bug.split('theorem t : False := ');

/** A REPL gives Lean's answer, not the gate's. */
const onlyGate = { except: ['repl'] };
/** A true theorem with a command behind its proof. Kimina judges whole texts, and golf searches for its own proofs. */
const smuggled = (look: string, command: string): HandedIn => ({
  look,
  statement: 'theorem t : 1 + 1 = 2',
  proof: `rfl\n\n${command}`,
  except: ['serve (Kimina)', 'golf', 'repl'],
});

const hostile: readonly HandedIn[] = [
  smuggled('an axiom behind an honest proof', 'axiom cheat : 1 = 2'),
  smuggled(
    'an instance behind an honest proof',
    'instance (priority := high) five : Add Nat := ⟨fun _ _ => 5⟩',
  ),
  smuggled('a macro behind an honest proof', 'macro_rules | `(7) => `(1)'),
  smuggled('an option behind an honest proof', 'set_option autoImplicit true'),
  smuggled('a theorem behind an honest proof', 'theorem extra : 2 = 2 := rfl'),
  { look: 'a sorry', statement, proof: 'by sorry' },
  { look: 'a sorry in the middle of a term', statement, proof: '(fun h => h) sorry' },
  {
    look: 'a sorry in a termination proof',
    statement,
    proof: 'go 0 where\n  go (n : Nat) : 1 = 2 := go (n + 1)\n  termination_by n\n  decreasing_by sorry',
  },
  {
    look: 'an option that skips the kernel',
    statement,
    proof: 'by set_option debug.skipKernelTC true in decide +kernel',
  },
  { look: 'an axiom after the proof', statement, proof: 'cheat\n\naxiom cheat : 1 = 2' },
  { look: 'a weaker theorem after a comment that never ends', statement, proof: 'by decide /-' },
  { look: 'a second theorem of the same name', statement, proof: 'by decide\n\ntheorem t : True := trivial' },
  {
    look: 'a macro for a numeral after the proof',
    statement,
    proof: 'rfl\n\nlocal macro_rules | `(2) => `(1)',
  },
  { look: 'the end of a namespace that nobody opened', statement, proof: 'by decide\nend' },
  { look: 'compiled code', statement, proof: 'by native_decide' },
  {
    look: 'a guard that drops the error of the proof',
    statement,
    proof: 'by\n  first | decide | skip\n\n#guard_msgs (drop error) in\ntheorem u : 1 = 2 := by decide',
  },
  { look: 'text after an end of the file', statement, proof: 'by decide\n#exit\n' },
  {
    look: 'a code generator’s word for another function',
    preamble: 'def yes : Bool := true\n@[implemented_by yes] def no : Bool := false',
    statement: 'theorem t : no = true',
    proof: 'by native_decide',
    ...onlyGate,
  },
  {
    look: 'a bug of the kernel, in the text before',
    preamble: beforeFalse,
    statement: 'theorem t : False',
    proof: proofOfFalse.trim(),
    ...onlyGate,
  },
  {
    look: 'an axiom of the text before',
    preamble: 'axiom cheat : 1 = 2',
    statement,
    proof: 'cheat',
    ...onlyGate,
  },
];

/** An honest proof for each path; golf needs one that can be shortened. */
const honest: HandedIn = {
  look: 'honest',
  preamble: 'def twice (n : Nat) : Nat := n + n\ntheorem twice_eq (n : Nat) : twice n = n + n := rfl',
  statement: 'theorem t (n : Nat) : twice n = n + n',
  proof: 'by\n  unfold twice\n  have same : n + n = n + n := rfl\n  exact same',
};

describe.for(Object.entries(paths))('%s', ([name, holds]) => {
  const applicable = hostile.filter(({ except = [] }) => !except.includes(name));
  test.for(applicable)('$look is refused', async (handed) => {
    expect(await holds({ lean, orch }, handed)).toBe(false);
  });

  test('an honest proof is accepted', async () => {
    expect(await holds({ lean, orch }, honest)).toBe(true);
  });
});

async function filledIn(file: string, text: string, proof: string): Promise<FilledFile> {
  writeFileSync(file, text);
  const { goals } = await goalsOfFiles([file], lean);
  return await fillFile(
    file,
    goals.map((goal) => ({ goal, proof })),
    lean,
  );
}

describe('changes between the check and the write', () => {
  test('an edit of the file by someone else is not overwritten', async () => {
    const text = 'theorem t : 1 + 1 = 2 := sorry\n';
    const file = path.join(temporaryFolder(), 'File.lean');
    const filled = await filledIn(file, text, 'rfl');
    expect(filled.placed).toEqual(['t']);
    writeFileSync(file, `-- an edit\n${text}`);
    expect(await writeFilled(filled, lean)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(`-- an edit\n${text}`);
    writeFileSync(file, text);
    expect(await writeFilled(filled, lean)).toBe(true);
  });

  test('a change in an imported module invalidates the verdict', async () => {
    const project = temporaryFolder();
    writeFileSync(path.join(project, 'lakefile.toml'), 'name = "x"\n[[lean_lib]]\nname = "File"\n');
    mkdirSync(path.join(project, 'File'));
    writeFileSync(path.join(project, 'File/Defs.lean'), 'def two : Nat := 2');
    const file = path.join(project, 'File.lean');
    const text = 'import File.Defs\ntheorem t : two = 2 := sorry\n';
    const filled = await filledIn(file, text, 'rfl');
    expect(filled.placed).toEqual(['t']);
    writeFileSync(path.join(project, 'File/Defs.lean'), 'def two : Nat := 3');
    expect(await writeFilled(filled, lean)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('two proofs for one file that are judged at the same time both survive or one is reported', async () => {
    const file = path.join(temporaryFolder(), 'File.lean');
    const text = 'theorem t : 1 + 1 = 2 := sorry\n\ntheorem u : 2 + 2 = 4 := sorry\n';
    writeFileSync(file, text);
    const { goals } = await goalsOfFiles([file], lean);
    const fills = await Promise.all(
      goals.map(async (goal) => await fillFile(file, [{ goal, proof: 'rfl' }], lean)),
    );
    const results: boolean[] = [];
    for (const filled of fills) results.push(await writeFilled(filled, lean));
    expect(results).toEqual([true, false]);
    expect(readFileSync(file, 'utf8')).toBe(text.replace('sorry', 'rfl'));
  });
});

test('a worker’s claim alone does not refute a true goal', async () => {
  const { signal } = new AbortController();
  const goal = { ...bareGoal, id: 't', preamble: '', statement: 'theorem t (n : Nat) : n = n' };
  const judges = leanJudges(lean.pool, lean.gate);
  for (const instance of ['n = 1', '1', 'sorry', 'n := 1'])
    expect((await judges.refutation(goal, instance, signal)).verdict).not.toBe('accepted');
});
