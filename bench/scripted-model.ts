import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serveReplies, type Body, type Reply, type Service } from '../test/models/wire.ts';

const hardGoals = path.join(import.meta.dirname, 'hard.jsonl');

interface Row {
  readonly id: string;
  readonly statement: string;
}

/** The goals of `hard.jsonl`: true, and meant to be beyond what deep search finds by itself. */
export function hardRows(): readonly Row[] {
  return readFileSync(hardGoals, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}

/**
 * A model service on this machine that answers from a table: by the statement in the prompt, one reply after the other, the last
 * one for ever. A goal that the table lacks, such as a lemma of a plan, gets an answer that is not a plan.
 */
export async function scriptedModel(table: Readonly<Record<string, readonly Reply[]>>): Promise<Service> {
  const turns = new Map<string, number>();
  const rows = hardRows();
  return await serveReplies((body) => {
    const prompt = promptOf(body);
    const { id = '' } = rows.find(({ statement }) => prompt.includes(statement)) ?? {};
    const turn = turns.get(id) ?? 0;
    turns.set(id, turn + 1);
    const replies = table[id] ?? [];
    return replies[Math.min(turn, replies.length - 1)] ?? { say: '{}' };
  });
}

function promptOf({ messages = [] }: Body): string {
  return messages
    .map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ text }) => text).join('\n'),
    )
    .join('\n');
}
