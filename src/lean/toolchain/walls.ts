import { execFile } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../io/sandbox.ts';
import { cageFlags } from './embedded/cage.ts';
import { underStackLimit } from './embedded/stack.ts';

/** One way out of the sandbox of a Lean process, and the outcome of an attempt just now. */
export interface Wall {
  readonly name: WallName;
  readonly holds: boolean;
  /** An error code, or what the attempt reached. */
  readonly saw: string;
}

export type WallName =
  | 'read files'
  | 'read files in a thread'
  | 'write files'
  | 'start programs'
  | 'open databases'
  | 'load addons'
  | 'evaluate text'
  | 'open a debugger'
  | 'use the network'
  | 'reach Unix sockets'
  | 'signal processes';

/** Each attempt returns `reached …` or throws. `there` is placed outside the sandbox. */
const attempts: Readonly<Record<WallName, string>> = {
  'read files': `return (await import('node:fs')).readFileSync(there.secret, 'utf8')`,
  'read files in a thread': `return await unflagged(there.secret)`,
  'write files': `(await import('node:fs')).writeFileSync(there.target, 'reached'); return 'written'`,
  'start programs': `const { error, status } = (await import('node:child_process')).spawnSync('/bin/true'); if (error) throw error; return 'exit code ' + status`,
  'open databases': `const { DatabaseSync } = await import('node:sqlite'); new DatabaseSync(there.database).exec('create table t (a)'); return 'opened'`,
  'load addons': `process.dlopen({ exports: {} }, there.secret); return 'loaded'`,
  'evaluate text': `return String((0, eval)('6 * 7'))`,
  'open a debugger': `const inspector = await import('node:inspector'); inspector.open(0, '127.0.0.1'); return inspector.url()`,
  'use the network': `return await connected({ host: '127.0.0.1', port: there.port })`,
  'reach Unix sockets': `return await connected({ path: there.socket })`,
  'signal processes': `process.kill(there.pid, 0); return 'process ' + there.pid`,
};

const script = (names: readonly WallName[], there: unknown): string => `
const there = ${JSON.stringify(there)};
const connected = async (place) => { const { connect } = await import('node:net'); return await new Promise((resolve, reject) => connect(place, () => resolve('connected')).on('error', reject)); };
const readAndTell = "const { parentPort, workerData } = process.getBuiltinModule('worker_threads'); let answer; try { answer = { read: process.getBuiltinModule('fs').readFileSync(workerData, 'utf8') }; } catch ({ code }) { answer = { code }; } parentPort.postMessage(answer);";
const unflagged = async (file) => { const { Worker } = await import('node:worker_threads'); const { code, read } = await new Promise((resolve, reject) => new Worker(readAndTell, { eval: true, execArgv: [], workerData: file }).on('message', resolve).on('error', reject)); if (code !== undefined) throw { code }; return read; };
const attempts = { ${names.map((name) => `${JSON.stringify(name)}: async () => { ${attempts[name]} }`).join(', ')} };
const saw = {};
for (const [name, attempt] of Object.entries(attempts))
  try { saw[name] = [false, await attempt()]; } catch (error) { saw[name] = [true, error.code ?? error.name]; }
console.log(JSON.stringify(saw));
process.exit(0);`;

/** Attempts by JavaScript that has escaped from WebAssembly, in a process started exactly like a worker of the embedded Lean. */
export async function embeddedWalls(): Promise<Wall[]> {
  return await tried(Object.keys(attempts) as WallName[], async (text) => {
    const flags = [...cageFlags({ read: [], write: [] }), '--input-type=module', '-e', text];
    const [command, args] = await underStackLimit(() => [process.execPath, ...flags]);
    return [command, ...args];
  });
}

/** Attempts by a program in the sandbox of a native Lean. Starting programs and evaluating text are allowed there. */
export async function nativeWalls(sandbox: Sandbox): Promise<Wall[]> {
  const names: WallName[] = [
    'read files',
    'write files',
    'use the network',
    'reach Unix sockets',
    'signal processes',
  ];
  return await tried(names, async (text) =>
    sandbox.wrap([process.execPath, '--input-type=module', '-e', text], {
      folder: '/',
      read: [process.execPath],
    }),
  );
}

async function tried(
  names: readonly WallName[],
  commandFor: (script: string) => Promise<readonly string[]>,
): Promise<Wall[]> {
  using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'orch-walls-'));
  const place = (name: string): string => path.join(folder.path, name);
  writeFileSync(place('secret'), 'read');
  const [network, socket] = [
    await listening({ host: '127.0.0.1', port: 0 }),
    await listening({ path: place('socket') }),
  ];
  try {
    const there = {
      secret: place('secret'),
      target: place('target'),
      database: place('database'),
      socket: place('socket'),
      port: (network.address() as AddressInfo).port,
      pid: process.pid,
    };
    const [command = '', ...args] = await commandFor(script(names, there));
    const { stdout } = await promisify(execFile)(command, args, { cwd: '/', env: {}, timeout: 30_000 });
    const saw = JSON.parse(stdout) as Record<WallName, [boolean, string]>;
    return names.map((name) => {
      const [holds, what] = saw[name];
      // a sandbox may have its own file of that name
      const isOurs = name !== 'write files' || existsSync(place('target'));
      return { name, holds: holds || !isOurs, saw: what };
    });
  } finally {
    for (const server of [network, socket]) server.close();
  }
}

async function listening(where: { path: string } | { host: string; port: number }): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, resolve);
  });
  return server;
}
