import type { Hono } from 'hono';
import * as z from 'zod';
import { encodeText, goalsOfText, suggestTactics } from '../../lean/dialects/copilot.ts';
import type { Orch } from '../../app/orch.ts';
import type { Endpoint } from '../endpoints.ts';
import { bodyOf } from './body.ts';

const text = z.string().max(1_000_000);
const generateBody = z.object({
  name: z.string().default('').describe('Accepted; there is one generator'),
  input: text.describe('A tactic state, as Lean prints it'),
  prefix: z.string().max(10_000).nullish(),
});
const encodeBody = z.object({ name: z.string().default(''), input: text });

export const copilotEndpoints = {
  generate: {
    method: 'post',
    path: '/generate',
    summary: 'Tactics for a state, for Lean Copilot',
    body: generateBody,
    response: z.object({ outputs: z.array(z.object({ output: z.string(), score: z.number() })) }),
    refusals: [401, 413, 415, 422],
  },
  encode: {
    method: 'post',
    path: '/encode',
    summary: 'A vector for a text, for Lean Copilot',
    body: encodeBody,
    response: z.object({ outputs: z.array(z.number()) }),
    refusals: [401, 413, 415, 422],
  },
} as const satisfies Record<string, Endpoint>;

const premiseCount = 6;

/**
 * Answers Lean Copilot's requests to an external model with our generators and premises. Building the index takes longer than an editor waits, so until it is ready answers use no premises.
 */
export function addCopilot(app: Hono, orch: Orch): void {
  let isIndexed = false;
  void orch.premises('index', 1).then(
    () => (isIndexed = true),
    () => undefined,
  );
  app.post(copilotEndpoints.generate.path, async (context) => {
    const { input, prefix } = await bodyOf(context, generateBody);
    const [goal] = goalsOfText(input);
    const premises = goal && isIndexed ? await orch.premises(goal.target, premiseCount) : [];
    const names = premises.filter(({ kind }) => kind !== 'definition').map(({ name }) => name);
    return context.json({ outputs: suggestTactics(input, prefix ?? '', names) });
  });
  app.post(copilotEndpoints.encode.path, async (context) => {
    const { input } = await bodyOf(context, encodeBody);
    return context.json({ outputs: encodeText(input) });
  });
}
