import { Hono, type Context } from 'hono';
import { compress } from 'hono/compress';
import * as z from 'zod';
import { packageVersion } from '../config/package.ts';
import type { Clock } from '../core/clock.ts';
import { UserError, messageOf } from '../core/errors.ts';
import type { Promoted } from '../shared/api.ts';
import type { Ledger } from '../store/ledger/ledger.ts';
import { comparisonOf } from './comparison.ts';
import { requestControl } from './control.ts';
import { coverageOf } from './coverage.ts';
import { endpoints } from './endpoints.ts';
import type { EditorLink } from './goal-place.ts';
import type { GoalShelf } from './goal-shelf.ts';
import type { LedgerFile } from './ledger-file.ts';
import { momentOf } from './history.ts';
import { liveStream } from './live.ts';
import { Memo } from './memo.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import type { PageFile, PageSource } from './page.ts';
import { Problem } from './problems.ts';
import * as requests from './schemas/requests.ts';
import { jsonOnly, ownAddressOnly, protectiveHeaders, smallOnly, tokenOnly } from './security.ts';
import type { Tail } from './tail.ts';
import {
  goalPageOf,
  goalSearchOf,
  goalViewOf,
  marketplaceOf,
  runDetailOf,
  runsOf,
  statsOf,
  surroundingsOf,
} from './views.ts';

export interface ServerParts {
  readonly ledger: LedgerFile;
  readonly goals: GoalShelf;
  readonly tail: Tail;
  readonly metrics: Metrics;
  readonly page: PageSource;
  readonly clock: Clock;
  readonly token: string;
  readonly editor: EditorLink;
  readonly promote: Promote | undefined;
}

export type Promote = (ticket: string) => Promise<Promoted>;

/** Every path that the server answers. */
export function routes(parts: ServerParts): Hono {
  const app = new Hono();
  app.use(protectiveHeaders);
  app.use(ownAddressOnly);
  addReads(app, parts);
  addControl(app, parts);
  addPromotion(app, parts);
  app.get('/metrics', async ({ body }) =>
    body(await parts.metrics.text(), 200, { 'Content-Type': parts.metrics.contentType }),
  );
  app.all('/api/*', ({ req }) => {
    throw new Problem(404, 'no-endpoint', `there is no ${req.method} ${req.path}`, 'GET /api/openapi.json');
  });
  addPage(app, parts.page);
  app.onError((error) => problemOf(error).response());
  return app;
}

