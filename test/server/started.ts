import { request, type IncomingMessage } from 'node:http';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { startDashboard } from '../../src/server/server.ts';
import type { RunEvent } from '../../src/shared/events.ts';
import type { Ledger } from '../../src/store/ledger/ledger.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { temporaryLedger, type HandClock, type Temporary } from '../store/ledger/temporary.ts';

export const token = 'the-token';

export interface Started {
  readonly port: number;
  readonly file: string;
  readonly ledger: Ledger;
  readonly clock: HandClock;
  readonly get: (address: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (body: unknown, headers?: Record<string, string>) => Promise<Answer>;
}

/** A real server on a real ledger, with a small page. The clock is stopped at the last event. */
export async function started(
  events: readonly RunEvent[] = [],
  open: (events: readonly RunEvent[]) => Promise<Temporary> = temporaryLedger,
): Promise<Started> {
  const { file, ledger, clock } = await open(events);
  clock.at = events.at(-1)?.at ?? clock.at;
  const dashboard = await startDashboard({
    ledger: file,
    port: 0,
    token,
    clock,
    pageFolder: smallPage(),
  });
  onTestFinished(async () => await dashboard.close());
  const { port } = dashboard;
  return {
    port,
    file,
    ledger,
    clock,
    get: async (address, headers = {}) => await ask(port, 'GET', address, headers),
    post: async (body, headers = {}) =>
      await ask(
        port,
        'POST',
        '/api/control',
        { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
        typeof body === 'string' ? body : JSON.stringify(body),
      ),
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  json(): unknown;
}

/** Node's own client: it sends any Host and Origin. */
async function ask(
  port: number,
  method: string,
  address: string,
  headers: Record<string, string>,
  body = '',
): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method, path: address, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as unknown,
        }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

/** A page in two TypeScript files, which the server has to bundle. */
export function smallPage(): string {
  const folder = path.join(temporaryFolder(), 'web');
  mkdirSync(folder);
  const write = (name: string, text: string): void => writeFileSync(path.join(folder, name), text);
  write(
    'index.html',
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>orch</title>\n<link rel="stylesheet" href="/style.css">\n</head>\n<body>\n<div id="page"></div>\n<script type="module" src="/main.js"></script>\n</body>\n</html>\n',
  );
  write('style.css', 'body { color: purple; }\n');
  write('greeting.ts', 'export const greeting: string = "</script><!-- not the end -->";\n');
  write(
    'main.tsx',
    "import { greeting } from './greeting.ts';\n(globalThis as { greeting?: string }).greeting = greeting;\n",
  );
  return folder;
}
