// `lake build +A…`, `lake env lean --version` and `lake env lean --run WORKER Init A…`, served by the embedded Lean.
import { spawn } from 'node:child_process';
import { cpSync, createWriteStream, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { systemClock } from '../../src/core/clock.ts';
import { isLibraryModule, moduleNameParts } from '../../src/lean/base/module-names.ts';
import { build } from '../../src/lean/project/build.ts';
import { graphOf } from '../../src/lean/project/graph.ts';
import { imageOf } from '../../src/lean/project/image-choice.ts';
import { findProject } from '../../src/lean/project/project.ts';
import { embeddedToolchain } from '../../src/lean/toolchain/embedded/embedded.ts';
import { importSession } from '../../src/lean/toolchain/embedded/warm-up.ts';

const [cacheFolder = '', ...args] = process.argv.slice(2);
const built = path.resolve('.lake/build/lib/lean');
if (args[0] === 'build') process.exitCode = await compile(args.slice(1));
else if (args.includes('--version')) process.stdout.write('Lean (version 4.28.0, behind lake)\n');
else await serve(args.slice(args.indexOf('--run') + 2));

async function compile(targets: readonly string[]): Promise<number> {
  const project = findProject(process.cwd());
  const modules = targets.map((target) => project.find(target.replace(/^\+/, '')));
  if (modules.includes(undefined)) throw new Error(`unknown target in ${targets.join(' ')}`);
  const found = modules.filter((module) => module !== undefined);
  const { folder, failed } = await build((headers) => graphOf(project, found, undefined, headers), {
    cacheFolder: path.resolve('.lake/stand-in'),
    compilerFor: async (from, output) =>
      await embeddedToolchain({ cacheFolder, image: 'init', modules: from, output }),
    importerFor: () => Promise.reject(new Error('lake build imports nothing')),
    toolchain: 'behind lake',
    anyVersion: true,
    maxBytes: 1e9,
    slots: 1,
    clock: systemClock,
  });
  mkdirSync(built, { recursive: true });
  cpSync(folder, built, { recursive: true, dereference: true });
  for (const { errors } of failed.values()) process.stdout.write(`${errors.join('\n')}\n`);
  return failed.size === 0 ? 0 : 1;
}

/** A worker whose session 0 has imported the modules. */
async function serve(names: readonly string[]): Promise<void> {
  const own = names.filter((name) => !isLibraryModule(name));
  for (const name of own)
    if (!existsSync(path.join(built, `${name.replaceAll('.', '/')}.olean`)))
      throw new Error(`object file of module ${name} does not exist`);
  const importing = { imports: own, options: {} };
  const toolchain = await embeddedToolchain({
    cacheFolder,
    image: imageOf(names),
    ...(own.length > 0 && { modules: built, importing }),
  });
  const { command, args: rest, env, cwd } = await toolchain.launch();
  const worker = spawn(command, rest, { env, cwd, stdio: ['pipe', 'ignore', 'inherit', 'pipe', 4] });
  worker.once('exit', (code) => process.exit(code ?? 1));
  const answers = createWriteStream('', { fd: 3 });
  const tell = (line: string): void => void worker.stdin?.write(`${line}\n`);
  let ready = '';
  for await (const line of createInterface({ input: worker.stdio[3] as Readable })) {
    const answer = JSON.parse(line) as { id: string | null; body: { ok?: boolean } };
    if (answer.id === null && own.length > 0) {
      ready = line;
      const imports = own.map((name) => moduleNameParts(name));
      tell(JSON.stringify({ id: 'import', op: 'import', sequence: 0, imports, options: {} }));
      continue;
    }
    if (answer.id === 'import' && answer.body.ok !== true) throw new Error(line.slice(0, 500));
    answers.write(`${answer.id === 'import' ? ready : line}\n`);
    if (answer.id === null || answer.id === 'import') void forward(own.length > 0, tell);
  }
}

async function forward(hasImported: boolean, tell: (line: string) => void): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line) as { session?: number };
    if (hasImported && request.session === 0) request.session = importSession;
    tell(JSON.stringify(request));
  }
}
