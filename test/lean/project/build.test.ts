import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builderFor, leanCacheFolder, settingsFrom } from '../../../src/app.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { environmentOfFile } from '../../../src/lean/environment.ts';
import { Environments } from '../../../src/lean/environments.ts';
import { Gate } from '../../../src/lean/gate/gate.ts';
import { LeanPool } from '../../../src/lean/pool.ts';
import { build, type Builder } from '../../../src/lean/project/build.ts';
import { graphOf } from '../../../src/lean/project/graph.ts';
import { readHeader } from '../../../src/lean/project/header.ts';
import { findProject } from '../../../src/lean/project/project.ts';
import { shareWorkers } from '../../helpers/shared-workers.ts';
import { embeddedLean } from '../../helpers/toolchain.ts';

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

let folder: string;
let builder: Builder;
let pool: LeanPool;
let judges: LeanPool;
let unshare: () => void;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'orch-build-'));
  write('Below.lean', below);
  write('Above.lean', above);
  const toolchain = await embeddedLean();
  const made = builderFor(settingsFrom(), toolchain, { image: 'init', slots: 1 });
  if (!made) throw new Error('the embedded Lean builds modules');
  // a folder of its own inside the cache: what other tests have built must not help
  builder = { ...made, toolchain: `${made.toolchain} ${path.basename(folder)}` };
  const environments = new Environments(toolchain, builder);
  pool = new LeanPool(toolchain, systemClock, { slots: 1, spare: false, environments });
  judges = new LeanPool(toolchain, systemClock, { slots: 1, spare: false });
  unshare = shareWorkers(() => [...pool.status(), ...judges.status()].flatMap(({ pid }) => pid ?? []));
});

afterAll(async () => {
  await Promise.all([pool.close(), judges.close()]);
  unshare();
  rmSync(folder, { recursive: true });
  const modules = path.join(leanCacheFolder(settingsFrom()), 'modules');
  for (const name of readdirSync(modules))
    if (/^(?:Below|Above|Broken|Over|Next|Coded|OnCode|Forged|OnForged)-/.test(name))
      rmSync(path.join(modules, name), { recursive: true });
});

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('a project of several modules', () => {
  it('is judged down to the library: nothing that a dependency hides gets through', async () => {
    const file = path.join(folder, 'Above.lean');
    const gate = new Gate(pool, judges);
    const environment = environmentOfFile(file, above);
    const verdicts = await gate.checkFile({ text: above, environment }, { deadlineMs: 60_000 });
    expect(
      Object.fromEntries(verdicts.map(({ name, verdict, kind }) => [name, `${verdict} ${kind}`])),
    ).toMatchObject({
      good: 'accepted proved',
      "good'": 'accepted proved',
      on_sorry: 'rejected sorry',
      on_axiom: 'rejected axiom',
    });
    const claim = {
      environment,
      preamble: 'import Below',
      statement: 'theorem t : two = 2',
      proof: 'by decide',
    };
    const first = await gate.check(claim);
    expect(first).toMatchObject({ verdict: 'accepted', assurance: 'replayed' });

    const opened = await pool.environments.open(environment);
    expect(opened).toMatchObject({ code: false });
  }, 120_000);

  it('shows a constant that no kernel saw to everyone above it', async () => {
    write('Forged.lean', forged);
    const environment = environmentOfFile(write('OnForged.lean', onForged), onForged);
    const verdicts = await new Gate(pool, judges).checkFile(
      { text: onForged, environment },
      { deadlineMs: 60_000 },
    );
    expect(verdicts.find(({ name }) => name === 'on_forged')).toMatchObject({
      verdict: 'rejected',
      kind: 'kernel',
    });
    expect(await pool.environments.open(environment)).toMatchObject({ code: true });
  }, 120_000);

  it('is compiled once; a file that fails takes only its importers with it, and says where', async () => {
    write('Broken.lean', 'import Below\n\ntheorem no : two = 3 := by\n  decide\n');
    write('Over.lean', 'import Broken\n');
    write('Coded.lean', coded);
    write('OnCode.lean', 'import Coded\ntheorem four : three + 1 = 4 := rfl\n');
    const project = findProject(folder);
    const result = await build(graphOf(project, project.targets()), builder);
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
      'Above.olean',
      'Below.olean',
      'Coded.olean',
      'Forged.olean',
      'OnCode.olean',
      'OnForged.olean',
      'manifest.json',
    ]);
    expect(result.failed.get('Broken')?.errors[0]).toMatch(/Broken\.lean:4:3: .*decide/);
    expect(result.failed.get('Over')).toMatchObject({ because: 'Broken' });
  }, 120_000);

  it('is unknown, with what to do, where a module is not there', async () => {
    const text = 'import Nowhere\ntheorem t : 1 = 1 := rfl';
    const environment = environmentOfFile(write('Next.lean', text), text);
    const [verdict] = await new Gate(pool, judges).checkFile({ text, environment });
    expect(verdict).toMatchObject({ verdict: 'unknown', kind: 'missing-import' });
    expect(verdict?.message).toMatch(/no module Nowhere: .* has no such file/);
  });

  it('has headers that are read as Lean reads them', async () => {
    const texts = [
      'import A import B.C',
      '-- x\n/- y /- z -/ -/ import «a b».C\n/-- d -/ theorem x : 1 = 1 := rfl',
      'module\npublic import A\npublic meta import B\nimport all C\nmeta import D',
      'prelude\nimport Init.Core',
      'def importA := 1',
    ];
    const reply = await pool.use(async (lease) => await lease.request('headers', { texts }));
    expect(reply.ok && reply.headers.map((header) => header.ok && withoutInit(header))).toEqual(
      texts.map((text) => readHeader(text)),
    );
  });
});

function withoutInit({
  module,
  imports,
}: {
  module: boolean;
  imports: readonly { module: string }[];
}): unknown {
  return { isModule: module, imports: imports.filter(({ module: name }) => name !== 'Init') };
}
