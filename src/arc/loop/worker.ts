import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../core/errors.ts';
import { failed } from '../../core/result.ts';
import type { Price } from '../../models/budget.ts';
import type { Generated, GenerateRequest, Model } from '../../models/model.ts';
import type { LoopOptions } from '../learning/loop-options.ts';
import type { TaskMemory } from '../learning/memory/bundle.ts';
import type { PricedModel } from '../learning/rulers/model.ts';
import type { TaskTrace } from '../learning/schemas.ts';
import type { Task } from '../grid/task.ts';
import type { SearchAnswer, SearchQuestion } from '../solve/pool.ts';
import { runTask } from './loop.ts';
import { partsFor, type LoopModels } from './parts.ts';

type ModelPart = keyof LoopModels;

/** A thread's view of a model. The main thread sends the queries, so that budget, cache and rate apply to the whole run. */
interface FarModel {
  readonly name: string;
  readonly price: Price;
}

/** The protocol of a worker thread: one order in, questions to models, one report out. */
export interface LoopOrder {
  readonly task: Task;
  readonly options: LoopOptions;
  readonly memory: TaskMemory;
  readonly runKey: string;
  readonly models: Readonly<Partial<Record<ModelPart, FarModel>>>;
}
export interface ModelQuestion {
  readonly part: ModelPart;
  readonly request: GenerateRequest;
}
export type LoopReport =
  | { readonly kind: 'trace'; readonly trace: TaskTrace; readonly cpuSeconds: number }
  | { readonly kind: 'failed'; readonly message: string; readonly cpuSeconds: number };

const waiting = new Map<number, (answer: Generated) => void>();
let asked = 0;

parentPort?.on('message', (message: LoopOrder | SearchAnswer) => {
  if ('kind' in message) {
    waiting.get(message.place)?.(message.answer as Generated);
    waiting.delete(message.place);
    return;
  }
  void work(message).then((report) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    parentPort?.postMessage(report);
  });
});

/** A bug in the search costs one task, never the run. */
async function work({ task, options, memory, runKey, models }: LoopOrder): Promise<LoopReport> {
  const before = process.threadCpuUsage();
  const cpuSeconds = (): number => {
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1e6;
  };
  try {
    const parts = partsFor(options, memory, runKey, near(models));
    return { kind: 'trace', trace: await runTask(task, options, parts), cpuSeconds: cpuSeconds() };
  } catch (error) {
    return { kind: 'failed', message: messageOf(error), cpuSeconds: cpuSeconds() };
  }
}

function near(models: LoopOrder['models']): LoopModels {
  return Object.fromEntries(
    Object.entries(models).map(([part, { name, price }]): [string, PricedModel] => [
      part,
      { model: modelOf(part as ModelPart, name), price },
    ]),
  );
}

/** A model that is queried by the main thread. */
function modelOf(part: ModelPart, name: string): Model {
  return {
    name,
    runsOn: 'cloud',
    skill: 'general',
    generate: async (request) => {
      const place = asked++;
      const { promise, resolve } = Promise.withResolvers<Generated>();
      waiting.set(place, resolve);
      const said: SearchQuestion<ModelQuestion> = { kind: 'question', place, question: { part, request } };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
      parentPort?.postMessage(said);
      return await promise;
    },
    embed: () => Promise.resolve(failed({ kind: 'failed', message: 'the loop needs no vectors' })),
  };
}
