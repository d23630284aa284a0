import path from 'node:path';
import type { Finding } from '../core/doctor-finding.ts';
import { changedWeights } from './hub.ts';
import { weightsIn } from './onnx/weights.ts';

interface Named {
  readonly model?: string | undefined;
  readonly encoder?: string | undefined;
}

const howToGetWeights =
  'orch models fetch NAME, or put encoder_model.onnx and decoder_model.onnx (ReProver, exported by Hugging Face’s Optimum) into a folder; npm install onnxruntime-web, and set ORCH_MODEL=onnx:FOLDER; ORCH_ENCODER=onnx:FOLDER for a retriever’s encoder.';

/** Reports the configured models, and whether local weights exist. All of them are optional. */
export async function examineModels({ model, encoder }: Named): Promise<Finding[]> {
  const named: Finding =
    model === undefined
      ? {
          name: 'model',
          state: 'missing',
          detail: 'no language model is configured; everything works without one',
          fix: 'Set ORCH_MODEL, such as anthropic:NAME or openai:URL#NAME (docs/MODELS.md).',
        }
      : { name: 'model', state: 'ok', detail: model };
  return [named, await weights([model, encoder].filter((one) => one !== undefined))];
}

async function weights(models: readonly string[]): Promise<Finding> {
  const folders = models.flatMap((one) => /^onnx:(.+)$/.exec(one)?.[1] ?? []);
  const [first] = folders;
  if (first === undefined)
    return {
      name: 'weights',
      state: 'missing',
      detail: 'no local weights are configured',
      fix: howToGetWeights,
    };
  const faults = folders
    .map((folder) => weightsIn(path.resolve(folder)))
    .flatMap((one) => (one.ok ? [] : [one.error.message]));
  if (faults.length > 0)
    return { name: 'weights', state: 'broken', detail: faults.join('; '), fix: howToGetWeights };
  const changed = await Promise.all(
    [...new Set(folders)].map(async (folder) =>
      ((await changedWeights(folder)) ?? []).map((file) => path.join(folder, file)),
    ),
  );
  if (changed.flat().length > 0)
    return {
      name: 'weights',
      state: 'broken',
      detail: `not as downloaded: ${changed.flat().join(', ')}`,
      fix: 'Run orch models fetch NAME again: it downloads what has changed.',
    };
  return isInstalled()
    ? { name: 'weights', state: 'ok', detail: folders.join(', ') }
    : {
        name: 'weights',
        state: 'broken',
        detail: `${first}: onnxruntime-web is not installed`,
        fix: 'npm install onnxruntime-web',
      };
}

function isInstalled(): boolean {
  try {
    import.meta.resolve('onnxruntime-web');
    return true;
  } catch {
    return false;
  }
}
