import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeanEngine } from '../../../src/app/engine.ts';
import { ProofsInPlace } from '../../../src/lean/writing/proofs-in-place.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import type { LeanGoal } from '../../../src/lean/goals/goal.ts';
import { forFile } from '../../../src/lean/workers/pool.ts';
import { build } from '../../../src/lean/project/build.ts';
import { Declarations } from '../../../src/lean/project/declarations.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import type { Options } from '../../../src/lean/base/options.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import type { RunProofs } from '../../../src/lean/writing/run-proofs.ts';
import { TestProject } from '../../helpers/project.ts';

/** Problems that a file may pass on to its importers: a `sorry`, an axiom. */
const below = `
def two : Nat := 2
theorem honest : two = 2 := rfl
private theorem hidden : 2 = two := rfl
theorem shown : 2 = two := hidden
theorem open_ : two = 2 := sorry
axiom assumed : two = 3
`;
const above = `import Below

theorem good : two = 2 := honest
theorem good' : 2 = two := shown
theorem on_sorry : two = 2 := open_
theorem on_axiom : two = 3 := assumed
`;

let project: TestProject;

beforeAll(async () => {
  project = await TestProject.open();
  project.write('Below.lean', below);
  project.write('Above.lean', above);
});

afterAll(async () => await project.close());

