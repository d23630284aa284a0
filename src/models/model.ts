import { failed, type Failed, type Fault, type Result } from '../core/result.ts';

/**
 * One interface to language models. A model proposes; it is never an authority. Every failure is a value with a kind, and callers continue without the model.
 */
export interface Model {
  /** As in ORCH_MODEL, without keys: `anthropic:NAME`, `openai:URL#NAME`, `copilot:URL#NAME`, `onnx:FOLDER`, `cmd:…`. */
  readonly name: string;
  /** Where an answer is computed: at a service, or on a GPU here or in the local network. */
  readonly runsOn: 'cloud' | 'gpu';
  /** Whether it follows prompts, or only maps a Lean state to tactics. */
  readonly skill: 'general' | 'tactics';
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<Generated>;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Embedded>;
}

export interface GenerateRequest {
  readonly system?: string;
  readonly prompt: string;
  /** Number of answers requested. */
  readonly samples: number;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
  /** The answer must be JSON of this shape, else it is `malformed`. */
  readonly schema?: { readonly name: string; readonly json: Readonly<Record<string, unknown>> };
}

export interface ModelSample {
  readonly text: string;
  /** With a schema: the parsed JSON, or undefined if invalid. */
  readonly value?: unknown;
  /** `length`: cut off at the limit of tokens. */
  readonly end: 'stop' | 'length' | 'refused' | 'malformed';
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

/** Lower bound of bytes per token, to estimate the tokens of a text. */
const fewestBytes = 2;
/** Tokens are hardly ever longer than this; a longer answer is runaway output. */
const mostBytesOfToken = 16;

/** The highest possible cost of a request, booked if a service does not report its usage. */
export function worstOf({ system = '', prompt, samples, maxTokens, schema }: GenerateRequest): Usage {
  const inputTokens = mostTokens([system, prompt, JSON.stringify(schema?.json ?? '')]);
  return { inputTokens: samples * inputTokens, outputTokens: samples * maxTokens };
}

export function mostTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / fewestBytes);
}

/** Length above which an answer is runaway output. */
export function mostBytes({ maxTokens }: GenerateRequest): number {
  return maxTokens * mostBytesOfToken + 1024;
}

/**
 * `failed`: the service refused, or its answer cannot be read. `cancelled`: by the caller, or because the time budget
 * ran out. `not-recorded`: a replayed run requested an answer that was not recorded.
 */
export interface ModelFailure extends Fault<'failed' | 'cancelled' | 'over-budget' | 'not-recorded'> {
  /** The service may answer later. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** The service had started to answer and may charge for it. */
  readonly mayCost?: boolean;
}

export const cancelled: Failed<ModelFailure> = failed({ kind: 'cancelled', message: 'cancelled' });

export interface ModelAnswer {
  readonly samples: readonly ModelSample[];
  readonly usage: Usage;
}

export interface Vectors {
  readonly vectors: readonly (readonly number[])[];
  readonly usage: Usage;
}

export type Generated = Result<ModelAnswer, ModelFailure>;
export type Embedded = Result<Vectors, ModelFailure>;

/** The usual format of JSON from a model without a JSON mode. */
const fence = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s;

/** Maximum nesting of JSON in an answer. No valid answer is deeper, and deep nesting overflows the stack of recursive code. */
const deepest = 64;

/** Parses the JSON of a model's answer; throws a SyntaxError if it is invalid or too deeply nested. */
export function parseAnswer(text: string): unknown {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '[' || char === '{') && ++depth > deepest)
      throw new SyntaxError(`JSON nested more than ${deepest} levels deep`);
    else if (!inString && (char === ']' || char === '}')) depth--;
  }
  return JSON.parse(text);
}

/** Parses a sample whose text should be JSON. */
export function sampleOf(text: string, end: ModelSample['end'], isJson: boolean): ModelSample {
  if (!isJson || end === 'refused') return { text, end };
  try {
    return { text, value: parseAnswer(fence.exec(text)?.[1] ?? text), end };
  } catch {
    return { text, end: end === 'length' ? 'length' : 'malformed' };
  }
}
