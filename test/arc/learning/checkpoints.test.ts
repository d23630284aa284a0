import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointOf, type Role } from '../../../src/arc/learning/checkpoints.ts';
import { emptyMemory } from '../../../src/arc/learning/memory/bundle.ts';
import { partsFor } from '../../../src/arc/loop/parts.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { inventedTask } from '../invented.ts';
import { options } from '../loop/scripted.ts';

function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = temporaryFolder();
  for (const [name, value] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return folder;
}

describe('a checkpoint', () => {
  it.each(['describer', 'ruler', 'enhanced-ruler'] as Role[])('%s may be built-in', (role) => {
    expect(checkpointOf(role, 'builtin')).toEqual({ kind: 'builtin' });
  });

  it('is a model by name, or an ONNX export in a folder', () => {
    const name = 'openai:http://localhost:1/v1#m';
    expect(checkpointOf('describer', name)).toEqual({ kind: 'model', name });
    const folder = folderWith({ 'encoder_model.onnx': '' });
    expect(checkpointOf('ruler', folder)).toEqual({ kind: 'model', name: `onnx:${folder}` });
  });

  it.each([
    ['ruler', { 'model.safetensors': '', 'config.json': '{}' }, /vllm serve .*--ruler-checkpoint openai:/],
    [
      'describer',
      { 'model.gguf': '' },
      /llama-server --model .*model\.gguf .*--describer-checkpoint openai:/,
    ],
    ['ruler', { 'student.json': { kind: 'arc-student' } }, /builtin, openai:URL#MODEL/],
  ] as [Role, Record<string, unknown>, RegExp][])(
    '%s %o is refused with the accepted forms',
    (role, files, fix) => {
      const folder = folderWith(files);
      expect(() => checkpointOf(role, folder)).toThrow(
        expect.objectContaining({ hint: expect.stringMatching(fix) as string }) as Error,
      );
    },
  );

  it('that is missing or empty is refused, and so is what earlier versions trained', () => {
    const folder = folderWith({ 'student.json': { kind: 'arc-student' } });
    expect(() => checkpointOf('ruler', path.join(folder, 'student.json'))).toThrow(/contains no checkpoint/);
    mkdirSync(path.join(folder, 'empty'));
    expect(() => checkpointOf('describer', path.join(folder, 'empty'))).toThrow(/contains no checkpoint/);
    expect(() => checkpointOf('ruler', path.join(folder, 'nothing'))).toThrow(/is not a file/);
  });

  it('enhanced-ruler builtin is a second search beside the teacher', async () => {
    const both = { ...options, iters: 1, enhancedRuler: checkpointOf('enhanced-ruler', 'builtin') };
    const beside = await runTask(inventedTask('flip'), both, partsFor(both, emptyMemory, 'key'));
    expect(beside.iterations[0]?.candidates.map(({ source }) => source)).toContain('student');
  });
});
