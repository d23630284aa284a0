import type { PremiseTrial, PremiseUse } from '../experience.ts';
import type {
  CachedPremises,
  FrontierNode,
  SavedFrontier,
  Search,
  SearchStart,
  TacticStep,
} from '../search-memory.ts';
import { searchFrom } from '../search-rows.ts';
import type { Reader } from './reader.ts';

interface StepRow extends Omit<TacticStep, 'premises' | 'next' | 'words'> {
  readonly premises: readonly string[] | null;
  readonly next: string | null;
  readonly words: readonly string[] | null;
}

export async function selectStepsFrom(
  { rows, dialect }: Reader,
  states: readonly string[],
): Promise<TacticStep[]> {
  const found = await rows<StepRow>(
    `SELECT ${dialect.hex('state')} AS state, tactic, outcome, cpu_seconds AS "cpuSeconds", heartbeats, premises,
       ${dialect.hex('next')} AS next, words
     FROM tactic_steps WHERE ${dialect.isOneOfHex('state', '$1')} ORDER BY number`,
    [states],
    ['premises', 'words'],
  );
  return found.map(({ premises, next, words, ...step }) => ({
    ...step,
    premises: premises ?? [],
    next: next?.match(/.{32}/g) ?? [],
    words: words ?? [],
  }));
}

/** Number of recent steps searched for premises. */
const stepsLookedAt = 20_000;

export async function selectPremiseRecord(
  { rows, dialect }: Reader,
  names: readonly string[],
): Promise<PremiseTrial[]> {
  const { source, text } = dialect.texts('steps.premises', 'premise');
  return await rows(
    `SELECT ${text} AS name, count(*) AS tried, count(*) FILTER (WHERE outcome IN ('closed', 'advanced')) AS helped
     FROM (SELECT premises, outcome FROM tactic_steps WHERE premises IS NOT NULL ORDER BY number DESC LIMIT $1) AS steps,
       ${source}
     WHERE ${dialect.isOneOf(text, '$2')} GROUP BY ${text} ORDER BY ${text}${dialect.byBytes}`,
    [stepsLookedAt, names],
  );
}

export async function selectPremiseUses({ rows }: Reader, limit: number): Promise<PremiseUse[]> {
  return await rows(
    `SELECT goals.statement, proofs.premises FROM proofs JOIN goals USING (run, goal)
     WHERE CAST(proofs.premises AS text) <> '[]' ORDER BY proofs.seq DESC LIMIT $1`,
    [limit],
    ['premises'],
  );
}

export async function selectCachedPremises(
  { rows }: Reader,
  limit: number,
  goalHash: string | undefined,
): Promise<CachedPremises[]> {
  const cached = await rows<CachedPremises>(
    `SELECT goal_hash AS "goalHash", fingerprint, encoder, vector, premises, helped FROM premise_cache
     ${goalHash === undefined ? '' : 'WHERE goal_hash = $2'} ORDER BY number DESC LIMIT $1`,
    [limit, ...(goalHash === undefined ? [] : [goalHash])],
    ['premises', 'helped'],
  );
  const proofs = await rows<Pick<CachedPremises, 'goalHash' | 'premises'>>(
    `SELECT goal_hash AS "goalHash", premises FROM proofs
     WHERE goal_hash IN (SELECT goal_hash FROM premise_cache) AND CAST(premises AS text) <> '[]'
     ${goalHash === undefined ? '' : 'AND goal_hash = $1'}`,
    goalHash === undefined ? [] : [goalHash],
    ['premises'],
  );
  const used = Map.groupBy(proofs, (proof) => proof.goalHash);
  return cached.map((row) => {
    const here = (used.get(row.goalHash) ?? []).flatMap(({ premises }) => premises);
    return { ...row, helped: [...new Set([...row.helped, ...here])].sort() };
  });
}

export async function selectFrontier(
  { rows }: Reader,
  goalHash: string,
  fingerprint: string,
): Promise<FrontierNode[]> {
  const [row] = await rows<{ nodes: FrontierNode[] }>(
    'SELECT nodes FROM frontiers WHERE goal_hash = $1 AND fingerprint = $2',
    [goalHash, fingerprint],
    ['nodes'],
  );
  return row?.nodes ?? [];
}

export async function selectFrontiers({ rows }: Reader, limit: number): Promise<SavedFrontier[]> {
  const found = await rows<{
    goalHash: string;
    fingerprint: string;
    start: SearchStart | null;
    nodes: FrontierNode[];
  }>(
    `SELECT goal_hash AS "goalHash", fingerprint, start, nodes FROM frontiers
     WHERE CAST(nodes AS text) <> '[]' ORDER BY number DESC LIMIT $1`,
    [limit],
    ['start', 'nodes'],
  );
  return found.flatMap(({ goalHash, fingerprint, ...row }) =>
    searchFrom(row).map((search) => ({ goalHash, fingerprint, ...search })),
  );
}

/** A hole's search has the hash of its goal, a colon, and the hash of its own state. */
export async function selectSearches(
  { rows, dialect: { byBytes } }: Reader,
  goalHash: string,
  fingerprint: string,
): Promise<Search[]> {
  const found = await rows<{ start: SearchStart | null; nodes: FrontierNode[] }>(
    `SELECT start, nodes FROM frontiers
     WHERE (goal_hash = $1 OR goal_hash${byBytes} >= $1 || ':' AND goal_hash${byBytes} < $1 || ';') AND fingerprint = $2
     ORDER BY number`,
    [goalHash, fingerprint],
    ['start', 'nodes'],
  );
  return found.flatMap(searchFrom);
}
