import { describe, expect, it } from 'vitest';
import { describe as describeTask } from '../../../../src/arc/grid/facts/describe.ts';
import { runTask } from '../../../../src/arc/loop/loop.ts';
import { modelDescriber, modelRuler, programsIn } from '../../../../src/arc/learning/rulers/model.ts';
import { modelNamed } from '../../../../src/models/choose.ts';
import type { Model } from '../../../../src/models/model.ts';
import { serviceWith, type Reply } from '../../../models/server.ts';
import { inventedTask } from '../../invented.ts';
import { options, partsWith } from '../../loop/scripted.ts';

const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];

async function modelSaying(...replies: Reply[]): Promise<Model> {
  const { url } = await serviceWith(...replies);
  return modelNamed(`openai:${url}/v1#local`, {});
}

describe('a ruler behind a model', () => {
  it('has its program judged like any other', async () => {
    const model = await modelSaying({ say: JSON.stringify({ programs: [flip, [{ op: 'no' }]] }) });
    const trace = await runTask(inventedTask('flip'), options, partsWith(modelRuler(model, 'teacher')));
    expect(trace.row).toMatchObject({ solved: true, stop: 'solved', nodes: 0 });
    expect(trace.iterations[0]?.candidates.map(({ error_type }) => error_type)).toEqual(['NONE', 'PARSE']);
  });

  it.each([
    ['a refusal', { refusal: 'no' }],
    ['truncated JSON', { say: '{"programs": [[{"op":', reason: 'length' }],
    ['a fault of the service', { status: 400 }],
    ['words', { say: 'I would flip it.' }],
    ['wrong types', { say: '{"programs": 7}' }],
  ] as [string, Reply][])('survives %s', async (_, reply) => {
    const ruler = modelRuler(await modelSaying(reply), 'teacher');
    const trace = await runTask(inventedTask('flip'), { ...options, iters: 2 }, partsWith(ruler));
    expect(trace.row.solved).toBe(false);
    for (const { error_type } of trace.iterations.flatMap(({ candidates }) => candidates))
      expect(['PARSE', 'TYPE']).toContain(error_type);
  });

  it('finds programs inside other words, as JSON and as rule text', () => {
    expect(programsIn(`Here: ${JSON.stringify(flip)} done`)).toEqual([flip]);
    expect(programsIn({ programs: ['$0 = move(input, motion: flip-left-right)'] })).toMatchObject([
      [{ op: 'move', args: { motion: 'flip-left-right' } }],
    ]);
    expect(programsIn(null)).toEqual([null]);
  });
});

describe('a describer behind a model', () => {
  it('keeps facts of known kinds, and falls back to our own', async () => {
    const task = inventedTask('flip');
    const good = { kind: 'background', scope: 'task', value: 0 };
    const said = {
      facts: [good, { kind: 'mood', scope: 'task', value: 1 }, { kind: 'period', scope: 'pair:9' }, 3],
    };
    const facts = await modelDescriber(await modelSaying({ say: JSON.stringify(said) }))(task);
    expect(facts).toMatchObject([good]);
    const none = await modelDescriber(await modelSaying({ say: 'no idea' }))(task);
    expect(none).toEqual(describeTask(task));
  });
});
