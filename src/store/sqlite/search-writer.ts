import type { FrontierRow, SearchWriter } from '../ledger/reads/search-memory.ts';
import type { CachedPremises, SearchMemoryBounds, TacticStep } from '../ledger/search-memory.ts';
import { hashOfState } from '../ledger/search-rows.ts';
import type { SqliteDatabase } from './database.ts';

export function sqliteSearchWriter(database: SqliteDatabase, bounds: SearchMemoryBounds): SearchWriter {
  return {
    insertSteps: async (steps) => insertSteps(database, steps, bounds.steps),
    replaceFrontier: async (row) => replaceFrontier(database, row, bounds),
    insertPremises: async (found) => insertPremises(database, found, bounds.premises),
  };
}

function insertSteps(database: SqliteDatabase, steps: readonly TacticStep[], bound: number): void {
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

function insertPremises(database: SqliteDatabase, found: readonly CachedPremises[], bound: number): void {
  database.transaction(() => {
    for (const { goalHash, fingerprint, encoder, vector, premises, helped } of found)
      database.run(
        `INSERT INTO premise_cache (number, goal_hash, fingerprint, encoder, vector, premises, helped)
         VALUES ((SELECT coalesce(max(number), 0) + 1 FROM premise_cache), ?, ?, ?, ?, ?, ?)
         ON CONFLICT (goal_hash, fingerprint) DO UPDATE SET number = excluded.number, encoder = excluded.encoder,
           vector = excluded.vector, premises = excluded.premises,
           helped = CASE WHEN excluded.helped = '[]' THEN helped ELSE excluded.helped END`,
        goalHash,
        fingerprint,
        encoder,
        vector,
        JSON.stringify(premises),
        JSON.stringify(helped),
      );
    database.run(
      'DELETE FROM premise_cache WHERE number <= (SELECT max(number) FROM premise_cache) - ?',
      bound,
    );
  });
}

function replaceFrontier(
  database: SqliteDatabase,
  { goalHash, fingerprint, at, start, nodes }: FrontierRow,
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
