import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Problem } from './problems.ts';

/**
 * The server listens on loopback only, but every page in the user's browser can reach loopback. So: the name in Host must be a
 * loopback one (a foreign name that resolves to 127.0.0.1 is refused), an Origin must be our own, and whatever changes state
 * requires a token that only the printed address carries. There are no cookies, so browsers never send credentials
 * automatically.
 */
const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);
const largestBody = 16 * 1024;

const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On every answer. The address contains the token, so it must not leak to other sites. */
export const protectiveHeaders: MiddlewareHandler = async (context, next) => {
  await next();
  const { headers } = context.res;
  headers.set('Content-Security-Policy', contentSecurityPolicy);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};

export const ownAddressOnly: MiddlewareHandler = async (context, next) => {
  const host = context.req.header('host') ?? '';
  if (!loopback.has(nameOf(host)))
    throw new Problem(
      403,
      'foreign-host',
      `this server answers to 127.0.0.1 and localhost, not to ${host || 'a request without Host'}`,
    );
  const origin = context.req.header('origin');
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Problem(403, 'foreign-origin', `requests from ${origin} are refused`);
  await next();
};

/** Required for everything that changes state; `hint` says where to find the token. */
export function tokenOnly(token: string, hint: string): MiddlewareHandler {
  return async (context, next) => {
    const given = /^(?:Bearer )?(.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
    if (given === undefined || !isEqual(given, token))
      throw new Problem(
        401,
        'token',
        given === undefined ? 'this request requires a token' : 'the token is wrong',
        hint,
      );
    await next();
  };
}

/** A form on another site can send other content types without a preflight request. */
export const jsonOnly: MiddlewareHandler = async (context, next) => {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new Problem(415, 'not-json', 'the body must be application/json');
  await next();
};

export const smallOnly: MiddlewareHandler = bodyLimit({
  maxSize: largestBody,
  onError: () => {
    throw new Problem(413, 'too-large', `the body is larger than ${largestBody} bytes`);
  },
});

/** Without its port, which differs behind an ssh tunnel. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase();
}

/** Hashes have equal length, so they compare in constant time. */
function isEqual(one: string, two: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(two));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
