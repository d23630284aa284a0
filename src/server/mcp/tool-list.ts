import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ListToolsRequestSchema, type Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';

/** A tool with the schemas that its calls and answers are checked with. */
export interface CheckedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly outputSchema: z.ZodObject;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: boolean };
}

/** Lists the tools with schemas that every client can read. */
export function listTools({ server }: McpServer, tools: readonly CheckedTool[]): void {
  const listed = tools.map(({ inputSchema, outputSchema, ...about }) => ({
    ...about,
    inputSchema: portable(z.toJSONSchema(inputSchema, { target: 'draft-7', io: 'input' })),
    outputSchema: portable(z.toJSONSchema(outputSchema, { target: 'draft-7', io: 'output' })),
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
}

/** Some clients read only one `type` per schema, and take an empty schema for a mistake. */
function portable(schema: object): ListedTool['inputSchema'] {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    if (key === 'additionalProperties' && Object.keys(value).length === 0) return true;
    if (!('type' in value) || !Array.isArray(value.type)) return value;
    const { type: types, ...rest } = value;
    return { ...rest, anyOf: (types as string[]).map((type) => ({ type })) };
  }) as ListedTool['inputSchema'];
}
