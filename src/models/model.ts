import { failed, type Failed, type Fault, type Result } from '../core/result.ts';

/**
 * One interface to language models. A model proposes; it is never an authority. Whatever goes wrong on the way to one is a
 * value with a kind: a caller continues without the model.
 */
export interface Model {
  /** As in ORCH_MODEL, without keys: `anthropic:NAME`, `openai:URL#NAME`, `copilot:URL#NAME`, `onnx:FOLDER`, `cmd:…`. */
  readonly name: string;
  /** Whose seconds an answer takes: a service's, or those of a GPU on this machine or beside it. */
  readonly runsOn: 'cloud' | 'gpu';
  /** Whether it does what a prompt asks for, or knows one thing: a state of Lean in, tactics out. */
  readonly skill: 'general' | 'tactics';
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

export interface ModelSample {
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

/** A text has fewer tokens than one per this many bytes. */
const fewestBytes = 2;
/** A token is hardly ever longer than this; an answer that is has run away. */
const mostBytesOfToken = 16;

/** The most that a request can cost: what is booked where a service does not say. */
export function worstOf({ system = '', prompt, samples, maxTokens, schema }: GenerateRequest): Usage {
  const inputTokens = mostTokens([system, prompt, JSON.stringify(schema?.json ?? '')]);
  return { inputTokens: samples * inputTokens, outputTokens: samples * maxTokens };
}

export function mostTokens(texts: readonly string[]): number {
  return Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / fewestBytes);
}

/** Where an answer has run away, whatever its tokens are. */
export function mostBytes({ maxTokens }: GenerateRequest): number {
  return maxTokens * mostBytesOfToken + 1024;
}

/**
 * `failed`: the service refused, or its answer cannot be read. `cancelled`: by the caller, or the seconds of a budget were over.
 * `not-recorded`: a replayed run asked for an answer that was never recorded.
 */
export interface ModelFailure extends Fault<'failed' | 'cancelled' | 'over-budget' | 'not-recorded'> {
  /** The service may answer later. */
  readonly retryable?: boolean;
  readonly retryAfterMs?: number;
  /** The service had begun to answer: it may charge for it all the same. */
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

/** How a model that has no means for JSON mostly says it. */
const fence = /^\s*```(?:json)?\s*\n(.*)\n\s*```\s*$/s;

/** A sample whose text should be JSON, read. */
export function sampleOf(text: string, end: ModelSample['end'], isJson: boolean): ModelSample {
  if (!isJson || end === 'refused') return { text, end };
  try {
    return { text, value: JSON.parse(fence.exec(text)?.[1] ?? text), end };
  } catch {
    return { text, end: end === 'length' ? 'length' : 'malformed' };
  }
}
