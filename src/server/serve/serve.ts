import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { UserError } from '../../core/errors.ts';
import { openApiDocument } from '../openapi.ts';
import { Problem } from '../problems.ts';
import { jsonOnly, ownAddressOnly, protectiveHeaders, tokenOnly } from '../security.ts';
import { listen } from '../listen.ts';
import { addCopilot, copilotEndpoints } from './copilot.ts';
import { kiminaEndpoints, refused, type Refused } from './endpoints.ts';
import { WrongBody } from './body.ts';
import { Admission, Busy } from './admission.ts';
import { addKimina, largestAnswer, type KiminaParts } from './kimina.ts';

export interface ServeOptions extends KiminaParts {
  /** 0: any free port. */
  readonly port: number;
  /** API key for clients, if set. */
  readonly token?: string | undefined;
  /** Answer Lean Copilot too. */
  readonly copilot?: boolean;
}

export interface Served {
  readonly url: string;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

const largestBody = 64 << 20;
/** Byte limit for all requests in flight: each holds its body twice (raw and parsed) and its answer. */
const bytesInFlight = 768 << 20;

/** Checks Lean for the clients of other servers, on loopback. */
export async function startServe(options: ServeOptions): Promise<Served> {
  const { url, close } = await listen(serveRoutes(options).fetch, options.port);
  return { url, close, [Symbol.asyncDispose]: close };
}

/** Every path that it answers. */
export function serveRoutes(options: ServeOptions): Hono {
  const app = new Hono();
  app.use(protectiveHeaders, ownAddressOnly);
  for (const path of [kiminaEndpoints.health.path, '/health/', '/'])
    app.get(path, ({ json }) => json({ status: 'ok' }));
  const endpoints = options.copilot ? { ...kiminaEndpoints, ...copilotEndpoints } : kiminaEndpoints;
  app.get(kiminaEndpoints.openapi.path, ({ json }) =>
    json(
      openApiDocument(endpoints, {
        title: 'orch serve',
        hasToken: options.token !== undefined,
        refused,
        always: [403],
      }),
    ),
  );
  if (options.token !== undefined)
    app.use(
      tokenOnly(options.token, 'Send "Authorization: Bearer KEY" with the value of LEAN_SERVER_API_KEY.'),
    );
  const { maxWaitSeconds } = options;
  app.post(
    '*',
    jsonOnly,
    oneByOne(maxWaitSeconds),
    smallEnough,
    soonEnough(Math.min(bodySeconds, maxWaitSeconds)),
  );
  addKimina(app, options);
  if (options.copilot) addCopilot(app, options.orch);
  app.all('*', ({ req }) => {
    throw new Problem(404, 'no-endpoint', `there is no ${req.method} ${req.path}`, 'GET /api/openapi.json');
  });
  app.onError((error) => answerTo(problemOf(error)));
  return app;
}

/**
 * A body is read when memory for it is available; until then it stays in the client's socket. The memory is
 * reserved until the client has read the answer.
 */
function oneByOne(maxWaitSeconds: number): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  const admission = new Admission(bytesInFlight, maxWaitSeconds * 1000);
  return async ({ req, env }, next) => {
    const length = Number(req.header('content-length') ?? largestBody);
    if (length > largestBody) throw tooLarge;
    const [admitted, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = async (): Promise<void> => {
      admitted.resolve();
      await answered.promise;
    };
    admission.run(req.raw.signal, work, 2 * length + largestAnswer).catch(admitted.reject);
    try {
      await admitted.promise;
    } catch (error) {
      if (error instanceof Busy)
        throw new Problem(429, 'busy', 'too many requests are in flight', 'Ask again later.');
      throw new Problem(499, 'client-gone', 'the client has disconnected');
    }
    const { outgoing } = env;
    let timer: NodeJS.Timeout | undefined;
    let isClosed = outgoing === undefined;
    outgoing?.once('close', () => {
      isClosed = true;
      clearTimeout(timer);
      answered.resolve();
    });
    try {
      await next();
    } finally {
      if (isClosed) answered.resolve();
      else timer = setTimeout(() => outgoing?.destroy(), answerSeconds * 1000);
    }
  };
}

/** A client that does not read its answer is disconnected; on loopback the largest takes less than a second. */
const answerSeconds = 30;

const tooLarge = new Problem(413, 'too-large', `the body is larger than ${largestBody} bytes`);

const smallEnough = bodyLimit({
  maxSize: largestBody,
  onError: () => {
    throw tooLarge;
  },
});

/** Less than others wait for room. */
const bodySeconds = 10;
/** Busy clients and servers are slow, but not this slow. */
const bytesExpected = 64 << 10;

/** A client that announces a body and stops sending it loses its reservation. */
function soonEnough(seconds: number): MiddlewareHandler<{ Bindings: Partial<HttpBindings> }> {
  return async ({ req, env }, next) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const late = new Problem(408, 'slow-body', `less than 64 KiB of the body arrived within ${seconds} s`);
    const received = (): number => env.incoming?.socket.bytesRead ?? 0;
    let [before, now] = [-bytesExpected, received()];
    // compared over two intervals: after a pause of this process the first one ends before anything is read
    const timer = setInterval(() => {
      if (received() - before < bytesExpected) reject(late);
      [before, now] = [now, received()];
    }, seconds * 500);
    try {
      await Promise.race([req.text(), promise]); // the request holds the reservation until it ends
    } finally {
      clearInterval(timer);
    }
    await next();
  };
}

function answerTo(problem: Problem): Response {
  const detail = problem instanceof WrongBody ? problem.wrong : problem.message;
  return Response.json({ detail, ...problem.body } satisfies Refused, { status: problem.status });
}

function problemOf(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UserError) return new Problem(500, error.code, error.message, error.hint ?? null);
  process.emitWarning(error);
  return new Problem(500, 'bug', 'something went wrong; the server has logged what');
}
