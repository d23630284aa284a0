import * as z from 'zod';
import { packageVersion } from '../config/package.ts';
import { endpoints, type Endpoint } from './endpoints.ts';
import { apiError } from '../shared/schemas/responses.ts';

/** The OpenAPI 3.1 document of a server, made from the schemas that requests are checked with. */
export function openApiDocument(
  table: Readonly<Record<string, Endpoint>> = endpoints,
  { title = 'orch dashboard', hasToken = true, refused = apiError, always = [400, 403] } = {},
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const endpoint of Object.values(table)) {
    paths[endpoint.path] ??= {};
    Object.assign(paths[endpoint.path] ?? {}, { [endpoint.method]: operation(endpoint, hasToken, always) });
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version: packageVersion(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:8000' }],
    paths,
    components: {
      schemas: { ApiError: schemaOf(refused, 'output') },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operation(
  { method, path, summary, query, body, response, status, type, refusals }: Endpoint,
  hasToken: boolean,
  always: readonly number[],
) {
  return {
    summary,
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...(body && { requestBody: { required: true, content: json(schemaOf(body, 'input')) } }),
    ...(method === 'post' && hasToken && { security: [{ token: [] }] }),
    responses: {
      [status ?? 200]: {
        description: summary,
        content: { [type ?? 'application/json']: { schema: schemaOf(response, 'output') } },
      },
      ...Object.fromEntries(
        [...always, ...(refusals ?? [])].map((refusal) => [
          refusal,
          { description: 'refused', content: json({ $ref: '#/components/schemas/ApiError' }) },
        ]),
      ),
    },
  };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodObject): object[] {
  const { properties = {}, required = [] } = schemaOf(query, 'input') as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
  });
  return rest;
}
