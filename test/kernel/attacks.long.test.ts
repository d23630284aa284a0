import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lean } from '../../src/app/lean.ts';
import type { SecondKernel } from '../../src/lean/second-kernel/second-kernel.ts';
import { shareOwnProcesses } from '../helpers/shared-workers.ts';
import { kindsOf } from '../soundness/attack.ts';
import { allHonest, openGate } from '../soundness/run.ts';
import { attacks } from '../soundness/suite.ts';
import { kernelAlone, questionOf } from './judged-alone.ts';

/** The whole attack table with Lean's kernel out of the way: the second kernel judges alone. */
describe('the second kernel alone', () => {
  let lean: Lean;
  let kernel: SecondKernel;
  let release: () => void;
  beforeAll(async () => {
    release = shareOwnProcesses();
    lean = await openGate('init');
    kernel = kernelAlone(lean);
  });
  afterAll(async () => {
    await kernel.close();
    await lean[Symbol.asyncDispose]();
    release();
  });

  const answers = async (row: Parameters<typeof questionOf>[1]): Promise<string[]> => {
    const question = await questionOf(lean, row);
    if (question === undefined) return ['not elaborated'];
    const opinion = await kernel.judge(question, { deadlineMs: 60_000 });
    return opinion.theorems.map(({ outcome }) =>
      outcome.answer === 'accept' ? 'accept' : `${outcome.answer}: ${outcome.message}`,
    );
  };

  test.each(allHonest.map((row) => [row.look, row] as const))('accepts %s', async (_look, row) => {
    for (const answer of await answers(row)) expect(answer).toBe('accept');
  });

  // what only the parser or the elaborator can see is in no export, and what a macro swallowed is nowhere
  const harmless: ReadonlySet<string> = new Set([
    // the kernel is asked about the reference's theorems, the gate about the others
    'a theorem beside those of the reference',
    // at level 1 the type is no proposition; an advisory of the gate is stricter
    'data out of a type that may be a proposition',
  ]);
  const elsewhere: ReadonlySet<string> = new Set(['parse', 'elaboration', 'unaccounted']);
  const here = attacks.filter(
    ({ image = 'init', kind, disguise }) =>
      image === 'init' && !harmless.has(disguise) && !kindsOf(kind).some((one) => elsewhere.has(one)),
  );
  test.each(here.map((row) => [`${row.sort}, ${row.disguise}`, row] as const))(
    'refuses %s',
    async (_name, row) => {
      const all = await answers(row);
      expect(all.length === 0 || all.some((answer) => answer !== 'accept')).toBe(true);
    },
  );
});
