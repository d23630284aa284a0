import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describe as describeTask } from '../../../../src/arc/grid/facts/describe.ts';
import { normalForm } from '../../../../src/arc/language/normal.ts';
import type { Program } from '../../../../src/arc/language/program.ts';
import { directivePreferences, rankingPairs } from '../../../../src/arc/learning/datasets/build.ts';
import {
  memoryText,
  modelDescriber,
  modelRuler,
  programsIn,
} from '../../../../src/arc/learning/rulers/model.ts';
import type { PricedModel } from '../../../../src/arc/learning/rulers/model.ts';
import { emptyMemory } from '../../../../src/arc/learning/memory/bundle.ts';
import { builtinTeacher } from '../../../../src/arc/learning/rulers/builtin.ts';
import { remember } from '../../../../src/arc/learning/memory/remember.ts';
import { readMemory, retrieveForRuler } from '../../../../src/arc/learning/memory/retrieve.ts';
import { studentBufferSchema, traceSchema, type TaskTrace } from '../../../../src/arc/learning/schemas.ts';
import { runTask } from '../../../../src/arc/loop/loop.ts';
import { metricsOf, writeOutputs } from '../../../../src/arc/loop/outputs.ts';
import { systemClock } from '../../../../src/core/clock.ts';
import { Budget } from '../../../../src/models/budget.ts';
import { careful } from '../../../../src/models/careful.ts';
import { modelNamed } from '../../../../src/models/choose.ts';
import { ArcMemoryStore } from '../../../../src/store/arc-memory/store.ts';
import { temporaryFolder } from '../../../helpers/folders.ts';
import { serviceWith, type Reply, type Service } from '../../../models/server.ts';
import { inventedTask } from '../../invented.ts';
import { options, partsWith } from '../../loop/scripted.ts';

const flip = [{ op: 'move', args: { motion: 'flip-left-right' } }];
const price = { input: 2, output: 10 };

const sleep = async (): Promise<void> => await Promise.resolve();

/** A model behind a service with these replies, with retries as in a run but without waiting. */
async function modelSaying(...replies: Reply[]): Promise<PricedModel & { readonly service: Service }> {
  const service = await serviceWith(...replies);
  // the service is silent until the budget's time is over
  const isSilent = replies.some((reply) => 'silent' in reply);
  const budget = new Budget({ seconds: isSilent ? 0.3 : 60 }, price);
  const model = careful(modelNamed(`openai:${service.url}/v1#local`, {}), {
    budget,
    clock: systemClock,
    sleep,
  });
  return { model, price, service };
}

function say(...programs: unknown[]): Reply {
  return { say: JSON.stringify({ programs }) };
}

function typesOf(trace: TaskTrace): string[] {
  return trace.iterations.flatMap(({ candidates }) => candidates.map(({ error_type }) => error_type));
}

