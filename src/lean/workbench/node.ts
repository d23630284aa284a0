import type { Goal, Message } from '../base/protocol.ts';
import type { ScriptStep } from './script.ts';
import { keyOf } from './tried.ts';

/** A point inside the proof of one hole. It outlives its worker: a new worker recreates it by replaying the tactics. */
export interface WorkState {
  readonly hole: number;
  readonly goals: readonly Goal[];
  readonly closed: boolean;
  /** Lean's messages on the way here, including suggestions of `exact?`. */
  readonly messages: readonly Message[];
  /** Tactics from the hole's start to this state. */
  readonly tactics: readonly string[];
}

/** A state with the tactics that lead to it, and its id in the current worker. */
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
