import { messageOf, UserError } from '../../core/errors.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Failure, ReplState } from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { pickleEnvironment, pickleProofState, readPickle, pickledTexts, type Pickle } from './repl-pickle.ts';
import { replayed } from './repl-replay.ts';
import { ReplStates, type Borrow, type Loaded, type Point, type Text } from './repl-states.ts';
import {
  replMessage,
  replPlace,
  type EnvironmentAnswer,
  type ReplAnswer,
  type ReplRequest,
  type ReplSorry,
} from './repl-wire.ts';
import type { Result } from '../../core/result.ts';
import { readTextFile } from '../../io/text-file.ts';

export interface ReplOptions {
  readonly borrow: Borrow;
  /** The environment of a text that is not a file. */
  readonly environmentOf: (text: string) => LeanEnvironment;
  /** Time limit of a request in seconds, unless the request sets its own. */
  readonly timeout: number;
}

type CommandRequest = Extract<ReplRequest, { kind: 'command' }>;
type DiscardRequest = Extract<ReplRequest, { kind: 'discard' }>;

/**
 * A conversation in the protocol of leanprover-community/repl: numbered environments and proof states, one request at a time. Its answers, including `Completed`, come from Lean; only the gate gives verdicts.
 */
export class Repl {
  readonly #options: ReplOptions;
  readonly #states: ReplStates;
  /** The text of an environment and the point of a proof state; 0 if there is none. */
  readonly #envs: number[] = [];
  readonly #points: number[] = [];

  constructor(options: ReplOptions) {
    this.#options = options;
    this.#states = new ReplStates(options.borrow);
  }

  /** Texts and states kept for this conversation. */
  get size(): number {
    return this.#states.size;
  }

  close(): void {
    this.#states.close();
  }

  async answer(request: ReplRequest): Promise<ReplAnswer> {
    try {
      return await this.#answer(request);
    } catch (error) {
      // such as a full disk
      if (error instanceof UserError) return { message: error.message };
      throw error;
    }
  }

