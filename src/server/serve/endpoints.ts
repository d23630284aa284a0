import * as z from 'zod';
import type { Endpoint } from '../endpoints.ts';

/**
 * Requests and answers of Kimina's and Lean Copilot's clients. `routes.ts` checks requests with these schemas, and the OpenAPI
 * document is made from them.
 */
const timeout = (seconds: number): z.ZodDefault<z.ZodNumber> =>
  z.number().min(0).max(86_400).default(seconds);
const code = z.string().max(4_000_000);
const infotree = z
  .enum(['full', 'tactics', 'original', 'substantive'])
  .nullish()
  .describe('The information that Lean has kept about the snippet');
const most = 10_000;

export const checkBody = z.object({
  snippets: z
    .array(z.object({ id: z.string(), code }))
    .min(1)
    .max(most)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'ids must be unique'),
  timeout: timeout(30).describe('Seconds for each snippet'),
  debug: z.boolean().default(false).describe('With diagnostics, and the gate’s verdicts among them'),
  reuse: z.boolean().default(true).describe('Accepted; workers are always reused'),
  infotree,
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
  infotree: z.array(z.unknown()).optional(),
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
        .object({ repl_uuid: z.string(), cpu_max: z.number(), memory_max: z.number(), verdicts })
        .optional(),
    }),
  ),
});
const verifyResponse = z.object({
  results: z.array(
    z.object({
      custom_id: z.string(),
      error: z.string().nullable(),
      response: response.nullable(),
    }),
  ),
});

/** A refused request: `detail` as in Kimina's answers, `error` as in ours. */
export const refused = z.object({
  detail: z.union([
    z.string(),
    z.array(z.object({ type: z.string(), loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })),
  ]),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }),
});
export type Refused = z.infer<typeof refused>;

const refusals = [401, 408, 413, 415, 422, 429, 499];

const check = {
  method: 'post',
  summary: 'Check snippets; one whose axioms the gate refuses has an error',
  body: checkBody,
  response: checkResponse,
  refusals,
} as const;
const verify = {
  method: 'post',
  summary: 'The same, for earlier clients',
  body: verifyBody,
  response: verifyResponse,
  refusals,
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
