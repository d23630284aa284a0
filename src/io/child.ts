import { codeOf } from '../core/errors.ts';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { innermostOf } from './process-usage.ts';

/** What to start, completely: nothing of our own environment is inherited unless it is named here. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** How a child ended. A signal that we did not send (the kernel's out-of-memory killer, a user) reads the same. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A child process that is expected to misbehave. It leads its own process group, so that a kill reaches whatever it
 * started. Descriptor 3 is a channel of its own for answers, apart from anything the child prints; on descriptor 4 it
 * receives the request to give up, and learns of our death when that channel closes.
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
      // not at `exit`: a last answer may still be on its way then
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

  /** The last words on stderr: what a person needs when the child died without an answer. */
  get errorTail(): string {
    return this.#errorTail.trim();
  }

  /** Ask the child to give up its n-th request; it may be slow to obey. */
  cancel(sequence: number): void {
    this.#cancelChannel.write(`${sequence}\n`);
  }

  /**
   * SIGKILL: a process that ignores everything else cannot ignore this. The innermost processes get it, and those around
   * them end by themselves: what is waited for is counted in our CPU time, what is killed with its parent is not. A moment
   * later, and at the latest with their end, whatever is left of the group gets it too.
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

  /** Let the event loop end although the child runs on; its guard ends it when we are gone. */
  unref(): void {
    this.#process.unref();
    for (const stream of [this.#process.stdin, this.#process.stderr, this.answers, this.#cancelChannel])
      (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }
}

/** On SIGUSR1 Node opens its debugger, which gives full access to the process. Children of ours must not be able to do that to us. */
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
