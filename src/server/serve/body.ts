import { messageOf } from '../../core/errors.ts';
import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../problems.ts';

/** The body of a request, checked. */
export async function bodyOf<Schema extends z.ZodType>(
  { req }: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await req.text());
  } catch (error) {
    throw new Problem(400, 'not-json', messageOf(error));
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  throw new Problem(400, 'invalid', z.prettifyError(result.error), 'GET /api/openapi.json describes it.');
}