describe('a ruler that asks a model', () => {
  it('its program is verified like any other', async () => {
    const model = await modelSaying(say(flip, [{ op: 'no' }]));
    const trace = await runTask(inventedTask('flip'), options, partsWith(modelRuler(model, 'teacher')));
    expect(trace.row).toMatchObject({ solved: true, stop: 'solved', nodes: 0 });
    expect(typesOf(trace)).toEqual(['NONE', 'PARSE']);
    expect(trace.iterations[0]?.answers).toEqual([
      expect.objectContaining({
        role: 'teacher',
        end: 'ANSWERED',
        said: 2,
        taken: 2,
        input_tokens: 100,
        output_tokens: 20,
        microdollars: 400,
        prompt: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      }),
    ]);
    expect(trace.iterations[0]?.candidates.map(({ answer }) => answer)).toEqual([0, 0]);
  });

  it('the built-in teacher stays active and is queried too', async () => {
    const model = await modelSaying(say(flip));
    const rulers = [modelRuler(model, 'student'), builtinTeacher()];
    const trace = await runTask(inventedTask('flip'), { ...options, iters: 1 }, partsWith(...rulers));
    const sources = trace.iterations[0]?.candidates.map(({ source, by }) => `${source} ${by.split(' ')[0]}`);
    expect(sources).toContain('student model');
    expect(sources?.some((source) => source.startsWith('teacher'))).toBe(true);
    expect(trace.row.nodes_to_best).toBeLessThan(trace.row.nodes);
  });

  it.each([
    ['a refusal', { refusal: 'I will not' }, 'REFUSED'],
    ['truncated JSON', { say: '{"programs": [[{"op":', reason: 'length' }, 'TOO_LONG'],
    ['text without end', { endless: 'x'.repeat(4096) }, 'TOO_LONG'],
    ['a fault of the service', { status: 400 }, 'UNAVAILABLE'],
    ['silence', { silent: true }, 'SILENT'],
    ['an empty answer', { say: '' }, 'SILENT'],
    ['an empty list', { say: '{"programs": []}' }, 'SILENT'],
    ['words', { say: 'I would flip it.' }, 'PARSE'],
    ['wrong types', { say: '{"programs": 7}' }, 'PARSE', 'ANSWERED'],
    ['JSON too deep to walk', { say: `{"programs": ${'['.repeat(3000)}${']'.repeat(3000)}}` }, 'PARSE'],
    ['a name of every object', say([{ op: 'hull', args: { constructor: 1 } }]), 'TYPE', 'ANSWERED'],
    [
      'a prototype',
      { say: '{"programs": [[{"op": "__proto__", "args": {"__proto__": 1}}]]}' },
      'PARSE',
      'ANSWERED',
    ],
    ['an endless argument', say([{ op: 'move', args: { motion: 'x'.repeat(5000) } }]), 'TYPE', 'ANSWERED'],
    ['a step that looks ahead', say([{ op: 'hull', args: { of: 5 } }]), 'TYPE', 'ANSWERED'],
  ] as [string, Reply, string, string?][])('counts %s as one row with its kind', async (...row) => {
    const [, reply, kind, end = kind] = row;
    const { model } = await modelSaying(reply);
    const ruler = modelRuler({ model, price }, 'teacher');
    const trace = await runTask(inventedTask('flip'), { ...options, iters: 2 }, partsWith(ruler));
    expect(trace.row.solved).toBe(false);
    expect(typesOf(trace)).toEqual([kind]);
    expect(JSON.stringify(trace.iterations[0]?.candidates).length).toBeLessThan(4000);
    const answers = metricsOf({
      entries: [],
      rows: [],
      traces: [trace],
      seed: 0,
      runKey: 'key',
    }).answers;
    expect(answers).toMatchObject({ calls: 1, ends: { [end]: 1 } });
    expect(traceSchema.safeParse(JSON.parse(JSON.stringify(trace))).success).toBe(true);
  });

  it('accepts no more programs than requested, and reports how many came', async () => {
    const many = Array.from({ length: 60 }, (_, i) => [{ op: 'paint', args: { colour: i % 10 } }]);
    const { model } = await modelSaying(say(...many));
    const ruler = modelRuler({ model, price }, 'teacher');
    const trace = await runTask(inventedTask('flip'), { ...options, iters: 1 }, partsWith(ruler));
    expect(trace.iterations[0]?.answers[0]).toMatchObject({ said: 60, taken: options.candidateK });
  });

  it('finds programs in surrounding text, as JSON and as rule text', () => {
    expect(programsIn(`Here: ${JSON.stringify(flip)} done`)).toEqual([flip]);
    expect(programsIn({ programs: ['$0 = move(input, motion: flip-left-right)'] })).toMatchObject([
      [{ op: 'move', args: { motion: 'flip-left-right' } }],
    ]);
    expect(programsIn(null)).toEqual([null]);
  });
});

/** Two wrong rules for "the largest object": one picks the smallest, the other turns the whole picture. */
const smallest: Program = [
  { op: 'cut', args: { by: 'object' } },
  { op: 'pick', args: { by: '-cells' } },
  { op: 'crop', args: {} },
];
const turned: Program = [
  { op: 'move', args: { motion: 'rotate90' } },
  { op: 'filter', args: { colour: 9 } },
];

async function edited(...children: unknown[]): Promise<{ trace: TaskTrace; seeds: string[] }> {
  const model = await modelSaying(say(smallest, turned), say(...children));
  const trace = await runTask(
    inventedTask('largest'),
    { ...options, iters: 2 },
    partsWith(modelRuler(model, 'teacher')),
  );
  return { trace, seeds: trace.iterations[1]?.seeds ?? [] };
}

function childOf(trace: TaskTrace, program: Program) {
  const wanted = JSON.stringify(normalForm(program));
  return trace.iterations[1]?.candidates.find((one) => JSON.stringify(one.program) === wanted);
}

function idOf(trace: TaskTrace, program: Program): string | undefined {
  const wanted = JSON.stringify(normalForm(program));
  return trace.iterations[0]?.candidates.find((one) => JSON.stringify(one.program) === wanted)?.candidate_id;
}

const largest = smallest.with(1, { op: 'pick', args: { by: 'cells' } });
const otherTurn = turned.with(0, { op: 'move', args: { motion: 'rotate180' } });

