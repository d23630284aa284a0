import * as z from 'zod';
import { schemas } from '../src/arc/learning/schemas.ts';

/** The JSON Schemas of what `orch arc run` writes, made from its zod schemas: file name → what it should hold. */
export function arcSchemaDocuments(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      `docs/schemas/arc/${name}.schema.json`,
      `${JSON.stringify({ title: `orch arc: ${name}`, ...z.toJSONSchema(schema) }, null, 2)}\n`,
    ]),
  );
}
