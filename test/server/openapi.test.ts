import { expect, test } from 'vitest';
import { endpoints, type Endpoint } from '../../src/server/endpoints.ts';
import { openApiDocument } from '../../src/server/openapi.ts';
import { routes, type ServerParts } from '../../src/server/routes.ts';

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: object }[];
  readonly responses: Record<string, { readonly content: Record<string, { readonly schema: object }> }>;
}

test('the document describes exactly the server’s answers', async () => {
  const { paths } = openApiDocument() as { paths: Record<string, Record<string, Operation>> };
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  // only the table of routes is wanted: nothing is asked
  const answered = routes({ token: '', clock: { now: () => 0 } } as unknown as ServerParts)
    .routes.filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'))
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)\{.+\}/g, '{$1}')}`);
  expect(described.toSorted()).toEqual([...new Set(answered)].toSorted());

  for (const { path, method, query, status = 200 } of Object.values<Endpoint>(endpoints)) {
    const operation = paths[path]?.[method];
    const named = operation?.parameters.filter((parameter) => parameter.in === 'query');
    expect(named?.map(({ name }) => name)).toEqual(Object.keys(query?.shape ?? {}));
    const [content] = Object.values(operation?.responses[status]?.content ?? {});
    expect(content?.schema).toBeTruthy();
  }
});

test('all its references resolve', async () => {
  const text = JSON.stringify(openApiDocument());
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(new Set(references)).toEqual(new Set(['ApiError']));
  expect(text).not.toContain('"$ref":"#/$defs'); // would point to the document's root
});
