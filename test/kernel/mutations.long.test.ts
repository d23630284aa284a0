import { expect, test } from 'vitest';
import { openGate, allHonest } from '../soundness/run.ts';
import { SeededRandom } from '../helpers/random.ts';
import { kernelAlone, questionOf } from './judged-alone.ts';
import { changeNames, mutate } from './mutate.ts';

const runs = 10_000;

/** Real exports, changed in one place: whatever the second kernel accepts, Lean's judge accepts as well. */
test(`${runs} mutated exports: the second kernel accepts nothing that Lean's judge refuses`, async () => {
  await using lean = await openGate('init');
  const kernel = kernelAlone(lean);
  const random = new SeededRandom(1);
  const pick = (bound: number): number => random.below(bound);
  const questions = [];
  for (const row of allHonest) {
    const question = 'file' in row ? undefined : await questionOf(lean, row);
    if (question?.statement !== undefined) questions.push({ ...question, statement: question.statement });
  }
  const disagreements: string[] = [];
  let judged = 0;
  for (let i = 0; judged < runs; i++) {
    const question = questions[i % questions.length];
    if (question === undefined) throw new Error('no exports');
    const change = changeNames[pick(changeNames.length)] ?? 'type';
    const candidate = mutate(JSON.stringify(question.candidate), change, pick);
    if (candidate === undefined) continue;
    judged++;
    const data: unknown = JSON.parse(candidate);
    const opinion = await kernel.judge({ ...question, candidate: data }, { deadlineMs: 20_000 });
    if (opinion.theorems.some(({ outcome }) => outcome.answer !== 'accept')) continue;
    const reply = await lean.pool.use(
      async (lease) =>
        await lease.request(
          'judge',
          {
            statement: question.statement,
            candidate: data,
            allow_axioms: question.allowAxioms as string[][],
          },
          { deadlineMs: 20_000 },
        ),
    );
    if (!reply.ok) disagreements.push(`${change}: ${reply.kind}: ${reply.message}: ${candidate}`);
  }
  await kernel.close();
  expect(disagreements).toEqual([]);
});
