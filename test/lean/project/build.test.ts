import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeanEngine } from '../../../src/app/engine.ts';
import { ProofsInPlace } from '../../../src/lean/writing/proofs-in-place.ts';
import { readLeanSide } from '../../../src/lean/blueprint/lean-side.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { LeanDomain } from '../../../src/lean/domain.ts';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { examineStatement } from '../../../src/lean/market/examine.ts';
import { Market, type TicketRequest } from '../../../src/lean/market/market.ts';
import type { Lease } from '../../../src/lean/workers/lease.ts';
import { forFile } from '../../../src/lean/workers/pool.ts';
import { openProject } from '../../../src/lean/premises/library.ts';
import { build } from '../../../src/lean/project/build.ts';
import { Declarations } from '../../../src/lean/project/declarations.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import type { Options } from '../../../src/lean/base/options.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { fillFile, writeFilled, type FilledFile } from '../../../src/lean/writing/writer.ts';
import type { Found } from '../../../src/lean/writing/found.ts';
import { TestProject } from '../../helpers/project.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';

/** What a file may leave to those that import it: a `sorry`, an axiom. */
const below = `
def two : Nat := 2
theorem honest : two = 2 := rfl
private theorem hidden : 2 = two := rfl
theorem shown : 2 = two := hidden
theorem open_ : two = 2 := sorry
axiom assumed : two = 3
`;
/** A constant that no kernel saw: an option that makes such ones counts as code. */
const forged = `
set_option debug.skipKernelTC true in
theorem forged : (1 : Nat) = 2 := by decide +kernel
`;
/** Code that runs wherever it is imported. */
const coded = `
def three : Nat := 3
initialize
  try IO.FS.writeFile "/lean/output/left.txt" "here" catch _ => pure ()
`;
const above = `import Below

theorem good : two = 2 := honest
theorem good' : 2 = two := shown
theorem on_sorry : two = 2 := open_
theorem on_axiom : two = 3 := assumed
`;
const onForged = `import Forged

theorem on_forged : (1 : Nat) = 2 := forged
`;

let project: TestProject;
const permit = async (): Promise<void> => {};

beforeAll(async () => {
  project = await TestProject.open();
  project.write('Below.lean', below);
  project.write('Above.lean', above);
});

afterAll(async () => await project.close());

