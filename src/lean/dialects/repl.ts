import { messageOf } from '../../core/errors.ts';
import { goalText } from '../base/goal-text.ts';
import { environmentOfFile, type LeanEnvironment } from '../project/environment.ts';
import type { Failure, Sorry } from '../base/protocol.ts';
import { fill } from '../workbench/holes.ts';
import type { RequestLimits } from '../toolchain/worker.ts';
import { pickleEnvironment, pickleProofState, ransOf, readPickle } from './repl-pickle.ts';
import { originOf, ReplStates, type Borrow, type Point, type Ran } from './repl-states.ts';
import { replPlace, replMessage, type ReplAnswer, type ReplRequest, type ReplSorry } from './repl-wire.ts';
import { readTextFile } from '../../io/text-file.ts';

export interface ReplOptions {
  readonly borrow: Borrow;
  /** The environment of a text that is no file. */
  readonly environmentOf: (text: string) => LeanEnvironment;
  /** Seconds that a request may take, unless it says otherwise. */
  readonly timeout: number;
}

/** The words of the project for what a step has come to. */
const open = 'Incomplete: open goals remain';
const withSorry = 'Incomplete: contains sorry';
const completed = 'Completed';

/** A point of which nothing more can be said: its proof is there, with a `sorry` in it. */
type Recorded = Point | { readonly goals: readonly [] };

/** A conversation in the language of leanprover-community/repl: numbered environments and proof states, one request at a time. */
export class Repl {
  readonly #options: ReplOptions;
  readonly #states: ReplStates;
  readonly #envs: (Ran | undefined)[] = [];
  readonly #points: Recorded[] = [];

  constructor(options: ReplOptions) {
    this.#options = options;
    this.#states = new ReplStates(options.borrow);
  }

