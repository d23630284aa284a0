import type { PremiseTrial, PremiseUse } from '../ledger/experience.ts';
import type {
  FrontierNode,
  Search,
  SearchMemoryBounds,
  SearchStart,
  TacticStep,
} from '../ledger/search-memory.ts';
import { hashOfState, searchFrom } from '../ledger/search-rows.ts';
import { asJsonText, type Database } from './database.ts';

interface StepRow extends Omit<TacticStep, 'premises' | 'next' | 'words'> {
  readonly premises: readonly string[] | null;
  readonly next: string | null;
  readonly words: readonly string[] | null;
}

export async function selectStepsFrom(database: Database, states: readonly string[]): Promise<TacticStep[]> {
  const rows = await database.all<StepRow>(
    `SELECT encode(state, 'hex') AS state, tactic, outcome, cpu_seconds AS "cpuSeconds", heartbeats, premises,
       encode(next, 'hex') AS next, words
     FROM tactic_steps WHERE state = ANY (SELECT decode(unnest($1::text[]), 'hex')) ORDER BY number`,
    states,
  );
  return rows.map(({ premises, next, words, ...step }) => ({
    ...step,
    premises: premises ?? [],
    next: next?.match(/.{32}/g) ?? [],
    words: words ?? [],
  }));
}

/** One statement, always in the same order: two writers that note the same steps at once cannot deadlock. */
export async function insertSteps(
  database: Database,
  steps: readonly TacticStep[],
  bound: number,
): Promise<void> {
  if (steps.length === 0) return;
  // of a step that comes twice in one batch the last counts
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

/** Steps that are looked at for what premises did in them. */
const stepsLookedAt = 20_000;

export async function selectPremiseRecord(
  database: Database,
  names: readonly string[],
): Promise<PremiseTrial[]> {
  return await database.all(
    `SELECT name, count(*) AS tried, count(*) FILTER (WHERE outcome IN ('closed', 'advanced')) AS helped
     FROM (SELECT premises, outcome FROM tactic_steps WHERE premises IS NOT NULL ORDER BY number DESC LIMIT $1) AS steps,
       json_array_elements_text(steps.premises) AS name
     WHERE name = ANY ($2::text[]) GROUP BY name ORDER BY name COLLATE "C"`,
    stepsLookedAt,
    names,
  );
}

export async function selectPremiseUses(database: Database, limit: number): Promise<PremiseUse[]> {
  return await database.all(
    `SELECT goals.statement, proofs.premises FROM proofs JOIN goals USING (run, goal)
     WHERE proofs.premises::text <> '[]' ORDER BY proofs.seq DESC LIMIT $1`,
    limit,
  );
}

export async function selectFrontier(
  database: Database,
  goalHash: string,
  fingerprint: string,
): Promise<FrontierNode[]> {
  const [row] = await database.all<{ nodes: FrontierNode[] }>(
    'SELECT nodes FROM frontiers WHERE goal_hash = $1 AND fingerprint = $2',
    goalHash,
    fingerprint,
  );
  return row?.nodes ?? [];
}

/** A hole's search has the hash of its goal, a colon, and the hash of its own state. */
export async function selectSearches(
  database: Database,
  goalHash: string,
  fingerprint: string,
): Promise<Search[]> {
  const rows = await database.all<{ start: SearchStart | null; nodes: FrontierNode[] }>(
    `SELECT start, nodes FROM frontiers
     WHERE (goal_hash = $1 OR starts_with(goal_hash, $1 || ':')) AND fingerprint = $2 ORDER BY number`,
    goalHash,
    fingerprint,
  );
  return rows.flatMap(searchFrom);
}

export interface FrontierRow {
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly start: SearchStart;
  readonly nodes: readonly FrontierNode[];
}

export async function replaceFrontier(
  database: Database,
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