describe('a project with several modules, in full', () => {
  it('reports where the modules below a file declare their names', async () => {
    // one column each, two in the counting of an .ilean
    const wide = '/-- 𝕜 -/ theorem wide : 1 = 1 := /- 𝕜 -/ rfl';
    const file = project.write('Wide.lean', wide);
    const text = 'import Below\nimport Wide\n';
    const environment = environmentOfFile(project.write('OnWide.lean', text), text);
    const opened = await project.lean.pool.environments.open(environment);
    const declarations = new Declarations();
    declarations.add(opened.ok ? opened.value.modules : []);
    const belowFile = path.join(project.folder, 'Below.lean');
    expect(declarations.find('open_')).toEqual({ file: belowFile, start: [6, 0], end: [6, 32] });
    expect(declarations.find('two')).toEqual({ file: belowFile, start: [2, 0], end: [2, 18] });
    expect(declarations.find('_private.Below.0.hidden')?.start).toEqual([4, 0]);
    expect(declarations.find('wide')).toEqual({ file, start: [1, 0], end: [1, Array.from(wide).length] });
    expect(declarations.find('Nat.add_comm')).toBeUndefined();
  });

  it('writes proofs into the files in dependency order: only the sorrys are replaced, importers are rebuilt, a proof that breaks one is left out', async () => {
    const low = project.write(
      'placed/Low.lean',
      'theorem low (n : Nat) : n + 0 = n := by\n    sorry  -- 1\n\n',
    );
    const high = project.write(
      'placed/High.lean',
      'import Low\n\ntheorem high (f : Nat → Nat) (h : f 0 = 0) : f (f 0 + 0) = 0 :=\n  sorry\n',
    );
    project.write(
      'placed/lakefile.toml',
      'name = "placed"\n[[lean_lib]]\nname = "Low"\n[[lean_lib]]\nname = "High"\n',
    );
    project.write('placed/Aside.lean', 'def aside := 1\n');
    const read = await goalsOfFiles([high, low], project.lean);
    const inPlace = new ProofsInPlace();
    expect(inPlace.first(read).goals.map(({ id }) => id)).toEqual(['low']);
    const added: LeanGoal[] = [];
    const notes: string[] = [];
    const engine = {
      add: (goal: LeanGoal) => added.push(goal) > 0,
      note: (_: string, text: string) => notes.push(text),
    } as unknown as LeanEngine;
    const provedBy = (proofs: Record<string, string>): RunProofs => ({
      proved: read.goals.flatMap((goal) => (proofs[goal.id] ? [{ goal, proof: proofs[goal.id] ?? '' }] : [])),
      waiting: new Set(),
    });

    project.compiled.length = 0;
    expect(await inPlace.more(engine, project.lean, provedBy({ low: 'by\n  skip\n  rfl' }), false)).toBe(
      true,
    );
    expect(readFileSync(low, 'utf8')).toBe(
      'theorem low (n : Nat) : n + 0 = n := by\n    skip\n    rfl  -- 1\n\n',
    );
    expect(project.compiled).toEqual(['Low', 'High']);
    expect(added.map(({ id }) => id)).toEqual(['high']);

    // a theorem that was a sorry before may be used now
    const proofs = provedBy({ low: 'by rfl', high: 'by rw [low, h, h]' });
    const before = readFileSync(high, 'utf8');
    expect(await inPlace.more(engine, project.lean, proofs, false)).toBe(false);
    expect(readFileSync(high, 'utf8')).toBe(before.replace('sorry', 'by rw [low, h, h]'));
    expect(notes).toEqual([`${low}: 1 proof written`, `${high}: 1 proof written`]);
    expect(project.compiled).toEqual(['Low', 'High']);
  });

  it('is rebuilt when a module changes, in every import style', async () => {
    const text = 'import/-c-/Odd\ntheorem odd_one : odd = 1 := by decide\n';
    const file = project.write('OnOdd.lean', text);
    const judged = async (): Promise<string[]> => {
      project.lean.pool.environments.forget();
      const environment = environmentOfFile(file, text);
      const verdicts = await project.lean.gate.checkFile({ text, environment }, { deadlineMs: 60_000 });
      return verdicts.map(({ verdict }) => verdict);
    };
    project.write('Odd.lean', 'import/-c-/Odder\ndef odd : Nat := odder\n');
    project.write('Odder.lean', 'def odder : Nat := 1\n');
    expect(await judged()).toEqual(['accepted']);
    project.write('Odder.lean', 'def odder : Nat := 2\n');
    expect(await judged()).toEqual(['rejected']);
  });

  it('uses Lean’s list of imports where the fast reader finds fewer', async () => {
    const found = findProject(project.folder);
    const odd = found.moduleAt(project.write('Misread.lean', 'import Below\ndef five : Nat := two + 3\n'));
    const blind = new Map([[readFileSync(odd.file, 'utf8'), { isModule: false, imports: [] }]]);
    const asked: boolean[] = [];
    const { modules, graph } = await build((headers) => {
      asked.push(headers.size > 0);
      return graphOf(found, [odd], undefined, headers.size > 0 ? headers : blind);
    }, project.builder);
    expect(asked).toEqual([false, true]);
    expect(graph.byName.get('Misread')?.imports).toEqual(['Below']);
    expect([...modules.keys()].toSorted()).toEqual(['Below', 'Misread']);
  });

  it('gives each file a separate process, and counts an option that may run code as code', async () => {
    const environment = environmentOfFile(path.join(project.folder, 'Above.lean'), above);
    const pids = new Set<number | undefined>();
    for (let file = 0; file < 2; file++)
      await project.lean.pool.use(async (lease) => {
        await lease.request('memory', {});
        pids.add(lease.pid);
      }, forFile(environment));
    expect(pids.size).toBe(2);
    const open = async (options: Options): Promise<unknown> =>
      await project.lean.pool.environments.open({ ...environment, options });
    expect(await open({ 'pp.all': true })).toMatchObject({ value: { code: false } });
    for (const name of ['doc.verso', 'debug.skipKernelTC', 'weak.linter.all'])
      expect(await open({ [name]: true })).toMatchObject({ value: { code: true } });
  });

  it('allows a private theorem in a public declaration if the text does, and reports errors in one', async () => {
    const lent = 'set_option backward.privateInPublic true in\n';
    const fine = `module\npublic section\n${lent}private theorem one : 1 = 1 := rfl\n${lent}instance two : Inhabited (PLift (1 = 1)) := ⟨⟨one⟩⟩\n`;
    const modules = [
      project.write('Lent.lean', fine),
      project.write('LentBroken.lean', `module\n${lent}private theorem no : 1 = 2 := by decide\n`),
    ];
    const found = findProject(project.folder);
    const graph = graphOf(
      found,
      modules.map((file) => found.moduleAt(file)),
    );
    const { modules: built, failed } = await build(() => graph, project.builder);
    expect([...built.keys()]).toEqual(['Lent']);
    expect(failed.get('LentBroken')?.errors[0]).toMatch(/LentBroken\.lean:3:\d+: /);
  });
});
