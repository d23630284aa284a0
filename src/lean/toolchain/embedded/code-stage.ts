import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { compileFunction } from 'node:vm';
import { systemClock } from '../../../core/clock.ts';
import { Child, type SpawnRequest } from '../../../io/child.ts';
import { LeanWorker } from '../worker.ts';
import { intrinsicsScript } from './host/code-cache.ts';
import { outputMount } from './host/files.ts';
import { codeWarmUp, headerSession, projectWarmUp, stepWarmUp } from './warm-up.ts';

/** Enough rounds for V8 to optimise the functions that proofs use. */
const rounds = 10;
/** Time for V8 to finish its background compilations. */
const settleMs = 1500;
/** Compiling a module of Aesop takes 11.2 CPU-seconds without machine code, 4.4 after the first round, 3.9 after the second. */
const projectRounds = 2;
const compileMs = 10 * 60_000;

async function attempt(worker: LeanWorker, statement: string, proof: string): Promise<void> {
  const limits = { deadlineMs: 20_000 };
  const session = headerSession;
  const stated = await worker.request('statement', { session, statement, data: true }, limits);
  const reply = await worker.request('check', { session, statement, proof, export: true }, limits);
  if (!stated.ok || !reply.ok) return;
  const judged = { statement: JSON.stringify(stated.data), candidate: reply.export };
  await worker.request('judge', judged, limits);
}

/** V8 can save machine code in Node 24 but no longer in Node 26. */
export function canSaveCode(): boolean {
  setFlagsFromString('--allow-natives-syntax');
  try {
    compileFunction(intrinsicsScript, ['exports']);
    return true;
  } catch {
    return false;
  } finally {
    setFlagsFromString('--no-allow-natives-syntax');
  }
}

/**
 * The warm-up failed, for instance because its process was killed. Workers start without machine code, and the next
 * set-up retries.
 */
export class NoMachineCode extends Error {}

/** Runs the warm-up in a worker, which saves its machine code. A failure costs speed, never correctness. */
export async function makeCodeCache(
  request: SpawnRequest,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const worker = new LeanWorker(new Child(request), systemClock);
  try {
    if (!(await worker.ready))
      throw new NoMachineCode(`Lean did not start from its snapshot. ${worker.errorTail}`);
    const start = await worker.request('start', { session: headerSession, statement: stepWarmUp.statement });
    for (let round = 0; round < rounds; round++) {
      for (const [statement, proof] of codeWarmUp) await attempt(worker, statement, proof);
      if (start.ok) {
        const steps = await worker.request('steps', { state: start.state, tactics: stepWarmUp.tactics });
        if (steps.ok)
          await worker.request('drop', {
            states: steps.results.flatMap((result) => (result.ok ? [result.state] : [])),
          });
      }
      onProgress((round + 1) / rounds);
    }
    await saveCode(worker);
  } finally {
    worker.kill();
    await worker.exited;
  }
}

async function saveCode(worker: LeanWorker): Promise<void> {
  await sleep(settleMs);
  const saved = await worker.request('save-code', {});
  if (!saved.ok) throw new NoMachineCode(saved.message);
}

/**
 * Compiles and imports a module, and lets that worker save its machine code on top of the existing one. As in a
 * project, each round is a new process, which starts with the code of the round before and spends its budget on
 * functions that are not optimised yet.
 */
export async function makeProjectCode(
  launch: () => Promise<SpawnRequest>,
  onProgress: (fraction: number) => void,
): Promise<void> {
  for (let round = 0; round < projectRounds; round++) {
    const worker = new LeanWorker(new Child(await launch()), systemClock);
    try {
      if (!(await worker.ready))
        throw new NoMachineCode(`Lean did not start from its snapshot. ${worker.errorTail}`);
      const { name, text, attempts } = projectWarmUp();
      const output = `${outputMount}/${name}.olean`;
      const compiled = { name: [name], text, options: {}, output, keepBroken: true };
      await worker.request('compile', compiled, { deadlineMs: compileMs });
      const imported = await worker.request('import', { imports: [[name]], options: {} });
      if (imported.ok)
        for (const [statement, proof] of attempts)
          await worker.request('check', { session: imported.session, statement, proof, code: true });
      await saveCode(worker);
    } finally {
      worker.kill();
      await worker.exited;
    }
    onProgress((round + 1) / projectRounds);
  }
}
