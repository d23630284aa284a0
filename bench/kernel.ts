import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ledgerOf } from '../src/app/ledger.ts';
import { openLean } from '../src/app/lean.ts';
import { secondKernelFolder, settingsFrom } from '../src/app/settings.ts';
import { elaborateClaim, elaborateFile, stateClaim } from '../src/lean/gate/roles.ts';
import { imageOfFiles } from '../src/lean/goals/files.ts';
import { isLeanGoal, type LeanGoal } from '../src/lean/goals/goal.ts';
import { environmentOfFile } from '../src/lean/project/environment.ts';
import { forFile } from '../src/lean/workers/pool.ts';
import { LibraryCache } from '../src/lean/second-kernel/library-cache.ts';
import { SecondKernel, type SecondQuestion } from '../src/lean/second-kernel/second-kernel.ts';
import { keep } from './keep.ts';
import { renderTable } from './table.ts';

/**
 * Compares the second kernel with Lean's: CPU per proof for the accepted proofs of a ledger, over the same exports. Both check each
 * proof twice, and the second time counts, when both have loaded the library constants that it needs. `--every 3` takes every third
 * proof.
 *
 * With files instead of a ledger: every declaration of each file, and every constant of the project that it reaches, with all proofs.
 * What Lean's judge does not accept (a `sorry`) is not counted.
 * Usage: npm run bench:kernel -- [--ledger FILE] [--every N] [--out FILE] [FILE.lean…]
 */
const { values: options, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { ledger: { type: 'string' }, every: { type: 'string', default: '1' }, out: { type: 'string' } },
});
const settings = settingsFrom({ lean: 'embedded', ...(options.ledger && { ledger: options.ledger }) });
const limits = { deadlineMs: 600_000 };
const every = Number(options.every);

await using lean = await openLean(settings, {
  image: files.length > 0 ? imageOfFiles(files) : 'init',
  files,
  slots: 1,
});
const kernel = new SecondKernel(new LibraryCache(lean.pool, secondKernelFolder(settings)));
const answers = { accept: 0, refuse: 0, decline: 0 };
const times: { lean: number; ours: number }[] = [];
try {
  if (files.length > 0) for (const file of files) await compareFile(file);
  else await compareLedger();
} finally {
  await kernel.close();
}
const { lean: ofLean, ours } = {
  lean: median(times.map((one) => one.lean)),
  ours: median(times.map((one) => one.ours)),
};
const total = answers.accept + answers.refuse + answers.decline;
const peak = process.resourceUsage().maxRSS / 1024;
const figures = [
  { name: files.length > 0 ? 'declarations' : 'proofs', value: total, unit: '' },
  {
    name: 'accepted by the second kernel',
    value: (100 * answers.accept) / total,
    unit: '%',
    floor: 99,
  },
  { name: 'refused', value: answers.refuse, unit: '', floor: 0, smallerIsBetter: true },
  { name: "median CPU of Lean's judge", value: ofLean * 1000, unit: 'ms' },
  { name: 'median CPU of the second kernel', value: ours * 1000, unit: 'ms' },
  { name: 'second kernel / Lean', value: ours / ofLean, unit: '', floor: 3, smallerIsBetter: true },
  { name: 'peak memory of the process', value: peak, unit: 'MiB', floor: 1024, smallerIsBetter: true },
];
console.log(renderTable(figures));
keep(options.out, { answers, figures });

async function compareLedger(): Promise<void> {
  for (const { goal, proof } of (await acceptedProofs()).filter((_, index) => index % every === 0)) {
    const question = await questionOf(goal, proof);
    if (question === undefined) continue;
    await leanJudges(question);
    await kernel.judge(question, limits);
    const seconds = await leanJudges(question);
    const { theorems, cpuSeconds } = await kernel.judge(question, limits);
    const outcome = theorems[0]?.outcome ?? { answer: 'decline', message: 'no theorem' };
    answers[outcome.answer]++;
    if (outcome.answer !== 'accept') console.log(`${goal.id}: ${outcome.answer}: ${outcome.message}`);
    times.push({ lean: seconds, ours: cpuSeconds });
  }
}

