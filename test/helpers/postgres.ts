import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { descendantsOf } from './processes.ts';
import { shareWorkers } from './shared-workers.ts';

/** Where PostgreSQL's own programs are: where POSTGRES_PROGRAMS says, to test another version; on the path, or where Debian puts them. */
const folders = [
  ...(process.env['PATH'] ?? '').split(':'),
  ...(existsSync('/usr/lib/postgresql')
    ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
];
const programs =
  process.env['POSTGRES_PROGRAMS'] ?? folders.findLast((folder) => existsSync(path.join(folder, 'initdb')));
/** Packages of the server alone have no client. */
const clientPrograms = folders.findLast((folder) => existsSync(path.join(folder, 'psql')));

/** Says what is missing; empty where tests can have a server. */
export const missingPostgres = programs === undefined ? 'no PostgreSQL here: apt-get install postgresql' : '';
if (missingPostgres) process.stderr.write(`${missingPostgres}\n`);

/** Nothing here has to survive the machine. */
const hurried = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=60'];

/** A real server on a socket in a temporary folder; it listens on no port. */
export class PostgresServer {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'orch-pg-'));
  readonly #settings: readonly string[];
  readonly #user = ordinaryUser();
  #process: ChildProcess | undefined;
  #databases = 0;

  constructor(settings: readonly string[] = hurried) {
    this.#settings = settings;
    if (this.#user) chownSync(this.folder, this.#user.uid, this.#user.gid);
    const flags = [
      '-U',
      'orch',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--no-sync',
      '-D',
      this.#data,
    ];
    const made = spawnSync(this.#program('initdb'), flags, {
      ...this.#user,
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
  }

  get pids(): readonly number[] {
    const pid = this.#process?.pid;
    return pid === undefined ? [] : [pid, ...descendantsOf(pid).map((each) => each.pid)];
  }

  async start(): Promise<void> {
    const settings = this.#settings.flatMap((setting) => ['-c', setting]);
    const flags = ['-D', this.#data, '-k', this.folder, '-c', 'listen_addresses=', ...settings];
    this.#process = spawn(this.#program('postgres'), flags, {
      ...this.#user,
      cwd: this.folder,
      stdio: 'ignore',
    });
    for (;;) {
      const client = new pg.Client(this.url('postgres'));
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (this.#process.exitCode !== null) throw error;
        await sleep(20);
      }
    }
  }

  /** SIGINT ends it in good order, SIGQUIT or SIGKILL do not. */
  async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    const stopping = this.#process;
    if (!stopping || stopping.exitCode !== null) return;
    const ended = new Promise((resolve) => stopping.once('exit', resolve));
    stopping.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  url(database: string): string {
    return `postgres://orch@/${database}?host=${this.folder}`;
  }

  /** An empty database; as a copy of another one, where that is named. */
  async database(template = 'template0'): Promise<string> {
    const name = `ledger_${++this.#databases}`;
    await this.administer(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    return this.url(name);
  }

  async administer(sql: string): Promise<void> {
    const client = new pg.Client(this.url('postgres'));
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  get #data(): string {
    return path.join(this.folder, 'data');
  }

  #program(name: string): string {
    return path.join(programs ?? '', name);
  }
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function idOf(flag: '-u' | '-g'): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || 65_534);
}

/** PostgreSQL's own client. */
export function psql(...flags: readonly string[]): {
  readonly status: number | null;
  readonly stderr: string;
} {
  return spawnSync(path.join(clientPrograms ?? '', 'psql'), ['--quiet', ...flags], { encoding: 'utf8' });
}

let shared: Promise<PostgresServer> | undefined;

/** The one that the tests of a file share; it ends with the file. */
export async function sharedPostgres(): Promise<PostgresServer> {
  shared ??= (async () => {
    const server = new PostgresServer();
    shareWorkers(
      () => server.pids,
      async () => await server.remove(),
    );
    await server.start();
    return server;
  })();
  return await shared;
}
