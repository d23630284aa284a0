import { UserError } from '../core/errors.ts';
import { anthropicModel } from './anthropic.ts';
import { commandModel } from './command.ts';
import type { Model } from './model.ts';
import { openAiModel } from './openai.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const known = 'anthropic:NAME, openai:URL#NAME or cmd:COMMAND';

/** The model that a name such as `openai:http://localhost:8000/v1#qwen` stands for. Keys come from the environment. */
export function modelNamed(name: string, environment: Environment): Model {
  const colon = name.indexOf(':');
  const [kind, rest] = [name.slice(0, colon), name.slice(colon + 1)];
  switch (colon < 0 ? '' : kind) {
    case 'anthropic': {
      const url = environment['ANTHROPIC_BASE_URL'];
      return anthropicModel({
        model: rest,
        apiKey: keyOf(environment, 'ANTHROPIC_API_KEY'),
        ...(url && { url }),
      });
    }
    case 'openai': {
      const hash = rest.lastIndexOf('#');
      if (hash < 0 || !URL.canParse(rest.slice(0, hash)))
        throw new UserError(
          'MODEL_NAME',
          `${name} names no server and model`,
          'Write openai:URL#MODEL, such as openai:http://localhost:8000/v1#qwen.',
        );
      // a server of one's own asks for no key, but the client insists on one
      const apiKey = environment['OPENAI_API_KEY'] ?? 'none';
      return openAiModel({ url: rest.slice(0, hash), model: rest.slice(hash + 1), apiKey });
    }
    case 'cmd':
      return commandModel(rest);
    case 'onnx':
    case 'copilot':
      throw new UserError(
        'MODEL_KIND_MISSING',
        `this version cannot load ${kind} models`,
        `Known are ${known}. A server such as llama.cpp or vLLM makes a local model an openai: one.`,
      );
    default:
      throw new UserError('MODEL_NAME', `${JSON.stringify(name)} is no model`, `Write ${known}.`);
  }
}

function keyOf(environment: Environment, name: string): string {
  const key = environment[name];
  if (key !== undefined && key !== '') return key;
  throw new UserError(
    'MODEL_KEY_MISSING',
    `${name} is not set`,
    'Put the key into the environment; it is written nowhere.',
  );
}
