import type { Goal, Message } from '../base/protocol.ts';
import type { ScriptStep } from './script.ts';
import { keyOf } from './tried.ts';

/** A point inside the proof of one hole. It outlives the worker that made it: a fresh one is led there again. */
export interface WorkState {
  readonly hole: number;
  readonly goals: readonly Goal[];
  readonly closed: boolean;
  /** What Lean said on the way here, `exact?`'s suggestions among it. */
  readonly messages: readonly Message[];
  /** The tactics from the hole's start to here. */
  readonly tactics: readonly string[];
}

/** A state with the way to it, and where it is in the worker of now. */
export class Node implements WorkState {
  readonly hole: number;
  readonly parent: Node | undefined;
  readonly tactic: string;
  readonly goals: readonly Goal[];
  readonly closed: boolean;
  readonly messages: readonly Message[];
  readonly key: string;
  server: number | undefined;
  #pid: number | undefined;

  constructor(
    hole: number,
    parent: Node | undefined,
    tactic: string,
    { goals, closed, messages }: Pick<WorkState, 'goals' | 'closed' | 'messages'>,
    { server, pid }: { readonly server: number | undefined; readonly pid?: number | undefined },
  ) {
    this.hole = hole;
    this.parent = parent;
    this.tactic = tactic;
    this.goals = goals;
    this.closed = closed;
    this.messages = messages;
    this.key = keyOf(hole, goals);
    this.server = server;
    this.#pid = pid;
  }

  get tactics(): readonly string[] {
    return this.parent ? [...this.parent.tactics, this.tactic] : [];
  }

  steps(): ScriptStep[] {
    if (!this.parent) return [];
    const step = { tactic: this.tactic, before: this.parent.goals.length, after: this.goals.length };
    return [...this.parent.steps(), step];
  }

  isIn(pid: number | undefined): boolean {
    return this.server !== undefined && pid !== undefined && this.#pid === pid;
  }

  place(server: number | undefined, pid: number | undefined): void {
    this.server = server;
    this.#pid = pid;
  }

  moveTo(other: Node): void {
    this.place(other.server, other.#pid);
  }
}
