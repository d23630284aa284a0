import { lstatSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { daemonSocket, keyFile, type AskedCommand, type Terminal, type Told } from './io/daemon-socket.ts';

/** Lets `orch daemon` run a command, if one is there and free. Returns the exit code; undefined: run it here. */
export async function askDaemon(args: readonly string[]): Promise<number | undefined> {
  const address = daemonSocket(`${path.dirname(import.meta.dirname)}/`);
  if (address === undefined || !isOurs(address)) return undefined;
  const socket = connect(address);
  const { promise, resolve } = Promise.withResolvers<number | 'broken' | undefined>();
  let hasPrinted = false;
  socket.on('error', () => undefined);
  socket.on('connect', () => {
    const [stdout, stderr] = [terminalOf(process.stdout), terminalOf(process.stderr)];
    const key = readFileSync(keyFile(address), 'utf8');
    const asked: AskedCommand = { key, args, cwd: process.cwd(), env: process.env, stdout, stderr };
    socket.write(`${JSON.stringify(asked)}\n`);
  });
  createInterface({ input: socket }).on('line', (line) => {
    const told = JSON.parse(line) as Told;
    if (told.type === 'exit') resolve(told.code);
    else if (told.type === 'refused') resolve(undefined);
    else {
      hasPrinted = true;
      process[told.type].write(told.text);
    }
  });
  // what was printed cannot be taken back, so the command does not run again
  socket.on('close', () => resolve(hasPrinted ? 'broken' : undefined));
  const code = await promise;
  socket.destroy();
  if (code !== 'broken') return code;
  process.stderr.write('orch: the daemon ended before the command did; run it again\n');
  return 2;
}

function terminalOf({ isTTY, columns }: NodeJS.WriteStream): Terminal {
  return { isTTY, columns };
}

function isOurs(address: string): boolean {
  const found = lstatSync(address, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === process.getuid?.();
}
