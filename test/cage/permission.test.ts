import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cageFlags } from '../../src/lean/toolchain/embedded/cage.ts';
import { ownNamespaces } from '../../src/lean/toolchain/embedded/namespaces.ts';
import { Child } from '../../src/io/child.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { run } from '../helpers/orch.ts';
import { descendantsOf, eventually, isRunning } from '../helpers/processes.ts';
import { embeddedLean } from '../helpers/toolchain.ts';

/** JavaScript in a sandboxed process, as run by code that has broken out of WebAssembly. */
async function inCage(
  code: string,
  read: readonly string[] = [],
  write: readonly string[] = [],
): Promise<string> {
  const script = `let said; try { said = (() => { ${code} })() } catch (error) { said = error.code } console.log(said)`;
  const { stdout, stderr } = await run(process.execPath, [...cageFlags({ read, write }), '-e', script]);
  return (stdout + stderr).trim();
}

test.for([
  ['reads a file', `return require('fs').readFileSync('/etc/passwd', 'utf8')`],
  ['lists a folder', `return require('fs').readdirSync('/')`],
  ['writes a file', `return require('fs').writeFileSync('/tmp/orch-was-here', '')`],
  ['starts a program', `return require('child_process').spawnSync('true').status`],
  ['reaches Node’s insides', `return process.binding('constants')`],
  ['loads an addon', `return process.dlopen({ exports: {} }, '/lib/nothing.node')`],
  ['starts a WASI machine', `return new (require('wasi').WASI)({ version: 'preview1' })`],
] as const)('a sandboxed process that %s is denied', async ([, code]) => {
  expect(await inCage(code)).toMatch(/^ERR_(ACCESS_DENIED|DLOPEN_DISABLED)$/m);
});

test.for(['eval("1 + 1")', 'new Function("return 2")()'])(
  'a sandboxed process that evaluates %s is denied',
  async (code) => {
    expect(await inCage(`try { return ${code} } catch (error) { return error.name }`)).toBe('EvalError');
  },
);

/** A thread with its own flags would have none of the sandbox's. */
test.for([
  ['directly', 'started(read)'],
  ['in another thread', 'started(starts(read))'],
  ['with the constructor of the prototype', 'started(read, Worker.prototype.constructor)'],
  ['with a class of its own', 'started(read, class extends Worker {})'],
  [
    'past the guard',
    'Object.prototype.get = (target) => (found ??= target); Worker.name; started(read, found)',
  ],
] as const)('a thread without flags, started %s, inherits the permissions', async ([, attack]) => {
  const code = `
    const { Worker } = require('worker_threads');
    let found;
    const read = "const { parentPort } = process.getBuiltinModule('worker_threads'); try { parentPort.postMessage(process.getBuiltinModule('fs').readFileSync('/etc/passwd', 'utf8')) } catch ({ code }) { parentPort.postMessage(code) }";
    const starts = (text) => "const { parentPort, Worker } = process.getBuiltinModule('worker_threads'); new Worker(" + JSON.stringify(text) + ", { eval: true, execArgv: [] }).on('message', (said) => parentPort.postMessage(said))";
    const started = (text, Made = Worker) => new (Made ?? Worker)(text, { eval: true, execArgv: [] }).on('message', console.log);
    ${attack};
    return typeof require('module').register`;
  expect(await inCage(code)).toBe('undefined\nERR_ACCESS_DENIED');
});

/** SIGUSR1 makes Node open its debugger, and anyone who can reach that can run code in the process. */
test('no signal opens the debugger of a sandboxed process, or of orch while it has a child', async () => {
  const signalled = `process.kill(process.pid, 'SIGUSR1'); setTimeout(() => console.log(require('inspector').url()), 300)`;
  const flags = cageFlags({ read: [], write: [] });
  const caged = await run(process.execPath, [...flags, '-e', signalled]);
  expect(caged.stdout + caged.stderr).not.toContain('Debugger listening');
  const child = new URL('../../src/io/child.ts', import.meta.url).href;
  const parent = `import { Child } from ${JSON.stringify(child)};
    await new Child({ command: '/bin/true', args: [], env: {}, cwd: '/' }).exited;
    process.kill(process.pid, 'SIGUSR1');
    setTimeout(() => console.log('still ours'), 300);`;
  const ours = await run(process.execPath, ['--input-type=module', '-e', parent]);
  expect(ours.stdout).toContain('still ours');
  expect(ours.stderr).not.toContain('Debugger listening');
});

