import type Anthropic from '@anthropic-ai/sdk';
import { boundedFetch, contentLength } from './bounded.ts';
import { failureOf } from './failures.ts';
import { failed, success } from '../core/result.ts';
import {
  mostBytes,
  sampleOf,
  worstOf,
  type Embedded,
  type Generated,
  type GenerateRequest,
  type Model,
  type ModelSample,
  type Usage,
} from './model.ts';

export interface AnthropicOptions {
  readonly model: string;
  readonly apiKey: string;
  /** Another server with the same protocol. */
  readonly url?: string;
}

/** Claude through the official client. Answers are streamed; JSON is requested as the input of a tool. Retries are ours. */
export function anthropicModel({ model, apiKey, url }: AnthropicOptions): Model {
  let opened: Promise<Anthropic> | undefined;
  const one = async (
    request: GenerateRequest,
    signal: AbortSignal | undefined,
  ): Promise<{ sample: ModelSample; usage: Usage }> => {
    const client = await (opened ??= clientOf(apiKey, url));
    const stream = client.messages.stream(
      {
        model,
        max_tokens: request.maxTokens,
        temperature: request.temperature,
        messages: [{ role: 'user', content: request.prompt }],
        ...(request.system !== undefined && { system: request.system }),
        ...(request.stop !== undefined && { stop_sequences: [...request.stop] }),
        ...(request.schema !== undefined && {
          tools: [
            {
              name: request.schema.name,
              description: 'Say the answer with this tool.',
              input_schema: { ...request.schema.json, type: 'object' as const },
            },
          ],
          tool_choice: { type: 'tool' as const, name: request.schema.name },
        }),
      },
      { signal },
    );
    let length = 0;
    stream.on('streamEvent', (event) => {
      if (event.type === 'content_block_delta') length += contentLength(event.delta);
      if (event.type === 'content_block_start') length += contentLength(event.content_block);
      // a server that ignores the limit is cut off here
      if (length > mostBytes(request)) stream.abort();
    });
    const message = await stream.finalMessage().catch((error: unknown) => {
      if (length > mostBytes(request)) return undefined;
      throw error;
    });
    if (!message) return { sample: { text: '', end: 'length' }, usage: worstOf({ ...request, samples: 1 }) };
    const usage = { inputTokens: message.usage.input_tokens, outputTokens: message.usage.output_tokens };
    return { sample: sampleFrom(message, request.schema !== undefined), usage };
  };
  return {
    name: `anthropic:${model}`,
    runsOn: 'cloud',
    skill: 'general',
    async generate(request, signal): Promise<Generated> {
      const samples: ModelSample[] = [];
      let [inputTokens, outputTokens] = [0, 0];
      try {
        for (let i = 0; i < request.samples; i++) {
          const { sample, usage } = await one(request, signal);
          samples.push(sample);
          inputTokens += usage.inputTokens;
          outputTokens += usage.outputTokens;
        }
        return success({ samples, usage: { inputTokens, outputTokens } });
      } catch (error) {
        return failureOf(error, [apiKey], signal);
      }
    },
    embed: (): Promise<Embedded> =>
      Promise.resolve(failed({ kind: 'failed', message: 'this service has no embeddings' })),
  };
}

/** The client has 240 modules, so it is loaded on first use. */
async function clientOf(apiKey: string, url: string | undefined): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk');
  return new Client({
    apiKey,
    maxRetries: 0,
    // ANTHROPIC_LOG=debug would print requests with their headers
    logLevel: 'off',
    fetch: boundedFetch,
    ...(url !== undefined && { baseURL: url }),
  });
}

function sampleFrom(message: Anthropic.Message, isJson: boolean): ModelSample {
  const text = message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const tool = message.content.find((block) => block.type === 'tool_use');
  const end = endOf(message.stop_reason);
  if (!isJson) return { text, end };
  if (tool === undefined) return sampleOf(text, end, true);
  const said = JSON.stringify(tool.input);
  return end === 'length' ? { text: said, end } : { text: said, value: tool.input, end };
}

function endOf(reason: string | null): ModelSample['end'] {
  if (reason === 'max_tokens' || reason === 'model_context_window_exceeded') return 'length';
  return reason === 'refusal' ? 'refused' : 'stop';
}
