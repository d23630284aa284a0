import { onTestFinished } from 'vitest';
import { serveReplies, type Reply, type Service } from './wire.ts';

export type { Reply, Service } from './wire.ts';

/** A local server with the protocols of both services; each request gets the next reply, and the last one is repeated. */
export async function serviceWith(...replies: Reply[]): Promise<Service> {
  const service = await serveReplies((_, turn) => replies[Math.min(turn, replies.length - 1)] as Reply);
  onTestFinished(service.close);
  return service;
}
