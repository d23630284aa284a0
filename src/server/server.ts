import path from 'node:path';
import type { Clock } from '../core/clock.ts';
import { isPostgresUrl } from '../store/ledger/place.ts';
import { GoalShelf } from './goal-shelf.ts';
import { LedgerFile } from './ledger-file.ts';
import { Metrics } from './metrics.ts';
import { PageSource } from './page.ts';
import { latestRun } from './schemas/requests.ts';
import { projectRoutes, routes, type Promote } from './routes.ts';
import { Tail } from './tail.ts';
import { type Listening, listen } from './listen.ts';

interface ServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The token that clients need to change state. */
  readonly token: string;
  readonly clock: Clock;
  /** URL that opens a file in an editor, with {file}, {line} and {column}. */
  readonly editor?: string;
  /** The dashboard's sources or built files; default: those of this package. */
  readonly pageFolder?: string;
}

interface SiteOptions {
  readonly ledger: string;
  /** Turns a finished lemma into a theorem of the project. */
  readonly promote?: Promote | undefined;
}

export interface DashboardOptions extends ServerOptions, SiteOptions {}

/** A project on a dashboard of several; its path is `/p/NAME`. */
export interface DashboardProject extends SiteOptions {
  /** Letters, digits and `._-`. */
  readonly name: string;
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
  const page = pageOf(options);
  const site = await openSite(options, options, page);
  return await serve(options, site.fetch, [site]);
}

/** One dashboard for several projects: each has its own ledger and path, and the start page lists them. */
export async function startDashboards(
  projects: readonly DashboardProject[],
  options: ServerOptions,
): Promise<Dashboard> {
  const page = pageOf(options);
  const sites: { readonly name: string; readonly site: Site }[] = [];
  try {
    for (const project of projects)
      sites.push({ name: project.name, site: await openSite(project, options, page) });
  } catch (error) {
    await Promise.all(sites.map(async ({ site }) => await site.close()));
    throw error;
  }
  const { fetch } = projectRoutes(
    sites.map(({ name, site }) => ({ name, fetch: site.fetch })),
    page,
  );
  return await serve(
    options,
    fetch,
    sites.map(({ site }) => site),
  );
}

function pageOf({ pageFolder }: ServerOptions): PageSource {
  const page = new PageSource(pageFolder);
  page.page().catch(() => undefined); // built before the first request; if it fails, visitors see the error
  return page;
}

/** The answers for one ledger. */
interface Site {
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly close: () => Promise<void>;
  /** Reads what the first visitor sees. */
  readonly warm: () => Promise<void>;
}

async function openSite(
  { ledger: place, promote }: SiteOptions,
  { clock, token, editor: template = '' }: ServerOptions,
  page: PageSource,
): Promise<Site> {
  const ledger = await LedgerFile.open(place, clock);
  const tail = await Tail.open(ledger, (error) =>
    process.emitWarning(error instanceof Error ? error : String(error)),
  );
  const goals = new GoalShelf();
  const metrics = new Metrics({ ledger, goals, tail, clock });
  const editor = { template, folder: folderOf(place) };
  const { fetch } = routes({ ledger, goals, tail, metrics, page, clock, token, editor, promote });
  return {
    fetch,
    close: async () => {
      await tail.close();
      await ledger.close();
    },
    warm: async () => await read(goals, ledger),
  };
}

async function serve(
  { port, token }: ServerOptions,
  fetch: Site['fetch'],
  sites: readonly Site[],
): Promise<Dashboard> {
  const closeSites = async (): Promise<void> =>
    void (await Promise.all(sites.map(async (site) => await site.close())));
  let listener: Listening;
  try {
    listener = await listen(fetch, port);
  } catch (error) {
    await closeSites();
    throw error;
  }
  const close = async (): Promise<void> => {
    await listener.close();
    await closeSites();
  };
  for (const site of sites) void site.warm();
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
