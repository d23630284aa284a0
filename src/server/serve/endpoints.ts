import * as z from 'zod';
import type { Endpoint } from '../endpoints.ts';

/**
 * Requests and answers of Kimina's and Lean Copilot's clients. `routes.ts` checks requests with these schemas, and the OpenAPI
 * document is made from them.
 */
const timeout = (seconds: number): z.ZodDefault<z.ZodNumber> => z.number().gt(0).max(86_400).default(seconds);
const code = z.string().max(4_000_000);
const infotree = z.enum(['full', 'tactics', 'original', 'substantive']).nullish();
const most = 10_000;

export const checkBody = z.object({
  snippets: z.array(z.object({ id: z.string(), code })).max(most),
  timeout: timeout(30).describe('Seconds for each snippet'),
  debug: z.boolean().default(false).describe('With diagnostics'),
  reuse: z.boolean().default(true).describe('Accepted; workers are always reused'),
  infotree: infotree.describe('Accepted; there are no info trees'),
});

export const verifyBody = z.object({
  codes: z
    .array(
      z
        .object({ custom_id: z.union([z.string(), z.number()]), proof: code.nullish(), code: code.nullish() })
        .refine(({ proof, code: text }) => typeof (proof ?? text) === 'string', 'required: proof or code'),
    )
    .max(most),
  timeout: timeout(300),
  infotree_type: infotree,
  disable_cache: z.boolean().default(false),
});

const place = z.object({ line: z.number(), column: z.number() });
const response = z.object({
  env: z.number(),
  messages: z
    .array(
      z.object({
        severity: z.enum(['trace', 'info', 'warning', 'error']),
        pos: place,
        endPos: place.nullable(),
        data: z.string(),
      }),
    )
    .optional(),
  sorries: z.array(z.object({ pos: place, endPos: place, goal: z.string() })).optional(),
  time: z.number().optional(),
});
const verdicts = z.array(z.looseObject({ verdict: z.enum(['accepted', 'rejected', 'unknown']) }));

const checkResponse = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      time: z.number(),
      error: z.string().optional(),
      response: response.optional(),
      diagnostics: z
        .object({ repl_uuid: z.string(), cpu_max: z.number(), memory_max: z.number() })
        .optional(),
      verdicts,
    }),
  ),
});
const verifyResponse = z.object({
  results: z.array(
    z.object({
      custom_id: z.string(),
      error: z.string().nullable(),
      response: response.nullable(),
      verdicts,
    }),
  ),
});

const check = {
  method: 'post',
  summary: 'Check snippets; one whose axioms the gate refuses has an error',
  body: checkBody,
  response: checkResponse,
  refusals: [401, 413, 415, 429, 499],
} as const;
const verify = {
  method: 'post',
  summary: 'The same, for earlier clients',
  body: verifyBody,
  response: verifyResponse,
  refusals: [401, 413, 415, 429, 499],
} as const;
const health = {
  method: 'get',
  summary: 'Health of the server',
  response: z.object({ status: z.literal('ok') }),
} as const;

export const kiminaEndpoints = {
  check: { ...check, path: '/api/check' },
  checkAlias: { ...check, path: '/check' },
  verify: { ...verify, path: '/verify' },
  verifyBatch: { ...verify, path: '/one_pass_verify_batch' },
  health: { ...health, path: '/health' },
  openapi: {
    method: 'get',
    path: '/api/openapi.json',
    summary: 'This document',
    response: z.looseObject({ openapi: z.string() }),
  },
} as const satisfies Record<string, Endpoint>;
