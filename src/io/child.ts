import { codeOf } from '../core/errors.ts';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { innermostOf } from './process-usage.ts';

/** The complete description of a process: it inherits none of our environment variables unless named here. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How a child ended. A signal from elsewhere (the out-of-memory killer, a user) looks the same. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A child process that is expected to misbehave. It leads its own process group, so a kill reaches everything it started. Descriptor 3 carries answers, separate from anything the child prints. Descriptor 4 carries requests to give up; when it closes, the child knows that we have died.
 */
export class Child {
  readonly pid: number | undefined;
  readonly input: Writable;
  readonly answers: Readable;
  readonly exited: Promise<ChildExit>;
  readonly #process: ChildProcessByStdio<Writable, null, Readable>;
  readonly #cancelChannel: Writable;
  #errorTail = '';

  constructor(request: SpawnRequest) {
    ignoreDebuggerSignal();
    const child = spawn(request.command, request.args, {
      cwd: request.cwd,
      env: request.env,
      detached: true,
      stdio: ['pipe', 'ignore', 'pipe', 'pipe', 'pipe'],
    }) as ChildProcessByStdio<Writable, null, Readable>;
    this.#process = child;
    this.pid = child.pid;
    this.input = child.stdin;
    this.answers = child.stdio[3] as unknown as Readable;
    this.#cancelChannel = child.stdio[4] as unknown as Writable;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errorTail = (this.#errorTail + chunk.toString('latin1')).slice(-4096);
    });
    // A write to a child that has just died fails; its exit is reported instead.
    child.stdin.on('error', () => undefined);
    this.answers.on('error', () => undefined);
    this.#cancelChannel.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      child.once('error', (error) => {
        this.#errorTail += error.message;
        resolve({ code: null, signal: null });
      });
      // not on `exit`: a last answer may still be in transit
      child.once('close', (code, signal) => resolve({ code, signal }));
    });
    const { pid } = child;
    if (pid === undefined) return;
    liveGroups.add(pid);
    child.once('exit', () => {
      killGroup(pid);
      liveGroups.delete(pid);
    });
  }

  /** The end of stderr, for the error message when the child dies without an answer. */
  get errorTail(): string {
    return this.#errorTail.trim();
  }

  /** Ask the child to give up its n-th request; it may be slow to obey. */
  cancel(sequence: number): void {
    this.#cancelChannel.write(`${sequence}\n`);
  }

  /**
   * Sends SIGKILL, which cannot be ignored. The innermost processes get it first, and their launchers exit by themselves: CPU time of a child that its parent waited for is counted, that of a child killed with its parent is not. Shortly afterwards the rest of the group is killed too.
   */
  kill(): void {
    const { pid } = this;
    if (pid === undefined || !this.#isRunning) return;
    for (const innermost of innermostOf(pid)) send(innermost, 'SIGKILL');
    setTimeout(() => this.#isRunning && killGroup(pid), patienceMs).unref();
  }

  get #isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Lets the event loop end although the child still runs; its guard ends it when we exit. */
  unref(): void {
    this.#setHold('unref');
  }

  /** Takes that back: the event loop waits for the child. */
  ref(): void {
    this.#setHold('ref');
  }

  #setHold(hold: 'ref' | 'unref'): void {
    this.#process[hold]();
    for (const stream of [this.#process.stdin, this.#process.stderr, this.answers, this.#cancelChannel])
      (stream as unknown as { ref?: () => void; unref?: () => void } | null)?.[hold]?.();
  }
}

/** On SIGUSR1 Node opens its debugger, which gives full access to the process. Our children must not be able to do that. */
function ignoreDebuggerSignal(): void {
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => undefined);
}

/** How long launchers may take to exit after the program they launched. */
const patienceMs = 500;

const liveGroups = new Set<number>();
process.on('exit', () => {
  for (const group of liveGroups) killGroup(group);
});

function killGroup(group: number): void {
  send(-group, 'SIGKILL');
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
