import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointOf, type Role } from '../../../src/arc/learning/checkpoints.ts';
import { trainStudent } from '../../../src/arc/learning/student/student.ts';
import { emptyMemory } from '../../../src/arc/learning/memory/bundle.ts';
import { partsFor } from '../../../src/arc/loop/parts.ts';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { inventedTask } from '../invented.ts';
import { options } from '../loop/scripted.ts';

const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];
const student = trainStudent([{ fact_features: ['all size-relation same'], program: flip }]);

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

  it('is one of orch’s files or its folder, identified by its bytes', () => {
    const folder = folderWith({ 'student.json': student, 'other.json': { kind: 'arc-critic' }, notes: 'x' });
    const file = path.join(folder, 'student.json');
    const found = checkpointOf('ruler', folder);
    expect(found).toEqual(checkpointOf('enhanced-ruler', file));
    writeFileSync(file, `${JSON.stringify(student)}\n`);
    expect(checkpointOf('ruler', folder)).toMatchObject({ kind: 'trained', file });
    expect(checkpointOf('ruler', folder)).not.toEqual(found);
    writeFileSync(path.join(folder, 'second.json'), JSON.stringify(student));
    expect(() => checkpointOf('ruler', folder)).toThrow(/2 checkpoints/);
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
    ['ruler', { 'critic.json': { kind: 'arc-critic' } }, /orch arc ruler train writes one/],
  ] as [Role, Record<string, unknown>, RegExp][])(
    '%s %o is refused with the accepted forms',
    (role, files, fix) => {
      const folder = folderWith(files);
      expect(() => checkpointOf(role, folder)).toThrow(
        expect.objectContaining({ hint: expect.stringMatching(fix) as string }) as Error,
      );
    },
  );

  it('a checkpoint of another kind and an empty one are refused', () => {
    const folder = folderWith({ 'critic.json': { kind: 'arc-critic' } });
    expect(() => checkpointOf('ruler', path.join(folder, 'critic.json'))).toThrow(/of kind arc-critic/);
    mkdirSync(path.join(folder, 'empty'));
    expect(() => checkpointOf('describer', path.join(folder, 'empty'))).toThrow(/contains no checkpoint/);
    expect(() => checkpointOf('ruler', path.join(folder, 'nothing'))).toThrow(/is not a file/);
  });

  it('is used in its role: a student as teacher, and the built-in student', async () => {
    const folder = folderWith({ 'student.json': student });
    const asTeacher = { ...options, iters: 1, ruler: checkpointOf('ruler', folder) };
    const taught = await runTask(inventedTask('flip'), asTeacher, partsFor(asTeacher, emptyMemory, 'key'));
    expect(taught.row).toMatchObject({ solved: true, best: { source: 'teacher' } });
    expect(taught.iterations[0]?.candidates[0]?.by).toBe('student');
    const both = { ...options, iters: 1, enhancedRuler: checkpointOf('enhanced-ruler', 'builtin') };
    const beside = await runTask(inventedTask('flip'), both, partsFor(both, emptyMemory, 'key'));
    expect(beside.iterations[0]?.candidates.map(({ source }) => source)).toContain('student');
  });
});