  async answer(request: ReplRequest): Promise<ReplAnswer> {
    switch (request.kind) {
      case 'command':
        return await this.#command(request.cmd, request.env, this.#limits(request), request.gc === true);
      case 'file':
        return await this.#file(request.path, request.env, this.#limits(request));
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
        return await this.#run(ransOf(pickle.value), this.#limits({}));
      }
      case 'pickle-state': {
        const point = this.#points[request.proofState];
        if (!point) return { message: 'Unknown proof State.' };
        if (!('from' in point)) return { message: 'a proof that contains sorry is not kept' };
        return attempt(() => pickleProofState(request.pickleTo, point)) ?? this.#record(point, open);
      }
      case 'unpickle-state':
        return await this.#unpickleState(request.unpickleProofStateFrom, request.env);
    }
  }

  async #command(
    text: string,
    env: number | null | undefined,
    limits: RequestLimits,
    isForgotten = false,
    environment = this.#options.environmentOf(text),
  ): Promise<ReplAnswer> {
    const on = env === null || env === undefined ? undefined : this.#envs[env];
    if (env !== null && env !== undefined && !on) return unknownEnvironment;
    const stands = on?.environment ?? environment;
    return await this.#run({ environment: stands, on, text, errors: 0, sorries: 0 }, limits, isForgotten);
  }

  async #file(file: string, env: number | null | undefined, limits: RequestLimits): Promise<ReplAnswer> {
    let text: string;
    try {
      text = readTextFile(file);
    } catch (error) {
      return { message: messageOf(error) };
    }
    return await this.#command(text, env, limits, false, environmentOfFile(file, text));
  }

  async #run(ran: Ran, limits: RequestLimits, isForgotten = false): Promise<ReplAnswer> {
    const loaded = await this.#states.run(ran, limits);
    if (!loaded.ok) return refused(loaded.error);
    const points = this.#states.pointsOf(ran, loaded.value.sorries);
    const sorries = loaded.value.sorries.flatMap((sorry, index) => {
      const point = points[index];
      return point ? [this.#sorry(sorry, point)] : [];
    });
    const messages = loaded.value.messages.map(replMessage);
    const env = this.#envs.push(isForgotten ? undefined : ran) - 1;
    if (isForgotten && sorries.length === 0) await this.#states.forget(ran);
    return {
      env,
      ...(messages.length > 0 && { messages }),
      ...(sorries.length > 0 && { sorries }),
    };
  }

  #sorry({ start, end }: Sorry, point: Point): ReplSorry {
    return {
      proofState: this.#points.push(point) - 1,
      pos: replPlace(start),
      goal: point.goals.map(goalText).join('\n'),
      endPos: replPlace(end),
    };
  }

  async #step(id: number, tactic: string, limits: RequestLimits): Promise<ReplAnswer> {
    const before = this.#points[id];
    if (!before) return { message: 'Unknown proof state.' };
    if (!('from' in before)) return { message: 'Lean error:\nno goals' };
    const after = await this.#states.step(before, tactic, limits);
    if (!after.ok) {
      if (isSorry(after.error)) return this.#record({ goals: [] }, withSorry);
      return refused(after.error);
    }
    const { point } = after.value;
    const status = point.goals.length > 0 ? open : await this.#statusOf(point, limits);
    const messages = after.value.messages.map(replMessage);
    return { ...this.#record(point, status), ...(messages.length > 0 && { messages }) };
  }

  #record(point: Recorded, proofStatus: string): Extract<ReplAnswer, { proofStatus: string }> {
    const proofState = this.#points.push(point) - 1;
    return { proofStatus, proofState, goals: point.goals.map(goalText) };
  }

  /**
   * Steps run one by one and without the kernel. The proof is there when the text with the whole script in the place of its
   * `sorry` has one `sorry` less and no error more.
   */
  async #statusOf(point: Point, limits: RequestLimits): Promise<string> {
    const { ran, start, end, tactics } = originOf(point);
    let why = '';
    for (const isTerm of [false, true]) {
      const text = fill(ran.text, [{ start, end, isTerm }], [tactics.join('\n')]);
      const said = await this.#states.tryInstead(ran, text, limits);
      if (!said.ok) return `Error: ${said.error.kind}: ${said.error.message}`;
      const { errors, sorries } = said.value;
      if (errors <= ran.errors && sorries === ran.sorries - 1) return completed;
      why = errors > ran.errors ? 'Lean does not take the whole script' : withSorry;
    }
    return why === withSorry ? withSorry : `Error: ${why}`;
  }

  async #unpickleState(file: string, env: number | null | undefined): Promise<ReplAnswer> {
    if (env !== null && env !== undefined && !this.#envs[env]) return unknownEnvironment;
    const pickle = readPickle(file, 'proofState');
    if (!pickle.ok) return { message: pickle.error.message };
    const limits = this.#limits({});
    const ran = ransOf(pickle.value);
    const loaded = await this.#states.run(ran, limits);
    if (!loaded.ok) return refused(loaded.error);
    let point = this.#states.pointsOf(ran, loaded.value.sorries)[pickle.value.sorry];
    for (const tactic of pickle.value.tactics) {
      const after = point && (await this.#states.step(point, tactic, limits));
      if (after && !after.ok) return refused(after.error);
      point = after?.value.point;
    }
    if (!point) return { message: `${file}: the text has no such sorry` };
    return this.#record(point, point.goals.length > 0 ? open : await this.#statusOf(point, limits));
  }

  #limits({ timeout = this.#options.timeout }: { readonly timeout?: number | undefined }): RequestLimits {
    return { deadlineMs: timeout * 1000 };
  }
}

const unknownEnvironment = { message: 'Unknown environment.' };

/** A step whose proof has a `sorry` leaves no goal, and no state. */
function isSorry({ kind, message }: Failure): boolean {
  return kind === 'tactic' && message.startsWith('no goals are left, but the proof is incomplete');
}

function refused({ kind, message, missing }: Failure): { message: string } {
  if (kind === 'missing-import') return { message: `${message} (${missing.join(', ')})` };
  const isText = kind === 'tactic' || kind === 'parse' || kind === 'elaboration';
  return { message: isText ? `Lean error:\n${message}` : `${kind}: ${message}` };
}

function attempt(write: () => void): { message: string } | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return { message: messageOf(error) };
  }
}