/** JavaScript in its own namespaces, where the system supports them. */
async function apart(script: string): Promise<{ isApart: boolean; said: string }> {
  const prefix = await ownNamespaces();
  const [command, ...args] = [...prefix, process.execPath, '-e', script];
  const { stdout } = await run(command, args);
  return { isApart: prefix.length > 0, said: stdout.trim() };
}

test('a sandboxed process has no network if the system supports that', async () => {
  const { isApart, said } =
    await apart(`const s = require('net').createServer().listen(0, '127.0.0.1', () => {
    require('net').connect(s.address().port, '127.0.0.1', () => { console.log('connected'); process.exit() }).on('error', (e) => { console.log(e.code); process.exit() }) }).on('error', (e) => console.log(e.code))`);
  expect(said).toMatch(isApart ? /^E(NETUNREACH|ADDRNOTAVAIL)$/ : /^connected$/);
});

const signal = (pid: number): string =>
  `try { process.kill(${pid}, 0); console.log('reached') } catch (error) { console.log(error.code) }`;

test('a sandboxed process cannot signal other processes if the system supports that', async () => {
  const { isApart, said } = await apart(`${signal(process.pid)}; ${signal(process.ppid)}`);
  expect(said).toBe(isApart ? 'ESRCH\nESRCH' : 'reached\nreached');
});

test('the launcher and the sandboxed process die together', async () => {
  const prefix = await ownNamespaces();
  for (const which of ['launcher', 'caged'] as const) {
    const child = new Child({
      command: prefix[0] ?? process.execPath,
      args: [
        ...prefix.slice(1),
        ...(prefix.length > 0 ? [process.execPath] : []),
        '-e',
        'setInterval(() => {}, 1000)',
      ],
      env: {},
      cwd: '/',
    });
    const launcher = child.pid ?? 0;
    await eventually(() => prefix.length === 0 || descendantsOf(launcher).length > 0);
    const caged = descendantsOf(launcher)[0]?.pid ?? launcher;
    process.kill(which === 'launcher' ? launcher : caged, 'SIGKILL');
    expect((await child.exited).code).not.toBe(0);
    await eventually(() => !isRunning(caged));
  }
});

const readThis = (file: string): string =>
  `return require('fs').readFileSync(${JSON.stringify(file)}, 'utf8')`;

test('a sandboxed process can read and write only what it was given', async () => {
  const folder = temporaryFolder();
  const shown = path.join(folder, 'shown');
  const hidden = path.join(folder, 'hidden');
  writeFileSync(shown, 'image');
  writeFileSync(hidden, 'secret');
  expect(await inCage(readThis(shown), [shown])).toBe('image');
  expect(await inCage(readThis(hidden), [shown])).toBe('ERR_ACCESS_DENIED');
  const writeThis = `return require('fs').writeFileSync(${JSON.stringify(shown)}, 'forged')`;
  expect(await inCage(writeThis, [shown])).toBe('ERR_ACCESS_DENIED');
});

test('every worker starts in the sandbox, without write access and with an empty environment', async () => {
  const { args, env, cwd } = await (await embeddedLean()).launch();
  expect(args).toContain('--permission');
  expect(args.filter((flag) => /^--allow-(fs-write|child-process|addons|wasi)/.test(flag))).toEqual([]);
  expect(args.filter((flag) => flag === '--allow-fs-read=*' || flag === '--allow-fs-read=/')).toEqual([]);
  expect({ env, cwd }).toEqual({ env: {}, cwd: '/' });
});
