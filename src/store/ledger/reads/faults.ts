import { sourceConditions } from '../sources.ts';
import { plural } from '../../../shared/plural.ts';
import type { Reader } from './reader.ts';

/** Inconsistencies between the events and the tables that follow from them, as sentences. */
export async function findSourceFaults(reader: Pick<Reader, 'rows'>): Promise<string[]> {
  return [...(await findGaps(reader)), ...(await findStrayRows(reader)), ...(await findWeakProofs(reader))];
}

/** Numbers grow by one, and pruning records how many it removed. */
async function findGaps({ rows }: Pick<Reader, 'rows'>): Promise<string[]> {
  const found = await rows<{ count: number; first: number; last: number }>(
    `SELECT count(*) + coalesce(sum(CASE WHEN type = 'pruned' THEN CAST(body ->> 'removed' AS bigint) END), 0) AS count,
       coalesce(min(seq), 1) AS first, coalesce(max(seq), 0) AS last FROM events`,
  );
  return found.flatMap(({ count, first, last }) =>
    first === 1 && count === last
      ? []
      : [`the events are numbered ${first} to ${last}, but there are ${count}`],
  );
}

async function findStrayRows({ rows }: Pick<Reader, 'rows'>): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, condition] of Object.entries(sourceConditions)) {
    const [row] = await rows<{ lost: number; invented: number }>(
      `SELECT
         (SELECT count(*) FROM events WHERE ${condition} AND NOT EXISTS
           (SELECT 1 FROM ${table} WHERE ${table}.seq = events.seq)) AS lost,
         (SELECT count(*) FROM ${table} WHERE NOT EXISTS
           (SELECT 1 FROM events WHERE ${condition} AND events.seq = ${table}.seq)) AS invented`,
    );
    if (row && row.lost + row.invented > 0)
      faults.push(
        `${table} lacks ${plural(row.lost, 'row')} that events require, and has ${row.invented} without an event`,
      );
  }
  return faults;
}

/** Solved means accepted at `replayed` or better. */
async function findWeakProofs({ rows }: Pick<Reader, 'rows'>): Promise<string[]> {
  const found = await rows<{ what: string; assurance: string }>(
    `SELECT 'proof ' || seq || ' of ' || goal AS what, assurance FROM proofs
     WHERE assurance NOT IN ('replayed', 'second-kernel', 'refused')
     UNION ALL
     SELECT 'ticket ' || ticket_id, assurance FROM ticket_completions
     WHERE assurance NOT IN ('replayed', 'second-kernel')`,
  );
  return found.map(({ what, assurance }) => `${what} was accepted, but checked only as far as ${assurance}`);
}

/** Compares the rows of a derived table with those that its events give. */
export async function findWrongRows(
  { rows }: Pick<Reader, 'rows'>,
  table: string,
  held: string,
  right: string,
): Promise<string[]> {
  const found = await rows<{ wrong: number; missing: number }>(
    `SELECT (SELECT count(*) FROM (${held} EXCEPT ${right}) AS wrong) AS wrong,
       (SELECT count(*) FROM (${right} EXCEPT ${held}) AS missing) AS missing`,
  );
  return found.flatMap(({ wrong, missing }) =>
    wrong + missing === 0
      ? []
      : [`${table} has ${wrong} wrong rows and lacks ${missing}: \`orch ledger rebuild\` repairs that`],
  );
}
