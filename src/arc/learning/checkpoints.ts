import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';

/** A component for a role of the loop: the built-in one, or a model by name. */
export type Checkpoint = { readonly kind: 'builtin' } | { readonly kind: 'model'; readonly name: string };

export type Role = 'describer' | 'ruler' | 'enhanced-ruler';

const modelName = /^(?:openai|anthropic|copilot|cmd|onnx):/;
const weights = /\.(?:safetensors|gguf|bin|pt|pth)$/;
const known =
  'Write builtin, openai:URL#MODEL, anthropic:MODEL, cmd:COMMAND or a folder with an ONNX export.';

/** Parses --ROLE-checkpoint: `builtin`, a model, or a folder with an ONNX export. */
export function checkpointOf(role: Role, name: string): Checkpoint {
  if (name === 'builtin') return { kind: 'builtin' };
  if (modelName.test(name)) return { kind: 'model', name };
  if (!existsSync(name))
    throw new UserError(
      'ARC_CHECKPOINT_MISSING',
      `--${role}-checkpoint: ${name} is not a file, a folder or a model`,
      known,
    );
  const isFolder = statSync(name).isDirectory();
  const files = isFolder ? readdirSync(name).sort() : [path.basename(name)];
  if (isFolder && files.some((file) => file.endsWith('.onnx')))
    return { kind: 'model', name: `onnx:${name}` };
  if (files.some((file) => weights.test(file)))
    throw toServe(role, name, isFolder ? name : path.dirname(name));
  throw new UserError(
    'ARC_CHECKPOINT_EMPTY',
    `${name} contains no checkpoint for --${role}-checkpoint`,
    known,
  );
}

/** Weights of a language model need a separate server; the message has the commands. */
function toServe(role: Role, named: string, folder: string): UserError {
  const gguf = named.endsWith('.gguf') ? named : readdirSync(folder).find((name) => name.endsWith('.gguf'));
  const start =
    gguf === undefined
      ? `vllm serve ${folder} --port 8000`
      : `llama-server --model ${gguf === named ? named : path.join(folder, gguf)} --port 8000`;
  return new UserError(
    'ARC_CHECKPOINT_WEIGHTS',
    `${named} contains the weights of a language model, which orch does not run itself`,
    `Serve them and name the server: ${start}; then --${role}-checkpoint openai:http://localhost:8000/v1#${gguf === undefined ? folder : path.basename(gguf)}`,
  );
}
