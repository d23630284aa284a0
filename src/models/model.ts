/**
 * One interface to language models. A model proposes; it is never an authority. Whatever goes wrong on the way to one is a
 * value with a kind: a caller goes on without the model.
 */
export interface Model {
  /** As in ORCH_MODEL, without keys: `anthropic:NAME`, `openai:URL#NAME`, `cmd:…`. */
  readonly name: string;
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<Generated>;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded>;
}

export interface GenerateRequest {
  readonly system?: string;
  readonly prompt: string;
  /** How many answers are asked for. */
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** The answer must be JSON of this shape; what is not is said to be `malformed`. */
  readonly schema?: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
}

export interface Sample {
  readonly text: string;
  /** With a schema: the JSON that was said, or undefined when it is none. */
  readonly value?: unknown;
  /** `length`: cut off at the limit of tokens. */
  readonly end: 'stop' | 'length' | 'refused' | 'malformed';
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export type Failure =
  /** The service said no, or nothing that can be read; `retryable` when it may say otherwise later. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly retryable: boolean;
      readonly retryAfterMs?: number;
    }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'over-budget'; readonly message: string }
  /** A replayed run asked for what was never recorded. */
  | { readonly kind: 'not-recorded'; readonly message: string };

export type Generated =
  | { readonly kind: 'answered'; readonly samples: readonly Sample[]; readonly usage: Usage }
  | Failure;

export type Embedded =
  | { readonly kind: 'embedded'; readonly vectors: readonly (readonly number[])[]; readonly usage: Usage }
  | Failure;

/** A sample whose text should be JSON, read. */
export function sampleOf(text: string, end: Sample['end'], isJson: boolean): Sample {
  if (!isJson || end === 'refused') return { text, end };
  try {
    return { text, value: JSON.parse(text), end };
  } catch {
    return { text, end: end === 'length' ? 'length' : 'malformed' };
  }
}
