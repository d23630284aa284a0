import type { FrontierNode, Search, SearchStart } from './search-memory.ts';

/** The 16-byte key of a state. */
export function hashOfState(state: string): Buffer {
  if (!/^[0-9a-f]{32}$/.test(state))
    throw new TypeError(`a state is 32 hexadecimal digits, not ${JSON.stringify(state)}`);
  return Buffer.from(state, 'hex');
}

interface FrontierRow {
  readonly start: SearchStart | null;
  readonly nodes: readonly FrontierNode[];
}

/** A search from its row; undefined if its start was not stored. */
export function searchFrom({ start, nodes }: FrontierRow): Search[] {
  // an older orch stored the start only if it was still unexplored
  const first = start ?? nodes.find(({ tactics }) => tactics.length === 0);
  return first ? [{ start: { state: first.state, goals: first.goals }, nodes }] : [];
}
