import type { FrontierRow, SearchWriter } from '../ledger/reads/search-memory.ts';
import type { CachedPremises, SearchMemoryBounds, TacticStep } from '../ledger/search-memory.ts';
import { hashOfState } from '../ledger/search-rows.ts';
import { asJsonText, type PostgresDatabase } from './database.ts';

export function postgresSearchWriter(database: PostgresDatabase, bounds: SearchMemoryBounds): SearchWriter {
  return {
    insertSteps: async (steps) => await insertSteps(database, steps, bounds.steps),
    replaceFrontier: async (row) => await replaceFrontier(database, row, bounds),
    insertPremises: async (found) => await insertPremises(database, found, bounds.premises),
  };
}

/** One statement in a fixed order, so that two writers with the same steps cannot deadlock. */
async function insertSteps(
  database: PostgresDatabase,
  steps: readonly TacticStep[],
  bound: number,
): Promise<void> {
  if (steps.length === 0) return;
  // of two equal steps in one batch the last counts
  const last = [...new Map(steps.map((step) => [`${step.state} ${step.tactic}`, step])).values()];
  await database.all(
    `WITH batch AS (
       SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::double precision[], $5::bigint[], $6::text[], $7::text[],
         $8::text[]) WITH ORDINALITY AS step (state, tactic, outcome, cpu_seconds, heartbeats, premises, next, words, place)
     ), noted AS (
       INSERT INTO tactic_steps AS held (state, tactic, outcome, cpu_seconds, heartbeats, premises, next, words)
       SELECT decode(state, 'hex'), tactic, outcome, cpu_seconds, heartbeats, premises::json, decode(next, 'hex'), words::json
       FROM batch ORDER BY decode(state, 'hex'), md5(tactic)
       ON CONFLICT (state, md5(tactic)) DO UPDATE SET number = excluded.number, outcome = excluded.outcome,
         cpu_seconds = excluded.cpu_seconds, heartbeats = excluded.heartbeats, premises = excluded.premises,
         next = excluded.next, words = excluded.words
     )
     DELETE FROM tactic_steps WHERE number <= (SELECT max(number) FROM tactic_steps) + (SELECT count(*) FROM batch) - $9::bigint
       AND (state, md5(tactic)) NOT IN (SELECT decode(state, 'hex'), md5(tactic) FROM batch)`,
    last.map(({ state }) => hashOfState(state).toString('hex')),
    last.map(({ tactic }) => tactic.replaceAll('\0', '\ufffd')),
    last.map(({ outcome }) => outcome),
    last.map(({ cpuSeconds }) => cpuSeconds),
    last.map(({ heartbeats }) => heartbeats),
    last.map(({ premises }) => (premises.length === 0 ? null : asJsonText(premises))),
    last.map(({ next }) =>
      next.length === 0 ? null : next.map((state) => hashOfState(state).toString('hex')).join(''),
    ),
    last.map(({ words }) => (words.length === 0 ? null : asJsonText(words))),
    bound,
  );
}

async function insertPremises(
  database: PostgresDatabase,
  found: readonly CachedPremises[],
  bound: number,
): Promise<void> {
  for (const { goalHash, fingerprint, encoder, vector, premises, helped } of found)
    await database.all(
      `WITH kept AS (
         INSERT INTO premise_cache AS held (goal_hash, fingerprint, encoder, vector, premises, helped)
         VALUES ($1, $2, $3, $4, $5::json, $6::json)
         ON CONFLICT (goal_hash, fingerprint) DO UPDATE SET number = excluded.number, encoder = excluded.encoder,
           vector = excluded.vector, premises = excluded.premises,
           helped = CASE WHEN excluded.helped::text = '[]' THEN held.helped ELSE excluded.helped END
         RETURNING number)
       DELETE FROM premise_cache
       WHERE number <= (SELECT number FROM kept) - $7::bigint AND NOT (goal_hash = $1 AND fingerprint = $2)`,
      goalHash,
      fingerprint,
      encoder,
      vector,
      asJsonText(premises),
      asJsonText(helped),
      bound,
    );
}

async function replaceFrontier(
  database: PostgresDatabase,
  { goalHash, fingerprint, at, start, nodes }: FrontierRow,
  bounds: SearchMemoryBounds,
): Promise<void> {
  await database.all(
    `WITH kept AS (
       INSERT INTO frontiers (goal_hash, fingerprint, at, start, nodes) VALUES ($1, $2, $3, $4::json, $5::json)
       ON CONFLICT (goal_hash, fingerprint) DO UPDATE SET number = excluded.number, at = excluded.at,
         start = excluded.start, nodes = excluded.nodes RETURNING number)
     DELETE FROM frontiers WHERE number <= (SELECT number FROM kept) - $6::bigint AND NOT (goal_hash = $1 AND fingerprint = $2)`,
    goalHash,
    fingerprint,
    at,
    asJsonText(start),
    asJsonText(nodes.slice(0, bounds.nodesOfAFrontier)),
    bounds.frontiers,
  );
}
