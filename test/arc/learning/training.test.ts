import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTask } from '../../../src/arc/loop/loop.ts';
import { writeOutputs } from '../../../src/arc/loop/outputs.ts';
import { makeTasks } from '../../../src/arc/learning/synth/synth.ts';
import { verify } from '../../../src/arc/verify/verify.ts';
import { exportExamples, nothingToTrain, synth } from '../../../src/app/arc/training.ts';
import { temporaryFolder } from '../../helpers/folders.ts';
import { inventedTask } from '../invented.ts';
import { drafting, options, partsWith } from '../loop/scripted.ts';

describe('training', () => {
  it('generates tasks with known rules: the same for the same seed, with separate families', () => {
    const made = [...makeTasks(6, 3)];
    expect(made).toHaveLength(6);
    expect([...makeTasks(6, 3)]).toEqual(made);
    for (const { task, program } of made) expect(verify(program, task).solved).toBe(true);
    const folder = temporaryFolder();
    synth('ruler', { out: folder, count: 6, seed: 3 });
    const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as {
      files: { families: string[]; sha256: string }[];
    };
    const [train, validation] = manifest.files.map(({ families }) => families);
    expect(train?.filter((family) => validation?.includes(family))).toEqual([]);
    for (const { sha256 } of manifest.files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(() => synth('nothing', { out: folder, count: 1, seed: 0 })).toThrow(/there is no nothing/);
  });

  it('turns traces into examples for language models', async () => {
    const folder = temporaryFolder();
    const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];
    const trace = await runTask(
      inventedTask('flip'),
      options,
      partsWith(drafting(flip, [{ op: 'hull', args: {} }])),
    );
    mkdirSync(path.join(folder, 'batch'));
    const result = { entries: [], rows: [trace.row], traces: [trace], seed: 0, runKey: 'key' };
    const outDir = path.join(folder, 'batch');
    writeOutputs(result, { rows: path.join(folder, 'rows'), folder: outDir });
    for (const format of ['sft', 'dpo'] as const) {
      exportExamples({ format, outDir, out: path.join(folder, format) });
      const [row] = readFileSync(path.join(folder, format), 'utf8').split('\n');
      expect(row).toContain(format === 'sft' ? '"completion"' : '"chosen"');
    }
  });

  it('trains no critic, ruler or describer, and says what to do instead', () => {
    expect(() => nothingToTrain('ruler')).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(/builtin or a model.*arc export/) as string,
      }) as Error,
    );
  });
});
