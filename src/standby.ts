import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { openLean } from './app/lean.ts';
import { settingsFrom } from './app/settings.ts';
import type { AskedCommand, Terminal, Told } from './io/daemon-socket.ts';
import { keptWorkers } from './lean/workers/kept.ts';
import { main } from './main.ts';

/**
 * A process of `orch daemon` that is ready for one command: the program is loaded, an elaborator and a judge have
 * started. It gets the client's socket from the daemon, runs the command as the client's process would, and ends, so
 * that nothing of one command is left for the next.
 */
process.on('message', (key, socket) => serve(socket as Socket, key as string));
process.on('disconnect', () => process.exit());
await warmUp();
process.send?.('ready');

/** Workers without modules of a project can be prepared; other commands start their own. */
async function warmUp(): Promise<void> {
  keptWorkers.elaborators.keep(1);
  keptWorkers.judges.keep(1);
  await using lean = await openLean(settingsFrom(), { image: 'init', slots: 1, quick: true });
  await lean.gate.check({ statement: 'theorem ready : True', proof: 'trivial' });
  // the command's own file
  await import('./commands/judge/check.ts');
}

/** A client writes its command at once. One that does not would keep this process from others. */
const silenceMs = 5000;
/** More than arguments and environment can take. */
const maxBytes = 16 * 1024 * 1024;

function serve(socket: Socket, key: string): void {
  // the user pressed Ctrl-C: workers end with this process
  socket.on('close', () => process.exit());
  socket.on('error', () => undefined);
  const silence = setTimeout(() => process.exit(), silenceMs);
  let received = 0;
  socket.on('data', ({ length }) => {
    received += length;
    if (received > maxBytes) process.exit();
  });
  // one command: what its client sends afterwards is not read
  createInterface({ input: socket }).once('line', (line) => {
    const asked = JSON.parse(line) as AskedCommand;
    if (asked.key !== key) process.exit();
    clearTimeout(silence);
    void run(asked, socket);
  });
}

async function run({ args, cwd, env, ...terminals }: AskedCommand, socket: Socket): Promise<void> {
  const tell = (told: Told): boolean => socket.write(`${JSON.stringify(told)}\n`);
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  for (const name of ['stdout', 'stderr'] as const)
    Object.defineProperty(process, name, {
      value: streamTo((text) => tell({ type: name, text }), terminals[name]),
    });
  tell({ type: 'exit', code: await main(args) });
  socket.end();
}

function streamTo(onText: (text: string) => void, terminal: Terminal): Writable & Terminal {
  const stream = new Writable({
    decodeStrings: false,
    write(text: string | Buffer, _, done) {
      onText(text.toString());
      done();
    },
  });
  return Object.assign(stream, terminal);
}