describe("a model's edit", () => {
  it('is applied to the seed it changes least, with step, path and directive', async () => {
    const { trace, seeds } = await edited(otherTurn, largest, [...smallest, { op: 'hull', args: {} }]);
    expect(seeds).toHaveLength(2);
    expect(childOf(trace, largest)).toMatchObject({
      parent_id: idOf(trace, smallest),
      directive: { kind: 'CHANGE_SELECTOR', step: 1 },
      differences: [{ kind: 'CHANGE_SELECTOR', step: 1, path: 'by' }],
    });
    expect(childOf(trace, otherTurn)).toMatchObject({
      parent_id: idOf(trace, turned),
      directive: { kind: 'CHANGE_ARG', step: 0 },
      differences: [{ kind: 'CHANGE_ARG', step: 0, path: 'motion' }],
    });
    expect(childOf(trace, [...smallest, { op: 'hull', args: {} }])).toMatchObject({
      parent_id: idOf(trace, smallest),
      differences: [{ kind: 'ADD_STEP', step: 2, path: null }],
    });
  });

  it('may be one of several; a copy of the seed counts as none', async () => {
    const both = [...largest, { op: 'hull', args: {} }];
    const { trace } = await edited(both, smallest);
    expect(childOf(trace, both)?.differences.map(({ kind }) => kind)).toEqual([
      'CHANGE_SELECTOR',
      'ADD_STEP',
    ]);
    expect(childOf(trace, smallest)).toMatchObject({ parent_id: null, directive: null, differences: [] });
  });

  it('fills buffers, preferences, pairs and cases as a built-in edit does', async () => {
    const { trace } = await edited(largest, [...smallest, { op: 'hull', args: {} }]);
    const folder = temporaryFolder();
    const file = path.join(folder, 'student');
    const result = { entries: [], rows: [trace.row], traces: [trace], seed: 0, runKey: 'key' };
    writeOutputs(result, { rows: path.join(folder, 'rows'), studentBuffer: file });
    const rows = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => studentBufferSchema.parse(JSON.parse(line)));
    const gained = rows.find(({ directive }) => directive.kind === 'CHANGE_SELECTOR');
    const parent = trace.iterations[0]?.candidates.find(
      ({ candidate_id }) => candidate_id === gained?.parent_id,
    );
    expect(gained?.delta).toBeCloseTo(1 - (parent?.verifier_score ?? 0), 6);
    expect(directivePreferences(trace, { seeds: 2, edits: 4, threshold: 1e-6 })).toMatchObject([
      { preferred: { kind: 'CHANGE_SELECTOR', step: 1 }, rejected: { kind: 'ADD_STEP', step: 2 } },
    ]);
    expect(rankingPairs(trace).length).toBeGreaterThan(0);
    using store = new ArcMemoryStore(folder, 'one');
    remember(store, [{ trace, task: inventedTask('largest') }], options, 1e-6);
    expect(store.cases()).toMatchObject([{ directive: 'CHANGE_SELECTOR', n: 1, best_delta: gained?.delta }]);
  });

  it('shares its gain among its kinds of edits', async () => {
    const both = [...largest, { op: 'origin', args: {} }];
    const { trace } = await edited(both);
    const folder = temporaryFolder();
    using store = new ArcMemoryStore(folder, 'one');
    remember(store, [{ trace, task: inventedTask('largest') }], options, 1e-6);
    const cases = store.cases();
    expect(cases.map(({ directive }) => directive)).toEqual(['ADD_STEP', 'CHANGE_SELECTOR']);
    expect(cases[0]?.best_delta).toBe(cases[1]?.best_delta);
  });
});

describe('the contents of memory', () => {
  it('are in the model’s prompt: rules, repairs and fragments, within the byte limit', async () => {
    const { trace } = await edited(largest);
    using store = new ArcMemoryStore(temporaryFolder(), 'one');
    remember(store, [{ trace, task: inventedTask('largest') }], options, 1e-6);
    const ruler = retrieveForRuler(readMemory(store), inventedTask('flip'), options.memory);
    const memory = { ...emptyMemory, ruler };
    const { service, ...model } = await modelSaying(say(flip));
    await runTask(inventedTask('flip'), options, { ...partsWith(modelRuler(model, 'teacher')), memory });
    const text = JSON.stringify(service.asked[0]?.body.messages);
    for (const shown of [
      'Solved a similar task',
      'CHANGE_SELECTOR helped 1×',
      'In 1 rules',
      'A similar task was solved in 2.',
      'solved 1 of 1',
    ])
      expect(text).toContain(shown);
    for (const maxBytes of [0, 200, 600, 65_536]) {
      const some = memoryText(
        retrieveForRuler(readMemory(store), inventedTask('flip'), { ...options.memory, maxBytes }),
      );
      expect(Buffer.byteLength(some)).toBeLessThanOrEqual(maxBytes);
    }
  });
});

describe('a describer that asks a model', () => {
  it('keeps facts of known kinds, and otherwise falls back to the built-in facts', async () => {
    const task = inventedTask('flip');
    const good = { kind: 'background', scope: 'task', value: 0 };
    const said = {
      facts: [good, { kind: 'mood', scope: 'task', value: 1 }, { kind: 'period', scope: 'pair:9' }, 3],
    };
    const told = await modelDescriber(await modelSaying({ say: JSON.stringify(said) }))(task);
    expect(told.facts).toMatchObject([good]);
    expect(told.answers).toMatchObject([{ role: 'describer', end: 'ANSWERED', said: 4, taken: 1 }]);
    const none = await modelDescriber(await modelSaying({ say: 'no idea' }))(task);
    expect(none.facts).toEqual(describeTask(task));
    expect(none.answers).toMatchObject([{ end: 'PARSE' }]);
  });
});
