import { readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLeanSide } from '../../../src/lean/blueprint/lean-side.ts';
import { goalsOfFiles } from '../../../src/lean/blueprint/file-goals.ts';
import { LeanDomain } from '../../../src/lean/domain.ts';
import { environmentOfFile } from '../../../src/lean/project/environment.ts';
import { wholeStatement, type LeanGoal } from '../../../src/lean/goals/goal.ts';
import { examineStatement } from '../../../src/lean/market/examine.ts';
import { Market, type TicketRequest } from '../../../src/lean/market/market.ts';
import type { Lease } from '../../../src/lean/workers/lease.ts';
import { openProject } from '../../../src/lean/premises/library.ts';
import { build } from '../../../src/lean/project/build.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { fillFile, writeFilled, type FilledFile } from '../../../src/lean/writing/writer.ts';
import { TestProject } from '../../helpers/project.ts';
import { temporaryLedger } from '../../store/ledger/temporary.ts';
import { longTest } from '../../helpers/tier.ts';

/** Problems that a file may pass on to its importers: a `sorry`, an axiom. */
const below = `
def two : Nat := 2
theorem honest : two = 2 := rfl
private theorem hidden : 2 = two := rfl
theorem shown : 2 = two := hidden
theorem open_ : two = 2 := sorry
axiom assumed : two = 3
`;
/** A constant that no kernel checked. An option that allows this counts as code. */
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

describe('a project with several modules', () => {
  it('is judged down to the library, so no dependency can hide an error', async () => {
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
    expect(sorry?.message).toBe('it depends on open_, which contains sorry');
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

  longTest('judges a blueprint’s names file by file', async () => {
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

  it('offers premises of lower modules and the library, except private ones', async () => {
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

  it('shares lemmas between its goals: requested, examined, proved and written', async () => {
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

  longTest('reports a constant that no kernel checked to all its importers', async () => {
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
    for (const name of ['Forged', 'OnForged']) rmSync(path.join(project.folder, `${name}.lean`));
  });

  longTest('is compiled once; a file that fails affects only its importers and is named', async () => {
    project.write('Broken.lean', 'import Below\n\ntheorem no : two = 3 := by\n  decide\n');
    project.write('Over.lean', 'import Broken\n');
    project.write('Coded.lean', coded);
    project.write('OnCode.lean', 'import Coded\ntheorem four : three + 1 = 4 := rfl\n');
    const found = findProject(project.folder);
    const result = await build(() => graphOf(found, found.targets()), project.builder);
    expect(result.modules.get('Below')).toMatchObject({ cached: true, code: false });
    expect(result.modules.get('Coded')).toMatchObject({ code: true });
    expect(result.modules.get('Below')?.warnings[0]?.text).toContain('sorry');
    expect([...result.modules.keys()].toSorted()).toEqual(['Above', 'Below', 'Coded', 'OnCode']);
    expect(readdirSync(result.folder).toSorted()).toEqual([
      ...['Above', 'Below', 'Coded', 'OnCode'].flatMap((name) => [`${name}.ilean`, `${name}.olean`]),
      'manifest.json',
    ]);
    expect(result.failed.get('Broken')?.errors[0]).toMatch(/Broken\.lean:4:3: .*decide/);
    expect(result.failed.get('Over')).toMatchObject({ because: 'Broken' });
  });

  it('is rejected, with the reason, if it needs more than the imports that its constraint allows', async () => {
    const environment = { imports: ['Above', 'Below'], options: {}, project: project.folder };
    const claim = {
      environment,
      preamble: 'import Above\nimport Below',
      statement: 'theorem t : two = 2',
      constraints: ['imports: Below'],
    };
    const verdicts = await Promise.all(
      ['honest', 'good'].map(async (proof) => await project.lean.gate.check({ ...claim, proof })),
    );
    expect(verdicts).toMatchObject([
      { verdict: 'accepted' },
      { verdict: 'rejected', kind: 'constraint', assurance: null },
    ]);
    expect(verdicts[1]?.message).toMatch(/^imports: it does not hold with Below alone \(.*good/i);
  });

  it('is unknown, with a fix, if a module is missing', async () => {
    const text = 'import Nowhere\ntheorem t : 1 = 1 := rfl';
    const environment = environmentOfFile(project.write('Next.lean', text), text);
    const [verdict] = await project.lean.gate.checkFile({ text, environment });
    expect(verdict).toMatchObject({ verdict: 'unknown', kind: 'missing-import' });
    expect(verdict?.message).toMatch(/no module Nowhere: not found in /);
  });

  longTest('accepts no proof judged on changed modules, and none that runs its own code', async () => {
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
});
