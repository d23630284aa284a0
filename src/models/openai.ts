import type OpenAI from 'openai';
import { boundedFetch, contentLength } from './bounded.ts';
import { failureOf } from './failures.ts';
import { runsOnOf } from './where.ts';
import { failed, success } from '../core/result.ts';
import {
  mostBytes,
  sampleOf,
  worstOf,
  cancelled,
  type Embedded,
  type Generated,
  type GenerateRequest,
  type Model,
  type ModelSample,
} from './model.ts';

export interface OpenAiOptions {
  /** The root of the service, such as `http://localhost:8000/v1`: vLLM, llama.cpp and Ollama speak this protocol. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
}

/** Any server with OpenAI's protocol, through the official client. Answers are streamed. Retries are ours. */
export function openAiModel({ url, model, apiKey }: OpenAiOptions): Model {
  let opened: Promise<OpenAI> | undefined;
  const client = async (): Promise<OpenAI> => await (opened ??= clientOf(url, apiKey));
  return {
    name: `openai:${url}#${model}`,
    runsOn: runsOnOf(url),
    skill: 'general',
    async generate(request, signal): Promise<Generated> {
      const collected = Array.from({ length: request.samples }, () => new Choice());
      // if the service does not report its usage, the worst case is booked
      let usage = worstOf(request);
      try {
        const stream = await (await client()).chat.completions.create(bodyOf(model, request), { signal });
        let received = 0;
        for await (const chunk of stream) {
          received += contentLength(chunk.choices.map(({ delta }) => delta));
          for (const { index, delta, finish_reason } of chunk.choices)
            collected[index]?.add(delta.content ?? '', delta.refusal ?? '', finish_reason);
          if (chunk.usage)
            usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens };
          // a server that ignores the limit is cut off here
          if (received > request.samples * mostBytes(request)) {
            stream.controller.abort();
            break;
          }
        }
        if (signal?.aborted === true) return cancelled;
        if (collected.every(({ isEmpty }) => isEmpty))
          return failed({ kind: 'failed', message: 'the service ended without an answer', retryable: true });
        const isJson = request.schema !== undefined;
        return success({ samples: collected.map((choice) => choice.sample(isJson)), usage });
      } catch (error) {
        return failureOf(error, [apiKey], signal);
      }
    },
    async embed(texts, signal): Promise<Embedded> {
      try {
        const { data, usage } = await (
          await client()
        ).embeddings.create({ model, input: [...texts], encoding_format: 'float' }, { signal });
        const vectors = [...data].sort((a, b) => a.index - b.index).map(({ embedding }) => embedding);
        return success({ vectors, usage: { inputTokens: usage.prompt_tokens, outputTokens: 0 } });
      } catch (error) {
        return failureOf(error, [apiKey], signal);
      }
    },
  };
}

/** The client has 150 modules, so it is loaded on first use. */
async function clientOf(url: string, apiKey: string): Promise<OpenAI> {
  const { default: Client } = await import('openai');
  return new Client({
    apiKey,
    baseURL: url,
    maxRetries: 0,
    // OPENAI_LOG=debug would print requests with their headers
    logLevel: 'off',
    fetch: boundedFetch,
  });
}

function bodyOf(model: string, request: GenerateRequest) {
  const { system, prompt, samples, temperature, maxTokens, stop, schema } = request;
  return {
    model,
    stream: true as const,
    stream_options: { include_usage: true },
    n: samples,
    temperature,
    max_tokens: maxTokens,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system' as const, content: system }]),
      { role: 'user' as const, content: prompt },
    ],
    ...(stop !== undefined && { stop: [...stop] }),
    ...(schema !== undefined && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: schema.name, schema: { ...schema.json }, strict: true },
      },
    }),
  };
}

/** Collects one answer from its streamed pieces. */
class Choice {
  #text = '';
  #refusal = '';
  #reason: string | null = null;

  add(text: string, refusal: string, reason: string | null): void {
    this.#text += text;
    this.#refusal += refusal;
    this.#reason = reason ?? this.#reason;
  }

  get isEmpty(): boolean {
    return this.#text === '' && this.#refusal === '' && this.#reason === null;
  }

  sample(isJson: boolean): ModelSample {
    if (this.#refusal !== '' || this.#reason === 'content_filter')
      return { text: this.#refusal || this.#text, end: 'refused' };
    return sampleOf(this.#text, this.#reason === 'stop' ? 'stop' : 'length', isJson);
  }
}
