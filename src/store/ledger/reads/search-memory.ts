import type { Clock } from '../../../core/clock.ts';
import type { Experience } from '../experience.ts';
import type {
  CachedPremises,
  FrontierNode,
  SearchMemory,
  SearchStart,
  TacticStep,
} from '../search-memory.ts';
import { searchFrom } from '../search-rows.ts';
import type { Reader } from './reader.ts';

/** Data that a search keeps for the next one. */
export interface FrontierRow {
  readonly goalHash: string;
  readonly fingerprint: string;
  readonly at: number;
  readonly start: SearchStart;
  readonly nodes: readonly FrontierNode[];
}

/** Writes the search memory; each database has its own implementation. */
export interface SearchWriter {
  insertSteps(steps: readonly TacticStep[]): Promise<void>;
  replaceFrontier(row: FrontierRow): Promise<void>;
  insertPremises(found: readonly CachedPremises[]): Promise<void>;
}

interface StepRow extends Omit<TacticStep, 'premises' | 'next' | 'words'> {
  readonly premises: readonly string[] | null;
  readonly next: string | null;
  readonly words: readonly string[] | null;
}
interface SearchRow {
  readonly start: SearchStart | null;
  readonly nodes: FrontierNode[];
}

/** Number of recent steps searched for premises. */
const stepsLookedAt = 20_000;

export const searchMemory = (
  { rows, dialect }: Reader,
  writer: SearchWriter,
  clock: Clock,
): SearchMemory & Pick<Experience, 'premiseUses' | 'premiseRecord'> => ({
  async stepsFrom(states) {
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
  },
  noteSteps: async (steps) => await writer.insertSteps(steps),
  async frontier(goalHash, fingerprint) {
    const [row] = await rows<Pick<SearchRow, 'nodes'>>(
      'SELECT nodes FROM frontiers WHERE goal_hash = $1 AND fingerprint = $2',
      [goalHash, fingerprint],
      ['nodes'],
    );
    return row?.nodes ?? [];
  },
  saveFrontier: async (goalHash, fingerprint, start, nodes) =>
    await writer.replaceFrontier({ goalHash, fingerprint, at: clock.date().getTime(), start, nodes }),
  async frontiers(limit) {
    const found = await rows<SearchRow & { goalHash: string; fingerprint: string }>(
      `SELECT goal_hash AS "goalHash", fingerprint, start, nodes FROM frontiers
       WHERE CAST(nodes AS text) <> '[]' ORDER BY number DESC LIMIT $1`,
      [limit],
      ['start', 'nodes'],
    );
    return found.flatMap(({ goalHash, fingerprint, ...row }) =>
      searchFrom(row).map((search) => ({ goalHash, fingerprint, ...search })),
    );
  },
  /** A hole's search has the hash of its goal, a colon, and the hash of its own state. */
  async searches(goalHash, fingerprint) {
    const { byBytes } = dialect;
    const found = await rows<SearchRow>(
      `SELECT start, nodes FROM frontiers
       WHERE (goal_hash = $1 OR goal_hash${byBytes} >= $1 || ':' AND goal_hash${byBytes} < $1 || ';') AND fingerprint = $2
       ORDER BY number`,
      [goalHash, fingerprint],
      ['start', 'nodes'],
    );
    return found.flatMap(searchFrom);
  },
  async cachedPremises(limit, goalHash) {
    const wanted = goalHash === undefined ? [] : [goalHash];
    const cached = await rows<CachedPremises>(
      `SELECT goal_hash AS "goalHash", fingerprint, encoder, vector, premises, helped FROM premise_cache
       ${goalHash === undefined ? '' : 'WHERE goal_hash = $2'} ORDER BY number DESC LIMIT $1`,
      [limit, ...wanted],
      ['premises', 'helped'],
    );
    const proofs = await rows<Pick<CachedPremises, 'goalHash' | 'premises'>>(
      `SELECT goal_hash AS "goalHash", premises FROM proofs
       WHERE goal_hash IN (SELECT goal_hash FROM premise_cache) AND CAST(premises AS text) <> '[]'
       ${goalHash === undefined ? '' : 'AND goal_hash = $1'}`,
      wanted,
      ['premises'],
    );
    const used = Map.groupBy(proofs, (proof) => proof.goalHash);
    return cached.map((row) => {
      const here = (used.get(row.goalHash) ?? []).flatMap(({ premises }) => premises);
      return { ...row, helped: [...new Set([...row.helped, ...here])].sort() };
    });
  },
  cachePremises: async (found) => await writer.insertPremises(found),
  premiseUses: async (limit) =>
    await rows(
      `SELECT goals.statement, proofs.premises FROM proofs JOIN goals USING (run, goal)
       WHERE CAST(proofs.premises AS text) <> '[]' ORDER BY proofs.seq DESC LIMIT $1`,
      [limit],
      ['premises'],
    ),
  async premiseRecord(names) {
    const { source, text } = dialect.texts('steps.premises', 'premise');
    return await rows(
      `SELECT ${text} AS name, count(*) AS tried, count(*) FILTER (WHERE outcome IN ('closed', 'advanced')) AS helped
       FROM (SELECT premises, outcome FROM tactic_steps WHERE premises IS NOT NULL ORDER BY number DESC LIMIT $1) AS steps,
         ${source}
       WHERE ${dialect.isOneOf(text, '$2')} GROUP BY ${text} ORDER BY ${text}${dialect.byBytes}`,
      [stepsLookedAt, names],
    );
  },
});
