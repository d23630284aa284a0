import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fieldOf, messageOf, UserError } from '../../core/errors.ts';

/** A component for a role of the loop: the built-in one, a trained file, or a model by name. */
export type Checkpoint =
  | { readonly kind: 'builtin' }
  /** `hash` identifies the file's bytes: another file makes another run. */
  | { readonly kind: 'trained'; readonly file: string; readonly hash: string }
  | { readonly kind: 'model'; readonly name: string };

export type Role = 'describer' | 'ruler' | 'enhanced-ruler';

/** The `kind` of file that each role reads, and the command that writes it. */
const trainedBy: Readonly<Record<Role, { readonly kind: string; readonly command: string }>> = {
  describer: { kind: 'arc-describer', command: 'orch arc describer train' },
  ruler: { kind: 'arc-student', command: 'orch arc ruler train' },
  'enhanced-ruler': { kind: 'arc-student', command: 'orch arc ruler train' },
};

const modelName = /^(?:openai|anthropic|copilot|cmd|onnx):/;
const weights = /\.(?:safetensors|gguf|bin|pt|pth)$/;

/** Parses --ROLE-checkpoint: `builtin`, a model, one of orch's files, or a folder with such a file or an ONNX export. */
export function checkpointOf(role: Role, name: string): Checkpoint {
  if (name === 'builtin') return { kind: 'builtin' };
  if (modelName.test(name)) return { kind: 'model', name };
  if (!existsSync(name))
    throw new UserError(
      'ARC_CHECKPOINT_MISSING',
      `--${role}-checkpoint: ${name} is not a file, a folder or a model`,
      `Write builtin, a file or folder of ${trainedBy[role].command}, openai:URL#MODEL, anthropic:MODEL or cmd:COMMAND.`,
    );
  return statSync(name).isDirectory() ? inFolder(role, name) : fromFile(role, name);
}

/** A folder may contain several of orch's files; the one for this role is used, and two of them are ambiguous. */
function inFolder(role: Role, folder: string): Checkpoint {
  const names = readdirSync(folder).sort();
  const ours = names
    .filter((name) => name.endsWith('.json') && kindIn(path.join(folder, name)) === trainedBy[role].kind)
    .map((name) => path.join(folder, name));
  if (ours.length > 1)
    throw new UserError(
      'ARC_CHECKPOINT_AMBIGUOUS',
      `${folder} holds ${ours.length} checkpoints for --${role}-checkpoint`,
      `Name one: ${ours.join(', ')}`,
    );
  if (ours[0] !== undefined) return fromFile(role, ours[0]);
  if (names.some((name) => name.endsWith('.onnx'))) return { kind: 'model', name: `onnx:${folder}` };
  if (names.some((name) => weights.test(name))) throw toServe(role, folder, folder);
  throw new UserError(
    'ARC_CHECKPOINT_EMPTY',
    `${folder} contains no checkpoint for --${role}-checkpoint`,
    `${trainedBy[role].command} writes one.`,
  );
}

function fromFile(role: Role, file: string): Checkpoint {
  if (weights.test(file)) throw toServe(role, file, path.dirname(file));
  const kind = kindIn(file);
  if (kind === trainedBy[role].kind)
    return {
      kind: 'trained',
      file: path.resolve(file),
      hash: createHash('sha256').update(readFileSync(file)).digest('hex'),
    };
  throw new UserError(
    'ARC_CHECKPOINT_SHAPE',
    `${file} is not a checkpoint for --${role}-checkpoint${typeof kind === 'string' ? `: it is of kind ${kind}` : ''}`,
    `${trainedBy[role].command} writes one.`,
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

/** The `kind` field of a file; undefined if it is not JSON of orch. */
function kindIn(file: string): unknown {
  try {
    return fieldOf(JSON.parse(readFileSync(file, 'utf8')), 'kind');
  } catch {
    return undefined;
  }
}

/** Reads a checkpoint file that this program has written. */
export function readCheckpoint<Shape extends z.ZodType>(
  file: string,
  shape: Shape,
  what: string,
): z.infer<Shape> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(
      'ARC_CHECKPOINT_UNREADABLE',
      `the ${what} checkpoint ${file} cannot be read: ${messageOf(error)}`,
      `orch arc ${what} train writes one.`,
      { cause: error },
    );
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(
    'ARC_CHECKPOINT_SHAPE',
    `${file} is no ${what} checkpoint: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
    `orch arc ${what} train writes one.`,
  );
}
