import { messageOf } from '../../core/errors.ts';
import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../problems.ts';
import type { Refused } from './endpoints.ts';

/** An invalid body, with the problem and its position. */
export class WrongBody extends Problem {
  readonly wrong: Exclude<Refused['detail'], string>;

  constructor(code: string, message: string, wrong: WrongBody['wrong']) {
    super(422, code, message, 'GET /api/openapi.json describes it.');
    this.wrong = wrong;
  }
}

/** The body of a request, checked. */
export async function bodyOf<Schema extends z.ZodType>(
  { req }: Context,
  schema: Schema,
): Promise<z.infer<Schema>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(await req.text());
  } catch (error) {
    const msg = messageOf(error);
    throw new WrongBody('not-json', msg, [{ type: 'json_invalid', loc: ['body'], msg }]);
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const wrong = result.error.issues.map(({ code, path, message }) => ({
    type: code,
    loc: ['body', ...path.map((part) => (typeof part === 'symbol' ? String(part) : part))],
    msg: message,
  }));
  throw new WrongBody('invalid', z.prettifyError(result.error), wrong);
}
