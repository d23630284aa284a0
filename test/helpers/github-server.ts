import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredRequest {
  number: number;
  html_url: string;
  state: 'open' | 'closed';
  title: string;
  body: string;
  head: { ref: string };
  base: { ref: string };
  labels: { name: string }[];
  comments: { body: string }[];
}

/** Faults of the next requests, one each. */
export type Fault = 'rate-limit' | 'long-limit' | 'lost' | 'not-found' | 'hidden';

/** A small server with the GitHub routes that orch uses. Faults occur in the requested order. */
export class GitHubServer {
  readonly requests: StoredRequest[] = [];
  readonly seen: { method: string; path: string; authorization: string | undefined }[] = [];
  readonly faults: Fault[] = [];
  /** The CI result of every commit. */
  readonly checks: { name: string; status: string; conclusion: string | null }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<GitHubServer> {
    const server = createServer();
    const github = new GitHubServer(server);
    server.on(
      'request',
      (request: IncomingMessage, response: ServerResponse) => void github.#serve(request, response),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return github;
  }

  get api(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.api);
    const method = request.method ?? 'GET';
    this.seen.push({ method, path: url.pathname, authorization: request.headers.authorization });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body =
      chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
    const answer = (status: number, value: unknown, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(value));
    };
    const fault = this.faults.shift();
    if (fault === 'lost') return void request.socket.destroy();
    if (fault === 'rate-limit') return answer(429, { message: 'slow down' }, { 'retry-after': '1' });
    if (fault === 'long-limit')
      return answer(
        403,
        { message: 'limit' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' },
      );
    if (fault === 'not-found') return answer(404, { message: 'Not Found' });
    // as if someone opened the pull request between our query and our creation
    if (fault === 'hidden') return answer(200, []);
    this.#route(method, url, body, answer);
  }

  #route(
    method: string,
    url: URL,
    body: Record<string, unknown>,
    answer: (status: number, value: unknown) => void,
  ): void {
    const [, , , , kind, number, part] = url.pathname.split('/');
    const found = this.requests.find((one) => one.number === Number(number));
    if (method === 'GET' && kind === 'pulls') {
      const branch = url.searchParams.get('head')?.split(':')[1];
      return answer(200, this.requests.filter(({ head }) => head.ref === branch).toReversed());
    }
    if (method === 'GET' && kind === 'commits' && part === 'check-runs')
      return answer(200, { total_count: this.checks.length, check_runs: this.checks });
    if (method === 'POST' && kind === 'pulls') {
      const branch = String(body['head']);
      if (this.requests.some(({ head, state }) => head.ref === branch && state === 'open'))
        return answer(422, {
          message: 'Validation Failed',
          errors: [{ message: `A pull request already exists for o:${branch}.` }],
        });
      const next = this.requests.length + 1;
      const stored: StoredRequest = {
        number: next,
        html_url: `https://example.invalid/pull/${next}`,
        state: 'open',
        title: String(body['title']),
        body: String(body['body']),
        head: { ref: branch },
        base: { ref: String(body['base']) },
        labels: [],
        comments: [],
      };
      this.requests.push(stored);
      return answer(201, stored);
    }
    if (method === 'PATCH' && kind === 'pulls' && found) {
      Object.assign(found, body);
      return answer(200, found);
    }
    if (kind === 'issues' && part === 'comments' && found) {
      if (method === 'POST') found.comments.push({ body: String(body['body']) });
      return answer(method === 'POST' ? 201 : 200, found.comments);
    }
    if (method === 'POST' && kind === 'issues' && part === 'labels' && found) {
      found.labels.push(...(body['labels'] as string[]).map((name) => ({ name })));
      return answer(200, found.labels);
    }
    if (method === 'PUT' || (method === 'PATCH' && kind === undefined)) return answer(200, {});
    answer(404, { message: 'Not Found' });
  }
}
