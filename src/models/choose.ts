import { UserError } from '../core/errors.ts';
import { cleanEnvironment } from '../io/programs.ts';
import { anthropicModel } from './anthropic.ts';
import { commandModel } from './command.ts';
import { copilotModel } from './copilot.ts';
import type { Model } from './model.ts';
import { onnxModel } from './onnx/onnx.ts';
import { openAiModel } from './openai.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const known = 'anthropic:NAME, openai:URL#NAME, copilot:URL#NAME, onnx:FOLDER or cmd:COMMAND';

/**
 * The model with a name such as `openai:http://localhost:8000/v1#qwen`. Keys come from the environment. Each client
 * gets only its own key, and a command gets only the variables listed in `passed`.
 */
export function modelNamed(name: string, environment: Environment, passed: readonly string[] = []): Model {
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
      // a self-hosted server needs no key, but the client insists on one
      const apiKey = environment['OPENAI_API_KEY'] || 'none';
      const { url, name: model } = serverOf(kind, rest);
      return openAiModel({ url, model, apiKey });
    }
    case 'copilot':
      return copilotModel(serverOf(kind, rest));
    case 'cmd':
      if (rest.trim() === '')
        throw new UserError('MODEL_NAME', 'cmd: must be followed by a command', `Write ${known}.`);
      return commandModel(rest, cleanEnvironment(environment, passed));
    case 'onnx':
      if (rest.trim() === '')
        throw new UserError('MODEL_NAME', 'onnx: must be followed by a folder', `Write ${known}.`);
      return onnxModel(rest);
    default:
      throw new UserError('MODEL_NAME', `${JSON.stringify(name)} is not a model`, `Write ${known}.`);
  }
}

/** Splits URL#NAME. An address with a password is refused, because it would be written into ledger and cache. */
function serverOf(kind: string, rest: string): { url: string; name: string } {
  const hash = rest.lastIndexOf('#');
  const url = rest.slice(0, Math.max(0, hash));
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UserError(
      'MODEL_NAME',
      `${kind}: must be followed by a server URL and a model name`,
      `Write ${kind}:URL#MODEL, such as openai:http://localhost:8000/v1#qwen.`,
    );
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new UserError(
      'MODEL_KEY_IN_NAME',
      `the address of ${kind}: contains a key`,
      'Put the key into OPENAI_API_KEY; orch never stores it.',
    );
  return { url, name: rest.slice(hash + 1) };
}

function keyOf(environment: Environment, name: string): string {
  const key = environment[name];
  if (key !== undefined && key !== '') return key;
  throw new UserError(
    'MODEL_KEY_MISSING',
    `${name} is not set`,
    'Put the key into the environment; orch never stores it.',
  );
}
