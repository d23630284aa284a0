import type { Lease } from '../workers/lease.ts';
import type { OpenedStatement, Retriever } from './retrieve.ts';
import { isTacticName } from './tactic-code.ts';

/**
 * Lean's own premise selection, queried once per statement, in its order. It is available if the environment imports it;
 * elsewhere `suggestions` is an unknown tactic and nothing is suggested.
 */
export async function suggestionRetriever(lease: Lease, asked: OpenedStatement): Promise<Retriever> {
  const names = await suggestedNames(lease, asked);
  return {
    name: 'lean',
    rank: (_, limit) => names.slice(0, limit).map((name, index) => ({ name, score: 1 / (1 + index) })),
  };
}

const engineMs = 5000;

async function suggestedNames(lease: Lease, { session, statement }: OpenedStatement): Promise<string[]> {
  const opened = await lease.request('start', { session, statement });
  if (!opened.ok) return [];
  const limits = { deadlineMs: engineMs };
  const answer = await lease.request('step', { state: opened.state, tactic: 'suggestions' }, limits);
  const states = [opened.state, ...(answer.ok ? [answer.state] : [])];
  await lease.request('drop', { states });
  if (!answer.ok) return [];
  return answer.messages
    .flatMap(({ text }) => [...text.matchAll(/^ {2}(\S+) \(score: /gm)].map(([, name = '']) => name))
    .filter((name) => !isTacticName(name));
}
