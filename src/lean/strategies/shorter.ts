import * as z from 'zod';
import type { GoalModel } from '../../models/configured.ts';
import type { Proposer } from '../improve/golf/golf.ts';
import { AskedModel } from './asked-model.ts';
import { plainTactics, wouldRunPrograms } from './plain-tactics.ts';

const most = { count: 6, length: 2000, preamble: 12_000 };
const maxTokens = 3000;
const Answer = z.object({ proofs: z.array(z.string()) });
const schema = { name: 'proofs', json: z.toJSONSchema(Answer) };

/** Shorter scripts for an accepted proof, from a language model. Its answers are only proposals; no answer is no proposal. */
export function shorterFrom(model: GoalModel): Proposer {
  return async (workbench, facts, { proof, tactics }, signal) => {
    const { preamble, statement } = workbench.goal;
    const values = {
      preamble: preamble.slice(-most.preamble),
      statement,
      proof,
      tactics: String(tactics),
      lemmas: [...facts.definitions, ...facts.lemmas].join(', ') || 'none',
      count: String(most.count),
    };
    const request = { samples: 1, temperature: 0, maxTokens, schema };
    const answer = await new AskedModel(model, workbench).ask('golf-proof', values, request, signal);
    const { data } = Answer.safeParse(answer.ok ? answer.value.samples[0]?.value : undefined);
    const said = (data?.proofs ?? []).filter((script) => !wouldRunPrograms(script));
    return plainTactics(said, { most: most.count, length: most.length });
  };
}
