import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** A search may take as long as its CPU budget allows; cancelling is up to the user. */
const longestCallMs = 3_600_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (message: string) => void;
}

/** `orch mcp` in a folder, as a child process. */
export class OrchClient {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  static async start(
    command: readonly string[],
    folder: string,
    log: (text: string) => void,
  ): Promise<OrchClient> {
    const [program = 'orch', ...first] = command;
    const transport = new StdioClientTransport({
      command: program,
      args: [...first, 'mcp'],
      cwd: folder,
      env: Object.fromEntries(
        Object.entries(process.env).filter(([, value]) => value !== undefined),
      ) as Record<string, string>,
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => log(chunk.toString()));
    const client = new Client({ name: 'orch for VS Code', version: '1' });
    await client.connect(transport);
    return new OrchClient(client);
  }

  /** The answer of a tool as data. A refusal is an error with orch's message. */
  async call(
    tool: string,
    args: Record<string, unknown>,
    { signal, onProgress }: CallOptions = {},
  ): Promise<unknown> {
    const { structuredContent, content, isError } = await this.#client.callTool(
      { name: tool, arguments: args },
      undefined,
      {
        timeout: longestCallMs,
        ...(signal && { signal }),
        ...(onProgress && { onprogress: ({ message = '' }) => onProgress(message) }),
      },
    );
    if (isError === true) throw new Error(messageIn(content));
    return structuredContent;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** `{"error": {"message", "hint"}}`, or the SDK's own text. */
function messageIn(content: unknown): string {
  const [{ text = 'orch gave no reason' } = {}] = content as { readonly text?: string }[];
  try {
    const { error } = JSON.parse(text) as {
      readonly error: { readonly message: string; readonly hint?: string };
    };
    return [error.message, error.hint].filter(Boolean).join(' ');
  } catch {
    return text;
  }
}
