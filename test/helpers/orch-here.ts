import { Readable, Writable } from 'node:stream';
import { main } from '../../src/main.ts';
import type { Finished, Surroundings } from './orch.ts';

/**
 * `orch ARGS` within this process, one command at a time: the same folder, environment, output and exit code, without
 * the half second of CPU time for loading the program. Tests about processes or signals use `orch`.
 */
export async function orchHere(
  args: readonly string[],
  { cwd, env, input = '' }: Omit<Surroundings, 'stop'> = {},
): Promise<Finished> {
  const said = { stdout: '', stderr: '' };
  const before = { folder: process.cwd(), env: { ...process.env }, exitCode: process.exitCode };
  const streams = [
    replaceStream('stdin', Readable.from([input])),
    ...(['stdout', 'stderr'] as const).map((name) =>
      replaceStream(
        name,
        collecting((text) => (said[name] += text)),
      ),
    ),
  ];
  try {
    if (cwd !== undefined) process.chdir(cwd);
    setEnvironment({ ...before.env, ORCH_LEAN: 'embedded', ...env });
    process.exitCode = undefined;
    return { code: await main(args), ...said };
  } finally {
    process.exitCode = before.exitCode;
    setEnvironment(before.env);
    process.chdir(before.folder);
    for (const giveBack of streams) giveBack();
  }
}

function collecting(onText: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      onText(chunk.toString());
      done();
    },
  });
}

function replaceStream(name: 'stdin' | 'stdout' | 'stderr', stream: Readable | Writable): () => void {
  const own = Object.getOwnPropertyDescriptor(process, name) ?? {};
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream });
  return () => Object.defineProperty(process, name, own);
}

function setEnvironment(values: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (values[name] === undefined) delete process.env[name];
  for (const [name, value] of Object.entries(values)) if (value !== undefined) process.env[name] = value;
}
