import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { builderFor, openLean, openToolchain } from '../src/app/lean.ts';
import { leanCacheFolder, settingsFrom } from '../src/app/settings.ts';
import { prove } from '../src/app/reported-run.ts';
import { workersOf } from '../src/config/schema.ts';
import { seedFrom } from '../src/core/rng.ts';
import { environmentOfFile } from '../src/lean/project/environment.ts';
import { wholeStatement, type LeanGoal } from '../src/lean/goals/goal.ts';
import { SourceText } from '../src/lean/base/source-text.ts';
import type { Lease } from '../src/lean/workers/lease.ts';
import type { LeanPool } from '../src/lean/workers/pool.ts';
import { build, type Build } from '../src/lean/project/build.ts';
import { Declarations } from '../src/lean/project/declarations.ts';
import { graphOf } from '../src/lean/project/graph.ts';
import { fileOf } from '../src/lean/base/module-names.ts';
import { findProject } from '../src/lean/project/project.ts';
import { embeddedFolders } from '../src/lean/toolchain/embedded/embedded.ts';
import { imageOf } from '../src/lean/project/image-choice.ts';
import { readWritten } from '../src/lean/learning/trace/written-proof.ts';
import { attempts } from './lean-attempts.ts';

/**
 * Measures a real project: the cost of compiling its modules, the cost of a worker that imports them, the rate of
 * attempts in it, and how many of its theorems are proved after their proofs are removed. Modules that are already
 * compiled are not compiled again; nothing is written into the checkout. Usage: npm run bench:project -- [--checkout
 * DIR] [MODULE…] [--sample N] [--goal-cpu S] [--profile P] [--seed N]
 */
