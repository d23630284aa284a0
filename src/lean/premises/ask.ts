import type { Ledger } from '../../store/ledger/ledger.ts';
import { environmentOf, type LeanEnvironment } from '../project/environment.ts';
import type { Lease } from '../workers/lease.ts';
import type { LeanPool } from '../workers/pool.ts';
import { LeaseMeter } from '../workbench/lease-meter.ts';
import { isName, lemmaWords, readings } from './asked-text.ts';
import { queryFor, symbolsIn } from './query.ts';
import type { PremiseQuery, Retrieved } from './retrieve.ts';
import type { PremiseSource } from './source.ts';
import { statementsOf } from './statements.ts';

/** A premise with its statement and its origin. */
export type FoundPremise = Retrieved & {
  readonly kind: string;
  readonly module: string;
  /** Binders and type as `#check` prints them; empty if unknown. */
  readonly statement: string;
};

export interface PremiseAsk {
  readonly pool: LeanPool;
  readonly source: PremiseSource;
  /** The ledger with named goals; without it a text is a statement or words. */
  readonly views?: Ledger['views'] | undefined;
  readonly environment?: LeanEnvironment | undefined;
  /** Lean's CPU-seconds for it. */
  readonly onCost?: ((cpuSeconds: number) => void) | undefined;
}

/** Premises for a goal of the ledger by its name, a name, a statement or term that Lean reads, or English words. */
export async function askForPremises(
  { pool, source, views, environment = environmentOf(''), onCost }: PremiseAsk,
  text: string,
  limit: number,
): Promise<FoundPremise[]> {
  return await pool.use(
    async (lease) => {
      const meter = new LeaseMeter(lease);
      const query = await queryOf(lease, views, text);
      const found = await source.retrieve(lease, query, limit);
      const statements = await statementsOf(
        lease,
        found.map(({ name }) => name),
      );
      onCost?.(meter.read().cpuSeconds);
      const { index } = await source.open(lease);
      const about = new Map(index.find(found.map(({ name }) => name)).map((one) => [one.name, one]));
      return found.map((one) => {
        const { kind = '', module = '' } = about.get(one.name) ?? {};
        return { ...one, kind, module, statement: statements.get(one.name) ?? '' };
      });
    },
    { environment },
  );
}

/** A theorem or definition of the library by its full name. */
export async function declarationNamed(
  { pool, source, environment = environmentOf(''), onCost }: Omit<PremiseAsk, 'views'>,
  name: string,
): Promise<Pick<FoundPremise, 'kind' | 'module' | 'statement'> | undefined> {
  return await pool.use(
    async (lease) => {
      const meter = new LeaseMeter(lease);
      const { index } = await source.open(lease);
      const [found] = index.find([name]);
      const statements = found && (await statementsOf(lease, [name]));
      onCost?.(meter.read().cpuSeconds);
      return found && { kind: found.kind, module: found.module, statement: statements?.get(name) ?? '' };
    },
    { environment },
  );
}

const runsLookedAt = 100;

async function queryOf(
  lease: Lease,
  views: Ledger['views'] | undefined,
  text: string,
): Promise<PremiseQuery> {
  for (const { run } of (await views?.runs(runsLookedAt)) ?? []) {
    const goal = await views?.goal(run, text);
    if (goal)
      return (
        (await elaborated(lease, goal.preamble, goal.statement)) ?? {
          symbols: symbolsIn(goal.statement),
          text: goal.statement,
        }
      );
  }
  if (isName(text)) return { symbols: [text], text, name: text };
  const words = lemmaWords(text);
  if (words !== undefined) return { symbols: [], text: words };
  for (const { statement, kind } of readings(text)) {
    const query = await elaborated(lease, '', statement);
    if (query) return { ...query, searched: kind };
  }
  return { symbols: symbolsIn(text), text };
}

/** The constants of an elaborated statement; undefined if Lean cannot read it. */
async function elaborated(
  lease: Lease,
  preamble: string,
  statement: string,
): Promise<PremiseQuery | undefined> {
  const loaded = await lease.session(preamble);
  if (!loaded.ok) return undefined;
  const { session } = loaded;
  const reply = await lease.request('statement', { session, statement });
  if (!reply.ok) return undefined;
  const { symbols } = reply;
  return queryFor({ preamble, statement, symbols, opened: { session, statement } });
}
