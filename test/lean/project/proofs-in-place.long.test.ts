import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LeanEngine } from '../../../src/app/engine.ts';
import { ProofsInPlace } from '../../../src/lean/writing/proofs-in-place.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import type { LeanGoal } from '../../../src/lean/goals/goal.ts';
import { build } from '../../../src/lean/project/build.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { fillFile } from '../../../src/lean/writing/writer.ts';
import { packageRoot } from '../../../src/config/package.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { jsonLines, orch } from '../../helpers/orch.ts';
import { TestProject } from '../../helpers/project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await TestProject.open();
});
afterAll(async () => await project.close());

test('after a change only the file and its importers are recompiled', async () => {
  project.write('chain/lakefile.toml', 'name = "chain"\n[[lean_lib]]\nname = "Chain"\n');
  project.write('chain/Chain.lean', 'import Chain.Top\nimport Chain.Aside\n');
  project.write('chain/Chain/Top.lean', 'import Chain.Low\n');
  project.write('chain/Chain/Low.lean', 'def low := 1\n');
  project.write('chain/Chain/Aside.lean', 'def aside := 1\n');
  const found = findProject(path.join(project.folder, 'chain'));
  const compiledNow = async (): Promise<string[]> => {
    project.compiled.length = 0;
    await build(() => graphOf(found, found.targets()), project.builder);
    return project.compiled.toSorted();
  };
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Aside', 'Chain.Low', 'Chain.Top']);
  expect(await compiledNow()).toEqual([]);
  project.write('chain/Chain/Top.lean', 'import Chain.Low\ndef top := low\n');
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Top']);
  project.write('chain/Chain/Low.lean', 'def low := 2\n');
  expect(await compiledNow()).toEqual(['Chain', 'Chain.Low', 'Chain.Top']);
});

test('importers of code that runs at import are judged by their statements, and that code has no lasting effect', async () => {
  const coded =
    'def three : Nat := 3\ninitialize\n  try IO.FS.writeFile "/lean/output/left.txt" "x" catch _ => pure ()\n';
  project.write('code/Coded.lean', coded);
  const text = 'import Coded\ntheorem four : three + 1 = 4 := rfl\n';
  const environment = environmentOfFile(project.write('code/OnCode.lean', text), text);
  const verdicts = await project.lean.gate.checkFile({ text, environment }, { deadlineMs: 600_000 });
  expect(verdicts).toMatchObject([{ name: 'four', verdict: 'accepted', assurance: 'axioms-clean' }]);
  const bound = await project.lean.gate.checkFile(
    { text, environment, against: text.replace(':= rfl', ':= sorry'), againstIn: environment },
    { deadlineMs: 600_000 },
  );
  expect(bound).toMatchObject([{ name: 'four', verdict: 'accepted', assurance: 'replayed' }]);
  const opened = await project.lean.pool.environments.open(environment);
  expect(opened).toMatchObject({ value: { code: true } });
});

test('a theorem whose statement an imported module changes is reported', async () => {
  const hijack = `import Lean
open Lean
@[macro Lean.Parser.Command.declaration] def hijack : Macro := fun stx => do
  let some text := stx.reprint | Macro.throwUnsupported
  if (text.splitOn "1 = 2").length > 1 then \`(command| theorem $(mkIdent \`taken) : True := trivial)
  else Macro.throwUnsupported
`;
  project.write('hijack/Hijack.lean', hijack);
  const text = 'import Hijack\ntheorem honest : 1 = 1 := rfl\ntheorem taken : 1 = 2 := rfl\n';
  const environment = environmentOfFile(project.write('hijack/OnHijack.lean', text), text);
  const verdicts = await project.lean.gate.checkFile({ text, environment }, { deadlineMs: 600_000 });
  expect(verdicts.find(({ name }) => name === 'honest')).toMatchObject({ verdict: 'accepted' });
  expect(verdicts.find(({ name }) => name === 'taken')).toMatchObject({ verdict: 'unknown' });
});

