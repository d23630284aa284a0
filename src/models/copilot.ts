import * as z from 'zod';
import { failed, success } from '../core/result.ts';
import { boundedFetch } from './bounded.ts';
import { failureOf } from './failures.ts';
import { cancelled, sampleOf, noUsage, type Embedded, type Generated, type Model } from './model.ts';
import { askForTactics, type TacticServer } from './tactic-server.ts';
import { runsOnOf } from './where.ts';

const Encoded = z.object({ outputs: z.array(z.number()) });

/**
 * A server with Lean Copilot's protocol: it answers a prompt with scored outputs, and a text with a vector. It has no
 * token limits, temperature or price; its best outputs are the samples.
 */
export function copilotModel(server: TacticServer): Model {
  const { url, name } = server;
  return {
    name: `copilot:${url}#${name}`,
    runsOn: runsOnOf(url),
    skill: 'tactics',
    async generate({ prompt, samples, schema }, signal = new AbortController().signal): Promise<Generated> {
      const said = await askForTactics(server, prompt, signal);
      if (signal.aborted) return cancelled;
      if (!said.ok) return failed({ kind: 'failed', message: said.error.message });
      const best = said.value
        .slice(0, samples)
        .map(({ output }) => sampleOf(output, 'stop', schema !== undefined));
      return success({ samples: best, usage: noUsage });
    },
    async embed(texts, signal): Promise<Embedded> {
      try {
        const vectors = [];
        for (const input of texts) vectors.push(await encoded(server, input, signal));
        return success({ vectors, usage: noUsage });
      } catch (error) {
        return failureOf(error, [], signal);
      }
    },
  };
}

async function encoded({ url, name }: TacticServer, input: string, signal?: AbortSignal): Promise<number[]> {
  const answer = await boundedFetch(new URL('/encode', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ name, input }),
    ...(signal && { signal }),
  });
  if (!answer.ok)
    throw Object.assign(new Error(`${url} answers ${answer.status}`), { status: answer.status });
  return Encoded.parse(await answer.json()).outputs;
}
