import { expect, test } from 'vitest';
import type { SecondQuestion } from '../../src/lean/second-kernel/second-kernel.ts';
import { SeededRandom } from '../helpers/random.ts';
import { allHonest, openGate } from '../soundness/run.ts';
import { kernelAlone, questionOf } from './judged-alone.ts';
import { changeNames, mutate, withPlainLevels } from './mutate.ts';

const runs = 10_000;

/** Real exports, changed in one place. */
test(`${runs} mutated exports: the second kernel and Lean's judge agree on each`, async () => {
  await using lean = await openGate('init');
  const kernel = kernelAlone(lean);
  const random = new SeededRandom(1);
  const pick = (bound: number): number => random.below(bound);
  const questions: (SecondQuestion & { statement: string })[] = [];
  for (const row of allHonest) {
    const question = 'file' in row ? undefined : await questionOf(lean, row);
    if (question?.statement !== undefined) questions.push({ ...question, statement: question.statement });
  }
  const askLean = async ({ statement, allowAxioms }: (typeof questions)[number], candidate: unknown) => {
    const allow_axioms = allowAxioms as string[][];
    return await lean.pool.use(
      async (lease) =>
        await lease.request('judge', { statement, candidate, allow_axioms }, { deadlineMs: 20_000 }),
    );
  };
  const unsound: string[] = [];
  const tooStrict: string[] = [];
  const counts = { accept: 0, refuse: 0, decline: 0 };
  let judged = 0;
  for (let i = 0; judged < runs; i++) {
    const question = questions[i % questions.length];
    if (question === undefined) throw new Error('no exports');
    const change = random.pick(changeNames);
    const candidate = mutate(JSON.stringify(question.candidate), change, pick);
    if (candidate === undefined) continue;
    judged++;
    const data: unknown = JSON.parse(candidate);
    const { theorems } = await kernel.judge({ ...question, candidate: data }, { deadlineMs: 20_000 });
    const stopped = theorems.map(({ outcome }) => outcome).find(({ answer }) => answer !== 'accept');
    counts[stopped?.answer ?? 'accept']++;
    const reply = await askLean(question, data);
    // Lean's kernel does not see that `imax u 1` is `max u 1` everywhere
    if (stopped === undefined && !reply.ok && !(await askLean(question, withPlainLevels(candidate))).ok)
      unsound.push(`${change}: ${reply.kind}: ${reply.message}: ${candidate}`);
    if (stopped?.answer === 'refuse' && reply.ok)
      tooStrict.push(`${change}: ${stopped.message}: ${candidate}`);
  }
  await kernel.close();
  console.log(`mutated exports: ${JSON.stringify(counts)}`);
  expect(unsound).toEqual([]);
  expect(tooStrict).toEqual([]);
  // a mutation that every export survives would test nothing
  expect(counts.accept).toBeGreaterThan(100);
  expect(counts.refuse).toBeGreaterThan(1000);
});