test('a file is unchanged if its proofs would break an importer, and an edited file is planned again', async () => {
  const sorry = 'theorem used (n : Nat) : n + 0 = n := sorry\n';
  const used = project.write('guard/Used.lean', sorry);
  project.write(
    'guard/Guarding.lean',
    "import Used\n/-- info: 'used' depends on axioms: [sorryAx] -/\n#guard_msgs in\n#print axioms used\n",
  );
  const read = await goalsOfFiles([used], project.lean);
  const [goal] = read.goals;
  if (!goal) throw new Error('a goal');
  const filled = await fillFile(used, [{ goal, proof: 'rfl' }], project.lean);
  expect(filled).toMatchObject({ after: sorry, placed: [], gone: [] });
  expect(filled.refused[0]?.why).toMatch(/^it would break .*Guarding\.lean:3:1: /);

  rmSync(path.join(project.folder, 'guard/Guarding.lean'));
  const inPlace = new ProofsInPlace();
  inPlace.first(read);
  const changed = `-- a remark\n${sorry}theorem another : 1 = 1 := sorry\n`;
  writeFileSync(used, changed);
  const added: LeanGoal[] = [];
  const engine = {
    add: (one: LeanGoal) => added.push(one) > 0,
    note: () => undefined,
  } as unknown as LeanEngine;
  expect(
    await inPlace.more(engine, project.lean, { proved: [{ goal, proof: 'rfl' }], waiting: new Set() }, false),
  ).toBe(true);
  expect(readFileSync(used, 'utf8')).toBe(changed);
  expect(added.map(({ id }) => id)).toEqual(['used', 'another']);
  const [first, second] = added;
  if (!first || !second) throw new Error('two goals');
  // later additions to imported modules are harmless; a wrong proof is left out
  writeFileSync(used, `${changed}-- below\n`);
  const proved = [
    { goal: first, proof: 'rfl' },
    { goal: second, proof: 'used' },
  ];
  expect(await inPlace.more(engine, project.lean, { proved, waiting: new Set() }, false)).toBe(false);
  expect(readFileSync(used, 'utf8')).toBe(
    `-- a remark\n${sorry.replace('sorry', 'rfl')}theorem another : 1 = 1 := sorry\n-- below\n`,
  );
  expect(inPlace.isAllPlaced).toBe(false);
});

/** A file of the example as it is in the repository. */
function before(name: string): string {
  return readFileSync(path.join(packageRoot, 'examples', 'sums', 'Sums', name), 'utf8');
}

test('the example proves its open goals in place in dependency order; then only changed files are compiled', async () => {
  const cwd = temporaryFolder();
  cpSync(path.join(packageRoot, 'examples', 'sums'), cwd, { recursive: true });
  const run = await orch(
    ['prove', '--write', '--reporter', 'json', '--goal-cpu', '60', '--cpu-target', '1'],
    {
      cwd,
    },
  );
  const goals = (jsonLines(run.stdout) as { type: string; id: string; solved: boolean }[]).filter(
    ({ type, id }) => type === 'goal' && id.startsWith('Sums.'),
  );
  const solved = new Set(goals.flatMap(({ id, solved: isSolved }) => (isSolved ? [id] : [])));
  // the lemma, and a theorem of another module that depends on it
  expect([...solved]).toEqual(expect.arrayContaining(['Sums.total_append', 'Sums.total_reverse']));
  const text = (name: string): string => readFileSync(path.join(cwd, 'Sums', name), 'utf8');
  expect(text('Defs.lean')).toBe(before('Defs.lean'));
  expect(text('Append.lean')).not.toContain('sorry');
  expect(text('Reverse.lean')).not.toContain('sorry');
  // every line of the file before is still there, but for the sorry
  const kept = before('Reverse.lean').split(':= sorry');
  expect(text('Reverse.lean').startsWith(kept[0] ?? '?')).toBe(true);
  expect(text('Reverse.lean').endsWith(kept[1] ?? '?')).toBe(true);

  const checked = await orch(['check', 'Sums/Reverse.lean', '--json'], { cwd });
  expect(jsonLines(checked.stdout)).toMatchObject([{ name: 'Sums.total_reverse', verdict: 'accepted' }]);
  const built = await orch(['lean', 'build', '--json'], { cwd });
  const modules = jsonLines(built.stdout) as { module: string; cached: boolean }[];
  // what the writer compiled is what the files contain now
  expect(modules.map(({ cached }) => cached)).toEqual(modules.map(() => true));
});

test('a private theorem is written if the gate accepts it, and refused with the reason otherwise', async () => {
  const text =
    'axiom odd : 1 = 2\n\nprivate theorem hidden : 1 = 2 := by\n  sorry\n\nprivate theorem good : 2 = 2 := by\n  sorry\n';
  const file = project.write('Hidden.lean', text);
  const { goals } = await goalsOfFiles([file], project.lean);
  const proved = goals.map((goal) => ({ goal, proof: goal.id === 'good' ? 'rfl' : 'odd' }));
  const filled = await fillFile(file, proved, project.lean);
  expect(filled).toMatchObject({ placed: ['good'], refused: [{ id: 'hidden' }] });
  expect(filled.refused[0]?.why).toContain('axiom');
});
