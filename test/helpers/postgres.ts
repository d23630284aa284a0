import { randomBytes } from 'node:crypto';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { descendantsOf } from './processes.ts';
import { providedPostgres } from './provided.ts';
import { shareWorkers } from './shared-workers.ts';

/**
 * The folder of PostgreSQL's own programs: where POSTGRES_PROGRAMS says, to test another version; on PATH; where Debian puts
 * them; or where `test/provide.ts` unpacked them.
 */
export function findPostgres(): string | undefined {
  const provided = providedPostgres();
  return (
    process.env['POSTGRES_PROGRAMS'] ??
    folderWith('initdb') ??
    (provided === undefined ? undefined : path.join(provided, 'native/bin'))
  );
}

function folderWith(program: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    ...versions.map((version) => path.join(debian, version, 'bin')),
  ];
  return folders.findLast((folder) => existsSync(path.join(folder, program)));
}

/** Nothing here needs to survive a crash of the machine. */
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
    const folder = findPostgres();
    if (folder === undefined) throw new Error('no PostgreSQL to test the ledger in: npm test provides one');
    return path.join(folder, name);
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

/**
 * Runs a script with psql. PostgreSQL's npm package has no psql; there our own client runs the script, with `:"name"` replaced as
 * psql would and psql's own settings (`\set`) left out.
 */
async function runScript(
  url: string,
  file: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const folder = folderWith('psql');
  if (folder !== undefined) {
    const flags = Object.entries(variables).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const command = ['--quiet', ...flags, '--file', file, url];
    const { status, stderr } = spawnSync(path.join(folder, 'psql'), command, { encoding: 'utf8' });
    if (status !== 0 || stderr !== '') throw new Error(`psql: ${stderr}`);
    return;
  }
  const sql = readFileSync(file, 'utf8')
    .replaceAll(/^\\set .*$/gm, '')
    .replaceAll(/:"(\w+)"/g, (_, name: string) => pg.escapeIdentifier(variables[name] ?? ''));
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A new role of `deploy/worker-role.sql`, and how to connect as it. */
export async function workerRole(url: string): Promise<{ readonly role: string; readonly url: string }> {
  const role = `worker_${randomBytes(4).toString('hex')}`;
  const script = fileURLToPath(new URL('../../deploy/worker-role.sql', import.meta.url));
  await runScript(url, script, { role, schema: 'public' });
  return { role, url: url.replace('//orch@', `//${role}@`) };
}

let shared: Promise<PostgresServer> | undefined;

/** The server shared by the tests of a file; it ends with the file. */
export async function sharedPostgres(): Promise<PostgresServer> {
  shared ??= (async () => {
    const server = new PostgresServer();
    shareWorkers(
      () => server.pids,
      async () => {
        // the next file of this process starts its own
        shared = undefined;
        await server.remove();
      },
    );
    await server.start();
    return server;
  })();
  return await shared;
}
