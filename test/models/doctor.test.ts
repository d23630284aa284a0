import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { examineModels } from '../../src/models/doctor.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { writeTinyModel } from './onnx/tiny-model.ts';

test('a machine without models works, and the report says where to put weights', async () => {
  expect(await examineModels({})).toMatchObject([
    { name: 'model', state: 'missing', fix: expect.stringMatching(/ORCH_MODEL/) },
    { name: 'weights', state: 'missing', fix: expect.stringMatching(/encoder_model\.onnx.*ORCH_ENCODER/) },
  ]);
  expect(await examineModels({ model: 'anthropic:claude' })).toMatchObject([
    { state: 'ok' },
    { state: 'missing' },
  ]);
});

test('configured weights must exist', async () => {
  const folder = temporaryFolder();
  writeTinyModel(folder);
  const named = { model: `onnx:${folder}`, encoder: `onnx:${folder}` };
  expect(await examineModels(named)).toMatchObject([{ state: 'ok' }, { name: 'weights', state: 'ok' }]);
  rmSync(path.join(folder, 'encoder_model.onnx'));
  expect((await examineModels(named))[1]).toMatchObject({
    state: 'broken',
    detail: expect.stringMatching(/no encoder_model\.onnx/),
    fix: expect.stringMatching(/npm install onnxruntime-web/),
  });
});
