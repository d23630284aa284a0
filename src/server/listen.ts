import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { UserError } from '../core/errors.ts';

const hostname = '127.0.0.1';

export interface Listening {
  readonly port: number;
  /** Without a slash at the end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Listens on loopback until closed; port 0 picks a free one. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  port: number,
): Promise<Listening> {
  const answer = getRequestListener(fetch, { hostname });
  const server = createServer((request, response) => void answer(request, response));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('listening', resolve);
  server.once('error', (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE';
    reject(
      new UserError(
        'port',
        `cannot listen on port ${port}: ${isTaken ? 'another program is using it' : error.message}`,
        'Choose another one with --port; --port 0 picks a free one.',
        { cause: error },
      ),
    );
  });
  server.listen(port, hostname);
  await promise;
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port');
  const close = async (): Promise<void> => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    server.closeAllConnections();
    await closed.promise;
  };
  return { port: address.port, url: `http://${hostname}:${address.port}`, close };
}
