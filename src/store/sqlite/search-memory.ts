import type { PremiseTrial, PremiseUse } from '../ledger/experience.ts';
import type {
  FrontierNode,
  Search,
  SearchMemoryBounds,
  SearchStart,
  TacticStep,
} from '../ledger/search-memory.ts';
import { hashOfState, searchFrom } from '../ledger/search-rows.ts';
import { decode, type Database } from './database.ts';

interface StepRow extends Omit<TacticStep, 'state' | 'premises' | 'next' | 'words'> {
  readonly state: string;
  readonly premises: readonly string[] | null;
  readonly next: string | null;
  readonly words: readonly string[] | null;
}

export function selectStepsFrom(database: Database, states: readonly string[]): TacticStep[] {
  const rows = decode<StepRow>(
    database.all(
      `SELECT lower(hex(state)) AS state, tactic, outcome, cpu_seconds AS cpuSeconds, heartbeats, premises,
         lower(hex(next)) AS next, words
       FROM tactic_steps WHERE state IN (SELECT unhex(value) FROM json_each(?)) ORDER BY number`,
      JSON.stringify(states),
    ),
    'premises',
    'words',
  );
  return rows.map(({ premises, next, words, ...step }) => ({
    ...step,
    premises: premises ?? [],
    next: next?.match(/.{32}/g) ?? [],
    words: words ?? [],
  }));
}

export function insertSteps(database: Database, steps: readonly TacticStep[], bound: number): void {
  if (steps.length === 0) return;
  database.transaction(() => {
    for (const { state, tactic, outcome, cpuSeconds, heartbeats, premises, next, words } of steps)
      database.run(
        `INSERT OR REPLACE INTO tactic_steps (state, tactic, outcome, cpu_seconds, heartbeats, premises, next, words)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        hashOfState(state),
        tactic,
        outcome,
        cpuSeconds,
        heartbeats,
        premises.length === 0 ? null : JSON.stringify(premises),
        next.length === 0 ? null : Buffer.concat(next.map(hashOfState)),
        words.length === 0 ? null : JSON.stringify(words),
      );
    database.run(
      'DELETE FROM tactic_steps WHERE number <= (SELECT max(number) FROM tactic_steps) - ?',
      bound,
    );
  });
}

/** Steps that are looked at for what premises did in them. */
const stepsLookedAt = 20_000;

export function selectPremiseRecord(database: Database, names: readonly string[]): PremiseTrial[] {
  return database.all<PremiseTrial>(
    `SELECT value AS name, count(*) AS tried, sum(outcome IN ('closed', 'advanced')) AS helped
     FROM (SELECT premises, outcome FROM tactic_steps WHERE premises IS NOT NULL ORDER BY number DESC LIMIT ?) AS steps,
       json_each(steps.premises)
     WHERE value IN (SELECT value FROM json_each(?)) GROUP BY 1`,
    stepsLookedAt,
    JSON.stringify(names),
  );
}

export function selectPremiseUses(database: Database, limit: number): PremiseUse[] {
  return decode<PremiseUse>(
    database.all(
      `SELECT goals.statement, proofs.premises FROM proofs JOIN goals USING (run, goal)
       WHERE proofs.premises <> '[]' ORDER BY proofs.seq DESC LIMIT ?`,
      limit,
    ),
    'premises',
  );
}

export function selectFrontier(database: Database, goalHash: string, fingerprint: string): FrontierNode[] {
  const [row] = decode<{ nodes: FrontierNode[] }>(
    database.all(
      'SELECT nodes FROM frontiers WHERE goal_hash = ? AND fingerprint = ?',
      goalHash,
      fingerprint,
    ),
    'nodes',
  );
  return row?.nodes ?? [];
}

/** A hole's search has the hash of its goal, a colon, and the hash of its own state. */
export function selectSearches(database: Database, goalHash: string, fingerprint: string): Search[] {
  const rows = decode<{ start: SearchStart | null; nodes: FrontierNode[] }>(
    database.all(
      `SELECT start, nodes FROM frontiers
       WHERE (goal_hash = ?1 OR goal_hash >= ?1 || ':' AND goal_hash < ?1 || ';') AND fingerprint = ?2 ORDER BY number`,
      goalHash,
      fingerprint,
    ),
    'start',
    'nodes',
  );
  return rows.flatMap(searchFrom);
}

export function replaceFrontier(
  database: Database,
  goalHash: string,
  fingerprint: string,
  at: number,
  start: SearchStart,
  nodes: readonly FrontierNode[],
  bounds: SearchMemoryBounds,
): void {
  database.transaction(() => {
    database.run(
      'INSERT OR REPLACE INTO frontiers (goal_hash, fingerprint, at, start, nodes) VALUES (?, ?, ?, ?, ?)',
      goalHash,
      fingerprint,
      at,
      JSON.stringify(start),
      JSON.stringify(nodes.slice(0, bounds.nodesOfAFrontier)),
    );
    database.run(
      'DELETE FROM frontiers WHERE number <= (SELECT max(number) FROM frontiers) - ?',
      bounds.frontiers,
    );
  });
}