describe('a project of several modules', () => {
  it('is judged down to the library: nothing that a dependency hides gets through', async () => {
    const file = path.join(project.folder, 'Above.lean');
    const gate = project.lean.gate;
    const environment = environmentOfFile(file, above);
    const verdicts = await gate.checkFile({ text: above, environment }, { deadlineMs: 60_000 });
    expect(
      Object.fromEntries(verdicts.map(({ name, verdict, kind }) => [name, `${verdict} ${kind}`])),
    ).toEqual({
      good: 'accepted proved',
      "good'": 'accepted proved',
      on_sorry: 'rejected sorry',
      on_axiom: 'rejected axiom',
    });
    const [sorry, axiom] = ['on_sorry', 'on_axiom'].map((one) => verdicts.find(({ name }) => name === one));
    expect(sorry).toMatchObject({ assumes: ['open_'], assurance: null });
    expect(sorry?.message).toBe('it rests on open_, where a sorry stands for a proof');
    expect(axiom).toMatchObject({ assumes: ['assumed'], assurance: null });
    const claim = {
      environment,
      preamble: 'import Below',
      statement: 'theorem t : two = 2',
      proof: 'by decide',
    };
    const first = await gate.check(claim);
    expect(first).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });

    const opened = await project.lean.pool.environments.open(environment);
    expect(opened).toMatchObject({ value: { code: false } });
  });

  it('answers for a blueprint file by file: a lemma that others use is the word of its own file', async () => {
    const [higher, lower] = ['Above.lean', 'Below.lean'].map((name) => path.join(project.folder, name));
    if (!higher || !lower) throw new Error('two files');
    const files = [
      { file: higher, text: above },
      { file: lower, text: below },
    ];
    const { names, unread } = await readLeanSide(project.lean, files, ['good', 'honest', 'two', 'open_']);
    expect([...unread]).toEqual([]);
    expect(['good', 'honest', 'open_', 'two'].map((name) => names.get(name))).toMatchObject([
      { file: higher, verdict: { kind: 'proved' } },
      { file: lower, verdict: { kind: 'proved' } },
      { file: lower, verdict: { kind: 'sorry' } },
      { file: lower, verdict: undefined },
    ]);
  });

  it('the premises of the modules below are asked for beside the library: private ones are nobody’s', async () => {
    const environment = environmentOfFile(path.join(project.folder, 'Above.lean'), above);
    const found = await project.lean.pool.use(
      async (lease) => await openProject(path.join(project.folder, 'premises'), lease),
      { environment },
    );
    expect([...(found?.all() ?? [])].map(({ name, module }) => `${module} ${name}`).sort()).toEqual(
      ['assumed', 'honest', 'open_', 'shown', 'two'].map((name) => `Below ${name}`),
    );
    found?.close();
    const none = async (lease: Lease): Promise<unknown> => await openProject(project.folder, lease);
    expect(await project.lean.pool.use(none)).toBeUndefined();
  });

  it('has goals whose lemmas share their context: asked for, examined, proved and delivered there', async () => {
    const text = 'import Below\n';
    const environment = environmentOfFile(path.join(project.folder, 'Above.lean'), above);
    const gate = project.lean.gate;
    const domain = new LeanDomain(project.lean.pool, gate);
    const goal: LeanGoal = {
      id: 'g',
      preamble: text,
      environment,
      statement: 'theorem g : two + 1 = 3 ∧ two = 2',
      holes: wholeStatement,
      topic: null,
      label: null,
      allowAxioms: [],
      source: null,
    };
    const request = domain.lemmas.request(goal, 'theorem helper : two + 1 = 3');
    const { ledger, clock } = await temporaryLedger();
    const market = new Market(ledger.tickets, ledger.journal, clock);
    const ticket: TicketRequest = {
      goal: request.statement,
      ...request.columns,
      suggested_name: request.name,
      constraints: [],
      priority: 0.5,
      requester: 'g',
      dependencies: [],
    };
    const asked = await market.request(ticket);
    expect(await market.request(ticket)).toMatchObject({ kind: 'known' });
    expect(await market.request({ ...ticket, environment: null })).toMatchObject({ kind: 'opened' });
    const elsewhere = { ...environment, project: path.join(project.folder, 'elsewhere') };
    expect(await market.request({ ...ticket, environment: elsewhere })).toMatchObject({ kind: 'opened' });

    const lemma = domain.lemmas.goalOf(asked.ticket);
    expect(await examineStatement(project.lean, lemma)).toMatchObject({
      ok: true,
      value: { name: request.name },
    });
    const opened = await domain.open(lemma, permit, new AbortController().signal);
    expect(opened).toMatchObject({ kind: 'open' });
    if (opened.kind === 'open') await domain.close(opened.work);
    const done = await market.complete(asked.ticket.ticket_id, 'me', 'rfl', gate);
    expect(done).toMatchObject({ verdict: { verdict: 'accepted', assurance: 'replayed' } });
    const { fingerprint } = await gate.check({ ...lemma, proof: 'rfl' });
    expect(done).toMatchObject({ verdict: { fingerprint } });
  });

  it('shows a constant that no kernel saw to everyone above it', async () => {
    project.write('Forged.lean', forged);
    const environment = environmentOfFile(project.write('OnForged.lean', onForged), onForged);
    const verdicts = await project.lean.gate.checkFile(
      { text: onForged, environment },
      { deadlineMs: 60_000 },
    );
    expect(verdicts.find(({ name }) => name === 'on_forged')).toMatchObject({
      verdict: 'rejected',
      kind: 'kernel',
    });
    expect(await project.lean.pool.environments.open(environment)).toMatchObject({ value: { code: true } });
  });

  it('is compiled once; a file that fails takes only its importers with it, and says where', async () => {
    project.write('Broken.lean', 'import Below\n\ntheorem no : two = 3 := by\n  decide\n');
    project.write('Over.lean', 'import Broken\n');
    project.write('Coded.lean', coded);
    project.write('OnCode.lean', 'import Coded\ntheorem four : three + 1 = 4 := rfl\n');
    const found = findProject(project.folder);
    const result = await build(() => graphOf(found, found.targets()), project.builder);
    expect(result.modules.get('Below')).toMatchObject({ cached: true, code: false });
    expect(result.modules.get('Coded')).toMatchObject({ code: true });
    expect(result.modules.get('Below')?.warnings[0]?.text).toContain('sorry');
    expect([...result.modules.keys()].toSorted()).toEqual([
      'Above',
      'Below',
      'Coded',
      'Forged',
      'OnCode',
      'OnForged',
    ]);
    expect(readdirSync(result.folder).toSorted()).toEqual([
      ...['Above', 'Below', 'Coded', 'Forged', 'OnCode', 'OnForged'].flatMap((name) => [
        `${name}.ilean`,
        `${name}.olean`,
      ]),
      'manifest.json',
    ]);
    expect(result.failed.get('Broken')?.errors[0]).toMatch(/Broken\.lean:4:3: .*decide/);
    expect(result.failed.get('Over')).toMatchObject({ because: 'Broken' });
  });

  it('says where the modules below a file declare their names', async () => {
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

  it('gets its proofs in place, from below: exactly the sorrys go, importers are compiled again, what breaks one stays out', async () => {
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
    const provedBy = (proofs: Record<string, string>): Found => ({
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

    // what was a sorry a moment ago may be rested on now
    const proofs = provedBy({ low: 'by rfl', high: 'by rw [low, h, h]' });
    const before = readFileSync(high, 'utf8');
    expect(await inPlace.more(engine, project.lean, proofs, false)).toBe(false);
    expect(readFileSync(high, 'utf8')).toBe(before.replace('sorry', 'by rw [low, h, h]'));
    expect(notes).toEqual([`${low}: 1 proof in place`, `${high}: 1 proof in place`]);
    expect(project.compiled).toEqual(['Low', 'High']);
  });

  it('is unknown, with what to do, where a module is not there', async () => {
    const text = 'import Nowhere\ntheorem t : 1 = 1 := rfl';
    const environment = environmentOfFile(project.write('Next.lean', text), text);
    const [verdict] = await project.lean.gate.checkFile({ text, environment });
    expect(verdict).toMatchObject({ verdict: 'unknown', kind: 'missing-import' });
    expect(verdict?.message).toMatch(/no module Nowhere: .* has no such file/);
  });

  it('is built anew when a module changes, however its import is written', async () => {
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

  it('is named by the imports that Lean reads, where our reader sees fewer', async () => {
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

  it('takes no proof that was judged on modules which have changed, nor one that runs code of its own', async () => {
    project.write('Ground.lean', 'def ground : Nat := 2\n');
    const text = 'import Ground\ntheorem on_ground : ground = 2 := sorry\n';
    const file = project.write('OnGround.lean', text);
    const { goals } = await goalsOfFiles([file], project.lean);
    const fill = async (proof: string): Promise<FilledFile> =>
      await fillFile(
        file,
        goals.map((goal) => ({ goal, proof })),
        project.lean,
      );
    const filled = await fill('rfl');
    expect(filled.placed).toEqual(['on_ground']);
    project.write('Ground.lean', 'def ground : Nat := 3\n');
    expect(await writeFilled(filled, project.lean)).toBe(false);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await fill('rfl')).placed).toEqual([]);
    project.write('Ground.lean', 'def ground : Nat := 2\n');
    project.lean.pool.environments.forget();
    const coding = await fill('by simp (config := { maxSteps := 100 + 1 }) [ground]');
    expect(coding.refused).toMatchObject([{ why: expect.stringContaining('runs code') as string }]);
    expect(await writeFilled(await fill('rfl'), project.lean)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(':= rfl');
  });

  it('gives each of its files a process of its own, and counts an option that may run code as code', async () => {
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

  it('lends a private theorem to what is public where the text says so, and reports what is wrong with one', async () => {
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
