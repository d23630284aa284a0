import type * as Runtime from 'onnxruntime-web';
import { UserError } from '../../core/errors.ts';

export type { Runtime };

/**
 * The ONNX runtime as WebAssembly: no platform binary, no install script. It has 140 MB, so it is not part of orch;
 * users with weights install it separately.
 */
export async function onnxRuntime(): Promise<typeof Runtime> {
  let runtime: typeof Runtime;
  try {
    runtime = await import('onnxruntime-web');
  } catch {
    throw new UserError(
      'ONNX_RUNTIME_MISSING',
      'onnx: models need the package onnxruntime-web, which is not installed',
      'npm install onnxruntime-web (where orch is installed); docs/MODELS.md says which files the folder needs.',
    );
  }
  // one thread: the other processors belong to Lean
  runtime.env.wasm.numThreads = 1;
  return runtime;
}
