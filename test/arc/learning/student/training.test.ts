import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkpointOf } from '../../../../src/arc/learning/checkpoints.ts';
import { runTask } from '../../../../src/arc/loop/loop.ts';
import { writeOutputs } from '../../../../src/arc/loop/outputs.ts';
import { factFeatures } from '../../../../src/arc/grid/facts/features.ts';
import { partsFor } from '../../../../src/arc/loop/parts.ts';
import { emptyMemory } from '../../../../src/arc/learning/memory/bundle.ts';
import {
  studentRuler,
  trainStudent,
  type StudentLesson,
} from '../../../../src/arc/learning/student/student.ts';
import { evaluateDescriber, trainDescriber } from '../../../../src/arc/learning/student/train-describer.ts';
import { makeTasks } from '../../../../src/arc/learning/synth/synth.ts';
import { verify } from '../../../../src/arc/verify/verify.ts';
import {
  describerEval,
  describerTrain,
  exportExamples,
  rulerEval,
  rulerTrain,
  synth,
} from '../../../../src/app/arc/training.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { inventedTask } from '../../invented.ts';
import { drafting, options, partsWith } from '../../loop/scripted.ts';

function lessonOf(size: string, symmetry: string, op: string): StudentLesson {
  return {
    fact_features: [`all size-relation ${size}`, `all symmetry ${symmetry}`],
    program: [{ op, args: {} }],
  };
}

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

  it('trains a student that solves a simple task before the teacher searches', async () => {
    const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];
    const student = studentRuler(
      trainStudent([{ fact_features: ['all size-relation same'], program: flip }]),
    );
    const parts = partsWith(student, drafting([{ op: 'hull', args: {} }]));
    const trace = await runTask(inventedTask('flip'), options, parts);
    expect(trace.row).toMatchObject({ solved: true, best: { source: 'student' } });
    expect(trace.row.nodes).toBeLessThan(200);
  });

  it('trains a describer to keep the kinds of facts that tell operations apart', async () => {
    // sizes determine the operation, symmetries carry no information
    const lessons = ['in', 'out', 'gains', 'none', 'both', 'few'].flatMap((word) => [
      lessonOf('smaller', word, 'crop'),
      lessonOf('smaller', word, 'crop'),
      lessonOf('same', word, 'hull'),
      lessonOf('same', word, 'hull'),
    ]);
    const checkpoint = trainDescriber(lessons);
    expect(checkpoint.kinds).toEqual(['size-relation']);
    expect(evaluateDescriber(checkpoint, lessons)).toEqual({
      lessons: 24,
      mean_place: checkpoint.card['mean_place'],
      mean_place_all: checkpoint.card['mean_place_all'],
    });
    expect(trainDescriber(lessons)).toEqual(checkpoint);
    const file = path.join(temporaryFolder(), 'describer.json');
    writeFileSync(file, JSON.stringify(checkpoint));
    const { describe: say } = partsFor(
      { ...options, describer: checkpointOf('describer', file) },
      emptyMemory,
      'key',
    );
    const { facts } = await say(inventedTask('flip'));
    expect(new Set(facts.map(({ kind }) => kind))).toEqual(new Set(['size-relation']));
    expect(factFeatures(facts)).toContain('all size-relation same');
  });

  it('turns traces into checkpoints and examples', async () => {
    const folder = temporaryFolder();
    const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];
    const trace = await runTask(
      inventedTask('flip'),
      options,
      partsWith(drafting(flip, [{ op: 'hull', args: {} }])),
    );
    mkdirSync(path.join(folder, 'batch'));
    const result = { entries: [], rows: [trace.row], traces: [trace], seed: 0, runKey: 'key' };
    writeOutputs(result, { rows: path.join(folder, 'rows'), folder: path.join(folder, 'batch') });
    const outDir = path.join(folder, 'batch');
    const out = path.join(folder, 'student.json');
    rulerTrain({ outDir, out });
    rulerEval({ outDir, checkpoint: out });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({
      kind: 'arc-student',
      operations: { move: 1 },
    });
    for (const format of ['sft', 'dpo'] as const) {
      exportExamples({ format, outDir, out: path.join(folder, format) });
      const [row] = readFileSync(path.join(folder, format), 'utf8').split('\n');
      expect(row).toContain(format === 'sft' ? '"completion"' : '"chosen"');
    }
    const describer = path.join(folder, 'describer.json');
    describerTrain({ outDir, out: describer });
    expect(JSON.parse(readFileSync(describer, 'utf8'))).toMatchObject({ card: { lessons: 1 } });
    describerEval({ outDir, checkpoint: describer });
    expect(() => describerEval({ outDir, checkpoint: out })).toThrow(/is no describer checkpoint/);
  });
});