const { values, positionals: targets } = parseArgs({
  allowPositionals: true,
  options: {
    checkout: { type: 'string', default: path.join(import.meta.dirname, '..', 'examples', 'sums') },
    sample: { type: 'string', default: '100' },
    'goal-cpu': { type: 'string', default: '20' },
    profile: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = mkdtempSync(path.join(os.tmpdir(), 'orch-bench-'));
const settings = settingsFrom({
  lean: 'embedded',
  profile: values.profile,
  goal_cpu: values['goal-cpu'],
  ledger: path.join(folder, 'ledger.db'),
});
const project = findProject(values.checkout);
const wanted = targets.length > 0 ? targets.flatMap((name) => project.find(name) ?? []) : project.targets();
const graph = graphOf(project, wanted);
const image = imageOf(graph.library);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** A theorem declaration with its modifiers. */
const theorem =
  /^(?:\/--[\s\S]*?-\/\s*)?(?:@\[[^\]]*\]\s*)?(?:(?:public|private|protected)\s+)*(?:theorem|lemma)\s/;

const built = await compile();
try {
  await using lean = await openLean(settings, { image });
  await importAll(lean.pool);
  const goals = sampled(Number(values.sample));
  await lean[Symbol.asyncDispose]();
  const finished = await prove({
    settings,
    reporter: 'plain',
    choice: { command: 'bench', sources: [project.folder], seed: Number(values.seed), timeout: null },
    image,
    goals: async () => ({ goals, unreadable: [] }),
  });
  say(
    `${finished?.goals_solved ?? 0} of ${goals.length} sampled theorems proved at profile ${values.profile}`,
  );
} finally {
  rmSync(folder, { recursive: true });
}

async function compile(): Promise<Build> {
  const toolchain = await openToolchain(settings, { image });
  const builder = builderFor(settings, toolchain, { image, slots: workersOf(settings) });
  if (!builder) throw new Error('the embedded Lean builds modules');
  const startedAt = performance.now();
  const made = await build(() => graph, builder);
  const { modules, failed } = made;
  const seconds = (performance.now() - startedAt) / 1000;
  const costs = [...modules.values()].map(({ cpuSeconds }) => cpuSeconds);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  const peak = Math.max(0, ...[...modules.values()].map(({ peakBytes = 0 }) => peakBytes));
  const fresh = [...modules.values()].filter(({ cached }) => !cached).length;
  say(`${modules.size} of ${graph.byName.size} modules are built, ${fresh} now, in ${seconds.toFixed(0)} s`);
  say(
    `${(sum / costs.length).toFixed(2)} CPU-s per module, ${Math.max(...costs).toFixed(1)} at most, ${(peak / 1e6).toFixed(0)} MB the largest`,
  );
  for (const [name, { errors, because }] of failed)
    if (because === undefined) say(`✗ ${name}: ${errors[0] ?? ''}`);
  return made;
}

/** A worker for a text that imports all requested modules. */
async function importAll(pool: LeanPool): Promise<void> {
  const names = wanted.map(({ name }) => name).filter((name) => built.modules.has(name));
  const environment = { imports: names.toSorted(), options: {}, project: project.folder };
  const folders = embeddedFolders({ cacheFolder: leanCacheFolder(settings), image });
  const heap = statSync(path.join(folders.image, 'heap.bin')).size;
  const startedAt = performance.now();
  await pool.use(
    async (lease) => {
      const reply = await lease.request('hello', {});
      if (!reply.ok) throw new Error(reply.message);
      const seconds = (performance.now() - startedAt) / 1000;
      say(
        `the image ${image} is ${megabytes(heap)}; a worker that imports them on top of it starts in ${seconds.toFixed(1)} s and holds ${megabytes(lease.residentBytes)}`,
      );
      await attemptAll(lease);
    },
    { environment },
  );
}

/** The attempts used to measure a worker without modules, and Aesop's tactic if available. */
async function attemptAll(lease: Lease): Promise<void> {
  const rounds = 5;
  const session = lease.rootSession;
  const timed = async (list: readonly { statement: string; proof: string }[]): Promise<string> => {
    let cpuSeconds = 0;
    for (const { statement, proof } of list)
      cpuSeconds += (await lease.request('check', { session, statement, proof })).cost.cpuSeconds;
    return (list.length / cpuSeconds).toFixed(1);
  };
  // the first round fills the lazy indexes
  await timed(attempts);
  const many = Array.from({ length: rounds }, () => attempts).flat();
  say(`${await timed(many)} attempts per CPU-second in it (${many.length} of them)`);
  const byAesop = { statement: 'theorem X (p q : Prop) (h : p ∧ q) : q ∧ p', proof: 'by aesop' };
  const { ok } = await lease.request('check', { session, ...byAesop });
  if (ok)
    say(
      `${await timed(Array.from({ length: 20 }, () => byAesop))} of them per CPU-second where each is aesop`,
    );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

/** A pseudo-random rank that depends only on the seed. */
function rank({ id }: LeanGoal): number {
  return seedFrom(values.seed, id);
}

/** Theorems of all built modules, without their proofs, located by the positions in the build's data. */
function sampled(count: number): LeanGoal[] {
  const modules = graph.order.filter(({ name }) => built.modules.has(name));
  const sources = new Map(
    // with the options used to compile the module; files follow Lean's own rule for undeclared names
    modules.map(({ file, text, options }) => [
      file,
      { source: new SourceText(text), options: { relaxedAutoImplicit: true, ...options } },
    ]),
  );
  const declarations = new Declarations();
  declarations.add(
    modules.map(({ name, file }) => ({ file, ilean: path.join(built.folder, fileOf(name, '.ilean')) })),
  );
  const all = new Map<string, LeanGoal>();
  for (const name of declarations.names()) {
    const place = declarations.find(name);
    const written = place && sources.get(place.file);
    if (!written) continue;
    const { source, options } = written;
    const { file, start, end } = place;
    const code = source.between(start, end);
    const proved = theorem.test(code) ? readWritten(code) : undefined;
    if (!proved) continue;
    // on its own, a package's file would belong to the package's own project, where everything is compiled again
    const { imports } = environmentOfFile(file, source.raw);
    // an attribute may declare a second theorem at the same position
    all.set(`${file}:${start[0]}`, {
      id: name,
      preamble: source.before(start, []),
      environment: { imports, options, project: project.folder },
      statement: proved.statement,
      holes: wholeStatement,
      topic: null,
      label: null,
      allowAxioms: [],
      source: `${file}:${start[0]}`,
    });
  }
  say(`${all.size} theorems with a proof that can be taken away`);
  return [...all.values()].toSorted((first, second) => rank(first) - rank(second)).slice(0, count);
}
