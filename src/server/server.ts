import path from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isPostgresUrl } from '../store/ledger/place.ts';
import { GoalShelf } from './goal-shelf.ts';
import { LedgerFile } from './ledger-file.ts';
import { Metrics } from './metrics.ts';
import { PageSource } from './page.ts';
import { latestRun } from './schemas/requests.ts';
import { routes, type Promote } from './routes.ts';
import { Tail } from './tail.ts';
import { type Listening, listen } from './listen.ts';

export interface DashboardOptions {
  readonly ledger: string;
  /** 0: any free port. */
  readonly port: number;
  /** The token that clients need to change state. */
  readonly token: string;
  readonly clock: Clock;
  /** URL that opens a file in an editor, with {file}, {line} and {column}. */
  readonly editor?: string;
  /** Turns a finished lemma into a theorem of the project. */
  readonly promote?: Promote;
  /** The dashboard's sources or built files; default: those of this package. */
  readonly pageFolder?: string;
}

export interface Dashboard {
  readonly port: number;
  /** Including the token. */
  readonly url: string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Serves the dashboard on loopback until it is closed. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { clock, token } = options;
  const page = new PageSource(options.pageFolder);
  page.page().catch(() => undefined); // built before the first request; if it fails, visitors see the error
  const ledger = await LedgerFile.open(options.ledger, clock);
  const tail = await Tail.open(ledger, (error) =>
    process.emitWarning(error instanceof Error ? error : String(error)),
  );
  const goals = new GoalShelf();
  const metrics = new Metrics({ ledger, goals, tail, clock });
  const editor = { template: options.editor ?? '', folder: folderOf(options.ledger) };
  const { promote } = options;
  const { fetch } = routes({ ledger, goals, tail, metrics, page, clock, token, editor, promote });
  let listener: Listening;
  try {
    listener = await listen(fetch, options.port);
  } catch (error) {
    await tail.close();
    await ledger.close();
    throw error;
  }
  const close = async (): Promise<void> => {
    await tail.close();
    await listener.close();
    await ledger.close();
  };
  void read(goals, ledger);
  const url = `${listener.url}/?token=${token}`;
  return { port: listener.port, url, close, [Symbol.asyncDispose]: close };
}

/** Prepared before the first request, like the dashboard. */
async function read(goals: GoalShelf, ledger: LedgerFile): Promise<void> {
  try {
    await goals.rowsOf(await ledger.read(), latestRun);
  } catch {
    // visitors see the error
  }
}

/** File names are relative to the folder where orch was started, which has the ledger in `.orch/`. */
function folderOf(ledger: string): string {
  if (isPostgresUrl(ledger)) return process.cwd();
  const folder = path.dirname(path.resolve(ledger));
  return path.basename(folder) === '.orch' ? path.dirname(folder) : process.cwd();
}
