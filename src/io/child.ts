import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

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
 * started. Descriptor 3 is a channel of its own for answers, apart from anything the child prints; on descriptor 4 it is
 * told which request to give up, and learns of our death when that channel closes.
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
    // A write to a child that has just died fails; its exit tells the story.
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

  /** SIGKILL for the whole group; a process that ignores everything else cannot ignore this. */
  kill(): void {
    if (this.pid !== undefined && this.#process.exitCode === null && this.#process.signalCode === null)
      killGroup(this.pid);
  }

  /** Let the event loop end although the child runs on; its guard ends it when we are gone. */
  unref(): void {
    this.#process.unref();
    for (const stream of [this.#process.stdin, this.#process.stderr, this.answers, this.#cancelChannel])
      (stream as unknown as { unref?: () => void } | null)?.unref?.();
  }
}

/** Node opens its debugger, and with it everything, to whoever sends SIGUSR1. No child of ours may have that of us. */
function ignoreDebuggerSignal(): void {
  if (process.listenerCount('SIGUSR1') === 0) process.on('SIGUSR1', () => undefined);
}

const liveGroups = new Set<number>();
process.on('exit', () => {
  for (const group of liveGroups) killGroup(group);
});

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
