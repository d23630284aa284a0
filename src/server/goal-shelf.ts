import type { GoalListRow } from '../shared/api.ts';
import type { RunEvent } from '../shared/events.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { latestRun } from './schemas/requests.ts';
import { largestGap } from './tail.ts';
import { knownRun } from './views.ts';

/** The state of a run's goals after an event. */
export interface GoalRows {
  readonly seq: number;
  /** Null while there is no run. */
  readonly run: string | null;
  /** The same array until one of them changes. */
  readonly rows: readonly GoalListRow[];
}

/** The index of each goal among the rows. */
interface Shelved extends GoalRows {
  readonly run: string;
  readonly places: Map<string, number>;
}

/** Number of runs kept: the one shown and one to compare with. */
const shelvedRuns = 4;

/** The goals of the runs shown. A run is read completely once; after that, only goals affected by events are read. */
export class GoalShelf {
  readonly #ledgers = new WeakMap<Ledger, Map<string, Promise<Shelved>>>();

  async rowsOf(ledger: Ledger, run: string): Promise<GoalRows> {
    const id = await idOf(ledger, run);
    if (id === null) return { seq: await ledger.journal.lastSeq(), run: null, rows: [] };
    const shelf = this.#ledgers.get(ledger) ?? new Map<string, Promise<Shelved>>();
    this.#ledgers.set(ledger, shelf);
    const before = shelf.get(id);
    // requests that arrive while it is being read use the same result
    const rows = before === undefined ? readWhole(ledger, id) : broughtUpToDate(ledger, before);
    shelf.delete(id);
    shelf.set(id, rows);
    const [oldest] = shelf.keys();
    if (shelf.size > shelvedRuns && oldest !== undefined) shelf.delete(oldest);
    try {
      return await rows;
    } catch (error) {
      if (shelf.get(id) === rows) shelf.delete(id);
      throw error;
    }
  }
}

async function idOf(ledger: Ledger, run: string): Promise<string | null> {
  if (run !== latestRun) return (await knownRun(ledger, run)).run;
  return (await ledger.views.runs(1))[0]?.run ?? null;
}

async function readWhole(ledger: Ledger, run: string): Promise<Shelved> {
  const seq = await ledger.journal.lastSeq();
  const rows = await ledger.views.goalList(run);
  return { seq, run, rows, places: new Map(rows.map(({ goal }, place) => [goal, place])) };
}

async function broughtUpToDate(ledger: Ledger, before: Promise<Shelved>): Promise<Shelved> {
  const known = await before;
  const { run, places } = known;
  const seq = await ledger.journal.lastSeq();
  if (seq === known.seq) return known;
  if (seq < known.seq || seq - known.seq > largestGap) return await readWhole(ledger, run);
  const touched = touchedGoals(await ledger.journal.eventsSince(known.seq, largestGap), run);
  if (touched.length === 0) return { ...known, seq };
  const rows = [...known.rows];
  for (const row of await ledger.views.goalList(run, touched)) {
    const place = places.get(row.goal) ?? rows.length; // new goals come last: rows are in order of arrival
    places.set(row.goal, place);
    rows[place] = row;
  }
  return { seq, run, rows, places };
}

function touchedGoals(events: readonly RunEvent[], run: string): string[] {
  const goals = events.flatMap((event) => (event.run === run && 'goal' in event ? (event.goal ?? []) : []));
  return [...new Set(goals)];
}
