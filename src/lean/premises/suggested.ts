import type { Message } from '../base/protocol.ts';
import { librarySearches, suggestionsOf } from '../base/suggestions.ts';
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

async function suggestedNames(lease: Lease, asked: OpenedStatement): Promise<string[]> {
  const messages = await messagesOf(lease, asked, 'suggestions', { deadlineMs: engineMs });
  return messages
    .flatMap(({ text }) => [...text.matchAll(/^ {2}(\S+) \(score: /gm)].map(([, name = '']) => name))
    .filter((name) => !isTacticName(name));
}

/** About three seconds of the reference machine. */
const searchHeartbeats = 10_000;
/** What `exact?` answers is a proof; the others propose steps. */
const weights = { exact: 10, apply: 3, rewrite: 2 };

/**
 * The theorems in what `exact?` answers, or else in what `apply?` and `rw?` answer; for a term, `rw?` alone. Too slow for every
 * goal of a search, but a person who asks waits for the best answer.
 */
export async function searchRetrievers(
  lease: Lease,
  asked: OpenedStatement,
  isTerm: boolean,
  isTheorem: (name: string) => boolean,
): Promise<Retriever[]> {
  const search = async (name: keyof typeof weights, tactic: string): Promise<Retriever[]> => {
    const messages = await messagesOf(lease, asked, tactic, { heartbeats: searchHeartbeats });
    const written = suggestionsOf(messages).flatMap((text) => text.match(libraryName) ?? []);
    const found = [...new Set(written)].filter(isTheorem);
    const rank: Retriever['rank'] = (_, limit) =>
      found.slice(0, limit).map((one, place) => ({ name: one, score: -place }));
    return found.length === 0 ? [] : [{ name, weight: weights[name], rank }];
  };
  const [exact, rewrite, apply] = librarySearches;
  const proof = isTerm ? [] : await search('exact', exact);
  if (proof.length > 0) return proof;
  const steps = isTerm ? [] : await search('apply', `(intros; ${apply})`);
  return [...steps, ...(await search('rewrite', `(intros; ${rewrite})`))];
}

const libraryName = /[\p{L}_][\p{L}\p{N}_'!?₀-₉]*(?:\.[\p{L}_][\p{L}\p{N}_'!?₀-₉]*)*/gu;

/** The messages of a tactic on the goal of a statement; none if it fails. */
async function messagesOf(
  lease: Lease,
  { session, statement }: OpenedStatement,
  tactic: string,
  { heartbeats, ...limits }: { heartbeats?: number; deadlineMs?: number },
): Promise<readonly Message[]> {
  const opened = await lease.request('start', { session, statement });
  if (!opened.ok) return [];
  const step = { state: opened.state, tactic, ...(heartbeats !== undefined && { heartbeats }) };
  const answer = await lease.request('step', step, limits);
  const states = [opened.state, ...(answer.ok ? [answer.state] : [])];
  await lease.request('drop', { states });
  return answer.ok ? answer.messages : [];
}