/** Compares the second kernel with Lean's judge on the declarations of a file that the judge accepts. */
async function compareFile(file: string): Promise<void> {
  const text = readFileSync(file, 'utf8');
  const made = await lean.pool.use(
    async (lease) => await elaborateFile(lease, text, limits),
    forFile(environmentOfFile(file, text)),
  );
  if (!made.ok) return console.log(`${file}: Lean does not elaborate it: ${made.error.failure.message}`);
  const candidate = made.value.data;
  const { declarations } = z.object({ declarations: z.array(z.unknown()) }).parse(candidate);
  const judge = async (): ReturnType<typeof judgeFile> => await judgeFile(candidate);
  await judge();
  const byLean = await judge();
  if (!byLean.ok) return console.log(`${file}: Lean's judge: ${byLean.message}`);
  const refusedByLean = new Set(byLean.theorems.filter((one) => !one.ok).map(({ name }) => name));
  const question = { kind: 'file', statement: undefined, candidate, allowAxioms: [] } as const;
  await kernel.judge(question, limits);
  const { theorems, cpuSeconds } = await kernel.judge(question, limits);
  const stopped = theorems.filter(
    ({ name, outcome }) => outcome.answer !== 'accept' && !refusedByLean.has(name),
  );
  for (const { name, outcome } of stopped) {
    answers[outcome.answer]++;
    if (outcome.answer !== 'accept') console.log(`${file}: ${name}: ${outcome.answer}: ${outcome.message}`);
  }
  answers.accept += declarations.length - refusedByLean.size - stopped.length;
  times.push({ lean: byLean.cost.cpuSeconds, ours: cpuSeconds });
  console.log(
    `${file}: ${declarations.length} declarations, Lean ${byLean.cost.cpuSeconds.toFixed(2)} s, second kernel ${cpuSeconds.toFixed(2)} s`,
  );
}

// oxlint-disable-next-line typescript/explicit-function-return-type -- the reply's type has no name
async function judgeFile(candidate: unknown) {
  return await lean.pool.use(
    async (lease) => await lease.request('judge-file', { candidate, allow_axioms: [] }, limits),
  );
}

async function acceptedProofs(): Promise<{ goal: LeanGoal; proof: string }[]> {
  await using ledger = await ledgerOf(settings);
  const found: { goal: LeanGoal; proof: string }[] = [];
  for (const { run } of await ledger.views.runs(50))
    for (const { goal, status } of await ledger.views.goalsOf(run)) {
      const detail = status === 'solved' ? await ledger.views.goal(run, goal) : undefined;
      const [proof] = detail?.proofs ?? [];
      if (proof && isLeanGoal(detail?.task)) found.push({ goal: detail.task, proof: proof.proof });
    }
  return found;
}

/** The exports of a proof, as the gate passes them to its judge. */
async function questionOf(
  { preamble, statement, allowAxioms, environment }: LeanGoal,
  proof: string,
): Promise<(SecondQuestion & { statement: string }) | undefined> {
  const claim = { preamble, statement, allowAxioms, environment, proof };
  return await lean.pool.use(
    async (lease) => {
      const stated = await stateClaim(lease, claim, limits);
      if (!stated.ok) return undefined;
      const made = await elaborateClaim(lease, claim, limits);
      if (!made.ok) return undefined;
      return {
        kind: 'claim',
        statement: stated.value.data.data,
        candidate: made.value.data,
        allowAxioms: [],
      };
    },
    { preamble },
  );
}

async function leanJudges({ statement, candidate }: SecondQuestion & { statement: string }): Promise<number> {
  const reply = await lean.pool.use(
    async (lease) => await lease.request('judge', { statement, candidate, allow_axioms: [] }, limits),
  );
  return reply.cost.cpuSeconds;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
