import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { builderFor, openLean, openToolchain } from '../src/app/lean.ts';
import { settingsFrom } from '../src/app/settings.ts';
import { prove } from '../src/commands/proving.ts';
import { workersOf } from '../src/config/schema.ts';
import { seedFrom } from '../src/core/rng.ts';
import { environmentOfFile } from '../src/lean/environment.ts';
import { wholeStatement, type LeanGoal } from '../src/lean/goals/goal.ts';
import type { LeanPool } from '../src/lean/pool.ts';
import { build } from '../src/lean/project/build.ts';
import { graphOf } from '../src/lean/project/graph.ts';
import { findProject } from '../src/lean/project/project.ts';
import { imageOf } from '../src/lean/toolchain/embedded/image-choice.ts';
import { readTheorems } from '../src/lean/trace/trace.ts';
import { readWritten } from '../src/lean/trace/written-proof.ts';

/**
 * A real project: what its modules cost to compile, what a worker costs that imports them, and how many of its own theorems are
 * proved once their proofs are taken away. What is compiled already is not compiled again; nothing is written into the checkout.
 * Usage: npm run bench:project -- [--checkout DIR] [MODULE…] [--sample N] [--goal-cpu S] [--profile P] [--seed N]
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

const built = await compile();
try {
  await using lean = await openLean(settings, { image });
  await importAll(lean.pool);
  const goals = await sampled(lean.pool, Number(values.sample));
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

async function compile(): Promise<ReadonlySet<string>> {
  const toolchain = await openToolchain(settings, image);
  const builder = builderFor(settings, toolchain, { image, slots: workersOf(settings) });
  if (!builder) throw new Error('the embedded Lean builds modules');
  const startedAt = performance.now();
  const { modules, failed } = await build(graph, builder);
  const seconds = (performance.now() - startedAt) / 1000;
  const costs = [...modules.values()].map(({ cpuSeconds }) => cpuSeconds);
  const sum = costs.reduce((total, cost) => total + cost, 0);
  const peak = Math.max(0, ...[...modules.values()].map(({ peakBytes = 0 }) => peakBytes));
  const fresh = [...modules.values()].filter(({ cached }) => !cached).length;
  say(`${modules.size} of ${graph.byName.size} modules are built, ${fresh} now, in ${seconds.toFixed(0)} s`);
  say(
    `${(sum / costs.length).toFixed(2)} CPU-s a module, ${Math.max(...costs).toFixed(1)} the dearest, ${(peak / 1e6).toFixed(0)} MB the largest`,
  );
  for (const [name, { errors, because }] of failed)
    if (because === undefined) say(`✗ ${name}: ${errors[0] ?? ''}`);
  return new Set(modules.keys());
}

/** A worker for a text that imports all that was asked for. */
async function importAll(pool: LeanPool): Promise<void> {
  const names = wanted.map(({ name }) => name).filter((name) => built.has(name));
  const environment = { imports: names.toSorted(), options: {}, project: project.folder };
  const startedAt = performance.now();
  await pool.use(
    async (lease) => {
      const reply = await lease.request('hello', {});
      if (!reply.ok) throw new Error(reply.message);
      const seconds = (performance.now() - startedAt) / 1000;
      say(
        `a worker that imports them starts in ${seconds.toFixed(1)} s and holds ${(lease.residentBytes / 1e6).toFixed(0)} MB`,
      );
    },
    { environment },
  );
}

/** By chance, and the same for the same seed. */
function rank({ id }: LeanGoal): number {
  return seedFrom(values.seed, id);
}

/** Theorems of the project's own modules, without their proofs. */
async function sampled(pool: LeanPool, count: number): Promise<LeanGoal[]> {
  const all: LeanGoal[] = [];
  for (const { name, file } of graph.order) {
    if (!built.has(name)) continue;
    const read = await readTheorems(pool, file);
    if (!('file' in read)) continue;
    const environment = environmentOfFile(file, read.source.raw);
    for (const { full_name, code, start } of read.premises) {
      const written = readWritten(code);
      if (!written) continue;
      all.push({
        id: full_name,
        preamble: read.source.before(start, []),
        environment,
        statement: written.statement,
        holes: wholeStatement,
        topic: null,
        label: null,
        allowAxioms: [],
        source: `${file}:${start[0]}`,
      });
    }
  }
  return all.toSorted((first, second) => rank(first) - rank(second)).slice(0, count);
}