  async #answer(request: ReplRequest): Promise<ReplAnswer> {
    switch (request.kind) {
      case 'command':
        return await this.#command(request);
      case 'file': {
        let cmd: string;
        try {
          cmd = readTextFile(request.path);
        } catch (error) {
          return { message: messageOf(error) };
        }
        const environment = environmentOfFile(request.path, cmd);
        return await this.#command({ ...request, kind: 'command', cmd }, environment);
      }
      case 'step':
        return await this.#step(request.proofState, request.tactic, this.#limits(request));
      case 'replay':
        return await this.#replay(request.replay, this.#limits(request));
      case 'pickle-env': {
        const ran = this.#envs[request.env];
        if (!ran) return unknownEnvironment;
        return attempt(() => pickleEnvironment(request.pickleTo, this.#states, ran)) ?? { env: request.env };
      }
      case 'unpickle-env': {
        const pickle = readPickle(request.unpickleEnvFrom, 'env');
        if (!pickle.ok) return { message: pickle.error.message };
        const loaded = await this.#runAll(pickle.value, this.#limits({}));
        if (!loaded.ok) return refused(loaded.error);
        this.#releaseAll(loaded.value.points);
        return { env: this.#envs.push(loaded.value.id) - 1 };
      }
      case 'pickle-state': {
        const point = this.#points[request.proofState];
        if (!point) return { message: 'Unknown proof State.' };
        return (
          attempt(() => pickleProofState(request.pickleTo, this.#states, point)) ??
          this.#record(this.#states.again(point))
        );
      }
      case 'unpickle-state':
        return await this.#unpickleState(request.unpickleProofStateFrom, request.env);
      case 'discard':
        return { discarded: this.#discard(request) };
    }
  }

  async #command(request: CommandRequest, environment?: LeanEnvironment): Promise<ReplAnswer> {
    const { cmd: text, env, infotree, allTactics, rootGoals, declTypes } = request;
    const on = env === null || env === undefined ? undefined : this.#envs[env];
    if (env !== null && env !== undefined && !on) return unknownEnvironment;
    const stands =
      on === undefined ? (environment ?? this.#options.environmentOf(text)) : this.#states.environmentOf(on);
    const wants = { allTactics: allTactics === true, rootGoals: rootGoals === true };
    const given: Text = { environment: stands, on, text, wants };
    const loaded = await this.#states.run(given, this.#limits(request), {
      infotree: infotree ?? undefined,
      declTypes: declTypes === true,
    });
    return loaded.ok ? this.#loaded(loaded.value, request.gc === true) : refused(loaded.error);
  }

  #loaded({ id, said, points }: Loaded, isDropped: boolean): EnvironmentAnswer {
    const sorries = [...said.sorries, ...said.roots].map((sorry, index) => this.#sorry(sorry, points[index]));
    const tactics = said.tactics.map((state, index) => ({
      tactic: state.tactic,
      goals: state.goals.join('\n') || 'no goals',
      usedConstants: state.constants,
      ...this.#place(state, points[sorries.length + index]),
    }));
    if (isDropped) this.#states.release(id);
    return {
      env: this.#envs.push(isDropped ? 0 : id) - 1,
      ...listed('messages', said.messages.map(replMessage)),
      ...listed('sorries', sorries),
      ...listed('tactics', tactics),
      ...listed(
        'declTypes',
        said.declared.map(({ start, end, ...one }) => ({
          ...one,
          pos: replPlace(start),
          endPos: replPlace(end),
        })),
      ),
      ...(said.infotree && { infotree: said.infotree }),
    };
  }

  #sorry(said: ReplState, point: Point | undefined): ReplSorry {
    return { goal: said.message ?? said.goals.join('\n'), ...this.#place(said, point) };
  }

  /** The id of a state, and its position if known. */
  #place({ start, end }: ReplState, point: Point | undefined): Omit<ReplSorry, 'goal'> {
    return {
      ...(point && { proofState: this.#points.push(point.id) - 1 }),
      ...(start[0] > 0 && { pos: replPlace(start), endPos: replPlace(end) }),
    };
  }

  async #step(id: number, tactic: string, limits: RequestLimits): Promise<ReplAnswer> {
    const before = this.#points[id];
    if (!before) return { message: 'Unknown proof state.' };
    const after = await this.#states.step(before, tactic, limits);
    if (!after.ok) return refused(after.error);
    const { point, sorries, reply } = after.value;
    const missing = sorries.map(({ said, point: at }) => this.#sorry(said, at));
    return {
      ...this.#record(point),
      ...listed('messages', reply.messages.map(replMessage)),
      ...listed('sorries', missing),
      ...listed('traces', reply.traces),
    };
  }

  #record(point: Point): Extract<ReplAnswer, { proofStatus: string }> {
    const proofState = this.#points.push(point.id) - 1;
    return { proofStatus: point.status, proofState, goals: point.goals };
  }

  /** The script that led to a state, in the place of the `sorry` at which it began. */
  async #replay(id: number, limits: RequestLimits): Promise<ReplAnswer> {
    const point = this.#points[id];
    if (!point) return { message: 'Unknown proof state.' };
    const texts = replayed(this.#states, point);
    if (!texts.ok) return { message: texts.error.message };
    let best: { readonly cmd: string; readonly loaded: Loaded } | undefined;
    for (const cmd of texts.value.candidates) {
      const loaded = await this.#states.run({ ...texts.value.around, text: cmd }, limits);
      if (!loaded.ok) return refused(loaded.error);
      if (best && hasErrors(loaded.value)) {
        this.#releaseAll([loaded.value, ...loaded.value.points]);
        continue;
      }
      if (best) this.#releaseAll([best.loaded, ...best.loaded.points]);
      best = { cmd, loaded: loaded.value };
      if (!hasErrors(loaded.value)) break;
    }
    return best ? { cmd: best.cmd, ...this.#loaded(best.loaded, false) } : { message: 'nothing to replay' };
  }

  /** Runs the texts of a pickle in order. Only the last one can be used by its number. */
  async #runAll(pickle: Pickle, limits: RequestLimits): Promise<Result<Loaded, Failure>> {
    const [first, ...more] = pickledTexts(pickle);
    let loaded = await this.#states.run(first, limits);
    for (const text of more) {
      if (!loaded.ok) return loaded;
      const { id: on, points } = loaded.value;
      this.#releaseAll(points);
      loaded = await this.#states.run({ ...text, on }, limits);
      this.#states.release(on);
    }
    return loaded;
  }

  async #unpickleState(file: string, env: number | null | undefined): Promise<ReplAnswer> {
    if (env !== null && env !== undefined && !this.#envs[env]) return unknownEnvironment;
    const pickle = readPickle(file, 'proofState');
    if (!pickle.ok) return { message: pickle.error.message };
    const limits = this.#limits({});
    const loaded = await this.#runAll(pickle.value, limits);
    if (!loaded.ok) return refused(loaded.error);
    const made: ({ readonly id: number } | undefined)[] = [loaded.value, ...loaded.value.points];
    let point = loaded.value.points[pickle.value.index];
    for (const { tactic, sorry } of pickle.value.steps) {
      const after = point && (await this.#states.step(point.id, tactic, limits));
      if (after && !after.ok) return refused(after.error);
      made.push(after?.value.point, ...(after?.value.sorries ?? []).map((one) => one.point));
      point = sorry === undefined ? after?.value.point : after?.value.sorries[sorry]?.point;
    }
    this.#releaseAll(made.filter((one) => one !== point));
    return point ? this.#record(point) : { message: `${file}: the text has no such proof state` };
  }

  #releaseAll(all: readonly ({ readonly id: number } | undefined)[]): void {
    for (const one of all) if (one) this.#states.release(one.id);
  }

  #discard({ discard: { envs, proofStates } }: DiscardRequest): number {
    let count = 0;
    const from = (all: number[], ids: readonly number[]): void => {
      for (const id of ids) {
        const known = all[id];
        if (!known) continue;
        this.#states.release(known);
        all[id] = 0;
        count++;
      }
    };
    from(this.#envs, envs);
    from(this.#points, proofStates);
    return count;
  }

  #limits({ timeout = this.#options.timeout }: { readonly timeout?: number | undefined }): RequestLimits {
    return { deadlineMs: timeout * 1000 };
  }
}

function hasErrors({ said }: Loaded): boolean {
  return said.messages.some(({ severity }) => severity === 'error');
}

const unknownEnvironment = { message: 'Unknown environment.' };

/** Empty lists are left out. */
function listed<Key extends string, Item>(
  key: Key,
  items: readonly Item[],
): Partial<Record<Key, readonly Item[]>> {
  return items.length > 0 ? ({ [key]: items } as Record<Key, readonly Item[]>) : {};
}

/** Lean's errors about the text or the tactic; other kinds are failures of the tool. */
const ofLean: ReadonlySet<Failure['kind']> = new Set(['tactic', 'parse', 'heartbeats', 'recursion']);

function refused({ kind, message, missing }: Failure): { message: string } {
  if (kind === 'missing-import') return { message: `${message} (${missing.join(', ')})` };
  return { message: ofLean.has(kind) ? `Lean error:\n${message}` : `${kind}: ${message}` };
}

function attempt(write: () => void): { message: string } | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return { message: messageOf(error) };
  }
}