interface ProjectSite {
  readonly name: string;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** Several projects: each below `/p/NAME`, and a start page that lists them. */
export function projectRoutes(sites: readonly ProjectSite[], page: PageSource): Hono {
  const app = new Hono();
  app.use(protectiveHeaders);
  app.use(ownAddressOnly);
  for (const { name, fetch } of sites) app.mount(`/p/${name}`, fetch);
  app.get('/', (context) => context.html(startPage(sites, new URL(context.req.url).search)));
  addFiles(app, page);
  app.notFound(({ req }) => new Problem(404, 'no-page', `there is no ${req.path}`, 'GET /').response());
  app.onError((error) => problemOf(error).response());
  return app;
}

/** The token of the address goes on to the project's page. Names are plain, the rest is escaped. */
function startPage(sites: readonly ProjectSite[], search: string): string {
  const query = /^\?token=[\w-]+$/.test(search) ? search : '';
  const links = sites.map(({ name }) => `<li><a class="link" href="/p/${name}/${query}">${name}</a></li>`);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>orch: projects</title><link rel="stylesheet" href="/style.css"></head>
<body><main><h1>Projects</h1><ul>${links.join('')}</ul></main></body>
</html>
`;
}

const whereTheTokenIs = 'Open the page at the address that `orch dashboard` printed.';

function addReads(app: Hono, parts: ServerParts): void {
  const { ledger, goals, tail, clock } = parts;
  const memo = new Memo(clock);
  const startedAt = clock.now();
  const now = (): number => clock.date().getTime();
  const seq = async (): Promise<number> => await (await ledger.read()).journal.lastSeq();
  const remembered = async <Value>(key: string, make: (reader: Ledger) => Promise<Value>): Promise<Value> =>
    await memo.get(key, await seq(), async () => await make(await ledger.read()));

  app.get(endpoints.events.path, (context) => {
    const { since } = queryOf(context, requests.eventsQuery);
    const resume = lastEventId(context) ?? since;
    return context.body(liveStream(parts, resume), 200, { 'Content-Type': 'text/event-stream' });
  });
  app.use('/api/*', compress());
  app.get(endpoints.health.path, async ({ json }) =>
    json({
      status: 'ok',
      version: packageVersion(),
      uptime_seconds: (clock.now() - startedAt) / 1000,
      ledger: ledger.file,
      seq: await seq(),
      clients: tail.watched,
    }),
  );
  app.get(endpoints.stats.path, async (context) => {
    const { run } = queryOf(context, requests.runQuery);
    return context.json(
      await remembered(
        `stats ${run}`,
        async (reader) => await statsOf(reader, await goals.rowsOf(reader, run), now()),
      ),
    );
  });
  app.get(endpoints.marketplace.path, async ({ json }) => json(await remembered('market', marketplaceOf)));
  app.get(endpoints.runs.path, async ({ json }) =>
    json(await remembered('runs', async (reader) => await runsOf(reader, now()))),
  );
  app.get(patternOf(endpoints.run.path), async (context) => {
    const run = context.req.param('run') ?? '';
    return context.json(
      await remembered(
        `run ${run}`,
        async (reader) => await runDetailOf(reader, await goals.rowsOf(reader, run), now()),
      ),
    );
  });
  app.get(patternOf(endpoints.history.path), async (context) => {
    const { at } = queryOf(context, requests.historyQuery);
    return context.json(await momentOf(await ledger.read(), context.req.param('run') ?? '', at));
  });
  app.get(endpoints.goals.path, async (context) => {
    const { run, ...query } = queryOf(context, requests.goalQuery);
    return context.json(goalPageOf(await goals.rowsOf(await ledger.read(), run), query));
  });
  app.get(patternOf(endpoints.goal.path), async (context) => {
    const { run } = queryOf(context, requests.runQuery);
    const reader = await ledger.read();
    const around = await surroundingsOf(reader, run, parts.editor);
    return context.json(await goalViewOf(reader, around, context.req.param('goal') ?? ''));
  });
  // its sources are files that change without an event
  app.get(endpoints.coverage.path, async ({ json }) =>
    json(await coverageOf(await ledger.read(), parts.editor.folder)),
  );
  app.get(patternOf(endpoints.search.path), async (context) => {
    const { run } = queryOf(context, requests.runQuery);
    return context.json(await goalSearchOf(await ledger.read(), run, context.req.param('goal') ?? ''));
  });
  app.get(endpoints.compare.path, async (context) => {
    const { a, b } = queryOf(context, requests.compareQuery);
    return context.json(await comparisonOf(await ledger.read(), a, b, now()));
  });
  app.get(endpoints.openapi.path, ({ json }) => json(openApiDocument()));
}

function addControl(app: Hono, { ledger, tail, clock, token }: ServerParts): void {
  app.post(
    endpoints.control.path,
    tokenOnly(token, whereTheTokenIs),
    jsonOnly,
    smallOnly,
    async (context) => {
      const body = checked(requests.controlBody, parsedJson(await context.req.text()));
      const accepted = await requestControl(ledger, body, clock.date().getTime());
      await tail.poll();
      return context.json(accepted, 202);
    },
  );
}

/** One at a time: each makes branches in the same repository. */
function addPromotion(app: Hono, { ledger, token, promote }: ServerParts): void {
  let isBusy = false;
  app.post(
    endpoints.promote.path,
    tokenOnly(token, whereTheTokenIs),
    jsonOnly,
    smallOnly,
    async (context) => {
      const { ticket } = checked(requests.promoteBody, parsedJson(await context.req.text()));
      const known = await (await ledger.read()).tickets.ticket(ticket);
      if (!known) throw new Problem(404, 'no-ticket', `there is no ticket ${ticket}`);
      if (known.status !== 'completed')
        throw new Problem(
          409,
          'not-completed',
          `the ticket ${ticket} is ${known.status}, so it has no proof yet`,
        );
      if (!promote)
        throw new Problem(409, 'no-project', 'this dashboard has no project', 'Use orch market promote.');
      if (isBusy)
        throw new Problem(
          409,
          'busy',
          'another lemma is being promoted',
          'Try again when that one is finished.',
        );
      isBusy = true;
      try {
        return context.json(await promote(ticket));
      } finally {
        isBusy = false;
      }
    },
  );
}

function addPage(app: Hono, page: PageSource): void {
  const send = addFiles(app, page);
  // every view of the dashboard has a path; a path with a file extension is not a view
  app.get('*', async (context) => {
    if (/\.\w+$/.test(context.req.path)) throw new Problem(404, 'no-file', `there is no ${context.req.path}`);
    return await send(context, 'index.html');
  });
}

/** Script and style. The result sends any of the three files. */
function addFiles(app: Hono, page: PageSource): (context: Context, name: PageFile) => Promise<Response> {
  const send = async (context: Context, name: PageFile): Promise<Response> => {
    const { type, etag, plain, gzipped } = await page.file(name);
    // the file changes with every version, and revalidation is cheap on loopback
    const headers = {
      'Content-Type': type,
      ETag: etag,
      'Cache-Control': 'no-cache',
      Vary: 'Accept-Encoding',
    };
    if (context.req.header('if-none-match') === etag) return context.body(null, 304, headers);
    if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? ''))
      return context.body(plain, 200, headers);
    return context.body(gzipped, 200, { ...headers, 'Content-Encoding': 'gzip' });
  };
  app.get('/main.js', async (context) => await send(context, 'main.js'));
  app.get('/style.css', async (context) => await send(context, 'style.css'));
  return send;
}

/** OpenAPI's `{goal}` as Hono's `:goal`. A parameter may hold anything: slashes, written as %2F or not, even line ends. */
function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, String.raw`:$1{[\s\S]+}`);
}

function queryOf<Query extends z.ZodType>(context: Context, schema: Query): z.infer<Query> {
  return checked(schema, context.req.query());
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Problem(400, 'invalid', z.prettifyError(result.error), 'GET /api/openapi.json describes it.');
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(400, 'not-json', messageOf(error));
  }
}

function lastEventId(context: Context): number | undefined {
  const text = context.req.header('last-event-id');
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UserError) return new Problem(500, error.code, error.message, error.hint ?? null);
  process.emitWarning(error instanceof Error ? error : String(error));
  return new Problem(500, 'bug', 'something went wrong; the server has logged what');
}
