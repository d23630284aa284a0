import { messageOf } from '../../core/errors.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Failure, ReplState } from '../base/protocol.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { pickleEnvironment, pickleProofState, ransOf, readPickle } from './repl-pickle.ts';
import { ReplStates, type Borrow, type Point, type Ran } from './repl-states.ts';
import { replMessage, replPlace, type ReplAnswer, type ReplRequest, type ReplSorry } from './repl-wire.ts';
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
  readonly #envs: (Ran | undefined)[] = [];
  readonly #points: (Point | undefined)[] = [];

  constructor(options: ReplOptions) {
    this.#options = options;
    this.#states = new ReplStates(options.borrow);
  }

  async answer(request: ReplRequest): Promise<ReplAnswer> {
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
      case 'pickle-env': {
        const ran = this.#envs[request.env];
        if (!ran) return unknownEnvironment;
        return attempt(() => pickleEnvironment(request.pickleTo, ran)) ?? { env: request.env };
      }
      case 'unpickle-env': {
        const pickle = readPickle(request.unpickleEnvFrom, 'env');
        if (!pickle.ok) return { message: pickle.error.message };
        const ran = ransOf(pickle.value);
        const loaded = await this.#states.run(ran, this.#limits({}));
        return loaded.ok ? { env: this.#envs.push(ran) - 1 } : refused(loaded.error);
      }
      case 'pickle-state': {
        const point = this.#points[request.proofState];
        if (!point) return { message: 'Unknown proof State.' };
        return attempt(() => pickleProofState(request.pickleTo, point)) ?? this.#record(point);
      }
      case 'unpickle-state':
        return await this.#unpickleState(request.unpickleProofStateFrom, request.env);
      case 'discard':
        return { discarded: this.#discard(request) };
    }
  }

  async #command(request: CommandRequest, environment?: LeanEnvironment): Promise<ReplAnswer> {
    const { cmd: text, env, infotree, allTactics, rootGoals } = request;
    const on = env === null || env === undefined ? undefined : this.#envs[env];
    if (env !== null && env !== undefined && !on) return unknownEnvironment;
    const stands = on?.environment ?? environment ?? this.#options.environmentOf(text);
    const wants = { allTactics: allTactics === true, rootGoals: rootGoals === true };
    const ran: Ran = { environment: stands, on, text, wants };
    const loaded = await this.#states.run(ran, this.#limits(request), infotree ?? undefined);
    if (!loaded.ok) return refused(loaded.error);
    const { said, points } = loaded.value;
    const sorries = [...said.sorries, ...said.roots].map((sorry, index) => this.#sorry(sorry, points[index]));
    const tactics = said.tactics.map((state, index) => ({
      tactic: state.tactic,
      goals: state.goals.join('\n') || 'no goals',
      usedConstants: state.constants,
      ...this.#place(state, points[sorries.length + index]),
    }));
    const answer = {
      env: this.#envs.push(request.gc === true ? undefined : ran) - 1,
      ...listed('messages', said.messages.map(replMessage)),
      ...listed('sorries', sorries),
      ...listed('tactics', tactics),
      ...(said.infotree && { infotree: said.infotree }),
    };
    if (request.gc === true) this.#states.forget({ ran });
    return answer;
  }

  #sorry(said: ReplState, point: Point | undefined): ReplSorry {
    return { goal: said.message ?? said.goals.join('\n'), ...this.#place(said, point) };
  }

  /** The id of a state, and its position if known. */
  #place({ start, end }: ReplState, point: Point | undefined): Omit<ReplSorry, 'goal'> {
    return {
      ...(point && { proofState: this.#points.push(point) - 1 }),
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
    const proofState = this.#points.push(point) - 1;
    return { proofStatus: point.status, proofState, goals: point.goals };
  }

  async #unpickleState(file: string, env: number | null | undefined): Promise<ReplAnswer> {
    if (env !== null && env !== undefined && !this.#envs[env]) return unknownEnvironment;
    const pickle = readPickle(file, 'proofState');
    if (!pickle.ok) return { message: pickle.error.message };
    const limits = this.#limits({});
    const loaded = await this.#states.run(ransOf(pickle.value), limits);
    if (!loaded.ok) return refused(loaded.error);
    let point = loaded.value.points[pickle.value.index];
    for (const { tactic, sorry } of pickle.value.steps) {
      const after = point && (await this.#states.step(point, tactic, limits));
      if (after && !after.ok) return refused(after.error);
      point = sorry === undefined ? after?.value.point : after?.value.sorries[sorry]?.point;
    }
    return point ? this.#record(point) : { message: `${file}: the text has no such proof state` };
  }

  #discard({ discard: { envs, proofStates } }: DiscardRequest): number {
    let count = 0;
    for (const id of envs) {
      const ran = this.#envs[id];
      if (!ran) continue;
      this.#states.forget({ ran });
      this.#envs[id] = undefined;
      count++;
    }
    for (const id of proofStates) {
      const point = this.#points[id];
      if (!point) continue;
      this.#states.forget({ point });
      this.#points[id] = undefined;
      count++;
    }
    return count;
  }

  #limits({ timeout = this.#options.timeout }: { readonly timeout?: number | undefined }): RequestLimits {
    return { deadlineMs: timeout * 1000 };
  }
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
