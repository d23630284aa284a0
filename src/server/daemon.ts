import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { globSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { packageRoot } from '../config/package.ts';
import { UserError } from '../core/errors.ts';
import { keyFile, type Told } from '../io/daemon-socket.ts';

/** How long a client waits for a ready process; afterwards it runs its command itself. */
const longestWaitMs = 5000;

interface DaemonOptions {
  readonly address: string;
  /** Ends after this time without a command. */
  readonly idleMs: number;
  readonly onReady?: () => void;
}

interface Standby {
  readonly child: ChildProcess;
  isReady: boolean;
}

/**
 * Keeps one process ready that has loaded the program and started Lean, and gives it the next command. Each
 * command has a separate process; while one runs or the next is being prepared, one more may wait for a few
 * seconds, and others are refused.
 */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #server: Server;
  readonly #ended = Promise.withResolvers<string>();
  readonly #sources = sourcesNow();
  readonly #key = randomBytes(32).toString('base64url');
  #standby: Standby | undefined;
  #waiting: Socket | undefined;
  #idle: NodeJS.Timeout | undefined;

  private constructor(options: DaemonOptions) {
    this.#options = options;
    // the process that runs the command reads it
    this.#server = createServer({ pauseOnConnect: true }, (socket) => this.#accept(socket));
  }

  static async start(options: DaemonOptions): Promise<Daemon> {
    const { address } = options;
    if (await isServed(address)) throw new UserError('daemon-runs', `a daemon already listens at ${address}`);
    for (const left of [address, keyFile(address)]) rmSync(left, { force: true });
    const daemon = new Daemon(options);
    await new Promise<void>((resolve, reject) => {
      daemon.#server.once('error', reject);
      daemon.#server.listen(address, resolve);
    });
    writeFileSync(keyFile(address), daemon.#key, { mode: 0o600, flag: 'wx' });
    daemon.#prepare();
    daemon.#waitForWork();
    return daemon;
  }

  /** The reason for its end. */
  get ended(): Promise<string> {
    return this.#ended.promise;
  }

  close(reason: string): void {
    clearTimeout(this.#idle);
    this.#standby?.child.kill();
    if (this.#waiting) refuse(this.#waiting);
    rmSync(keyFile(this.#options.address), { force: true });
    // closing removes the socket's file
    this.#server.close(() => this.#ended.resolve(reason));
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    if (sourcesNow() !== this.#sources) {
      refuse(socket);
      this.close('the program has changed');
      return;
    }
    this.#waitForWork();
    if (this.#waiting) refuse(socket);
    else this.#wait(socket);
    this.#serve();
  }

  #wait(socket: Socket): void {
    this.#waiting = socket;
    setTimeout(() => {
      if (this.#waiting !== socket) return;
      this.#waiting = undefined;
      refuse(socket);
    }, longestWaitMs).unref();
  }

  /** Connects the waiting client to the ready process. */
  #serve(): void {
    const [socket, standby] = [this.#waiting, this.#standby];
    if (!socket || standby?.isReady !== true) return;
    this.#waiting = undefined;
    this.#standby = undefined;
    standby.child.send(this.#key, socket);
    // only now, because it would slow down this command
    standby.child.once('exit', () => this.#prepare());
  }

  #prepare(): void {
    if (this.#standby || !this.#server.listening) return;
    const program = path.join(import.meta.dirname, `../standby${path.extname(import.meta.filename)}`);
    const child = fork(program, {
      cwd: path.parse(packageRoot).root,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const standby: Standby = { child, isReady: false };
    this.#standby = standby;
    child.once('message', () => {
      standby.isReady = true;
      this.#options.onReady?.();
      this.#serve();
    });
    child.once('exit', () => {
      if (this.#standby === standby) this.close('its standby process ended before a command came');
    });
  }

  #waitForWork(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close('no command came'), this.#options.idleMs);
  }
}

/** Whether a daemon answers at an address. */
async function isServed(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(address, () => resolve(true)).once('error', () => resolve(false));
  return await promise.finally(() => socket.destroy());
}

function refuse(socket: Socket): void {
  const told: Told = { type: 'refused' };
  // a client that goes on writing is not waited for
  socket.end(`${JSON.stringify(told)}\n`, () => socket.destroy());
}

/** Changes when a source of the program does: a clone may be edited or updated while the daemon runs. */
function sourcesNow(): string {
  const folder = path.dirname(import.meta.dirname);
  const files = [...globSync('**/*.{ts,js}', { cwd: folder }), '../package.json'];
  const newest = Math.max(
    ...files.map((file) => statSync(path.join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
  return `${files.length} ${newest}`;
}
