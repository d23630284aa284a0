// Over 300 lines because the stages of the embedded Lean depend on each other and are easier to follow in one
// file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolders } from '../../../core/folders.ts';
import type { SpawnRequest } from '../../../io/child.ts';
import { ensureStage, isIntact, removeIfDamaged, stageFolder, type BuildStage } from '../../../io/stage.ts';
import type { Importing, Toolchain } from '../toolchain.ts';
import { canSaveCode, makeCodeCache, makeProjectCode, NoMachineCode } from './code-stage.ts';
import { intrinsicsFile, intrinsicsScript } from './host/code-cache.ts';
import { hostFile, hostStage } from './host-stage.ts';
import { outputMount } from './host/files.ts';
import { libraryMount, modulesMount } from './host/library-files.ts';
import { findLeanPackage, leanVersion, verifyLeanPackage, type LeanPackage } from './lean-package.ts';
import { leanCommand, runLean, serveFlags, setUpFailed } from './lean-process.ts';
import { patchGlue, splitGlue } from './patch-glue.ts';
import { patchWasm } from './patch-wasm.ts';
import { ProjectImage } from './project-image.ts';
import { encodeSymbols } from './symbols.ts';
import {
  codeWarmUp,
  headerSession,
  heapAttempts,
  heapWarmUp,
  importSession,
  projectWarmUp,
  stepWarmUp,
} from './warm-up.ts';
import { readCompiled, workerCompiler, workerStage } from './worker-stage.ts';
import type { CopiedModule } from './compiled-copy.ts';

/**
 * The library a worker starts with. `init` is small and fast; `std` adds Std and premise suggestions; `lean` adds
 * Lean itself, for texts that define tactics.
 */
export const images = {
  init: ['Init'],
  std: ['Init', 'Std', 'Lean.LibrarySuggestions.Default'],
  lean: ['Init', 'Std', 'Lean', 'Lean.LibrarySuggestions.Default'],
} as const;
export type ImageName = keyof typeof images;
/** Including the library, which is unpacked next to it. */
const imageBytes: Readonly<Record<ImageName, number>> = { init: 600e6, std: 800e6, lean: 1100e6 };

export interface EmbeddedOptions {
  /** The folder with everything; it can be deleted at any time. */
  readonly cacheFolder: string;
  readonly image: ImageName;
  /** The compiled modules of a project, for workers that import them. */
  readonly modules?: string;
  /** Where a compiling worker may write. */
  readonly output?: string;
  readonly importing?: Importing;
  /** Build the machine code later: it only speeds up starts, and the first answer should come soon. */
  readonly codeLater?: boolean;
  /** Size limit of the cache folder; images of projects are only saved within it. */
  readonly maxBytes?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Called after each stage that was built. */
  readonly onBuilt?: (stage: BuiltStage) => void;
}

export interface BuiltStage {
  readonly name: string;
  readonly seconds: number;
}

export interface Progress {
  readonly step: 'runtime' | 'library' | 'worker' | 'image' | 'code';
  readonly text: string;
  /** Fraction of the whole set-up, 0 to 1. */
  readonly fraction: number;
}

const extension = path.extname(import.meta.url);
const codeName = 'code.bin';

/** Sources that determine how Lean is patched. */
const patchSources = [
  'patch-glue',
  'patch-wasm',
  'exception-helper',
  'imports',
  'platform-flag',
  'redirect',
  'symbols',
  'wasm-binary',
  'wasm-sections',
  'zero-padding',
  'host/code-cache',
];

/** The stages of the embedded toolchain, each addressed by the hash of its inputs. */
interface Stages {
  /** The program around Lean. */
  readonly host: BuildStage;
  readonly runtime: BuildStage;
  /** The unpacked library: images are built from it, and projects import from it. */
  readonly library: BuildStage;
  /** Our Lean modules, compiled. */
  readonly worker: BuildStage;
  readonly image: BuildStage;
  readonly code: BuildStage;
}

/** Builds missing stages and describes the toolchain. A second call finds all of them built. */
export async function embeddedToolchain(options: EmbeddedOptions): Promise<Toolchain> {
  const { cacheFolder } = options;
  const stages = planStages(options);
  await ensureStage(cacheFolder, stages.image);
  await ensureStage(cacheFolder, stages.host);
  await ensureStage(cacheFolder, stages.runtime);
  if (options.codeLater !== true) await ensureCode(cacheFolder, stages.code);
  if (readsModules(options)) await ensureStage(cacheFolder, stages.library);
  const mounts = mountsOf(options, stages.library);
  const projectImage = projectImageOf(options, stages, mounts);
  return {
    kind: 'embedded',
    version: leanVersion,
    imports: images[options.image],
    limits: { maxMemoryBytes: 2 ** 31, fixedImports: true },
    rootSession: options.importing ? importSession : headerSession,
    ...(options.importing && { importing: options.importing }),
    async launch() {
      const image = (await projectImage?.forNextStart()) ?? stages.image;
      return await serveRequest(cacheFolder, { ...stages, image }, { mounts });
    },
    hasFastStart: async () =>
      !canSaveCode() || (await isIntact(stageFolder(cacheFolder, stages.code), stages.code.key)),
    async repair() {
      const damaged = await Promise.all(
        Object.values(stages).map(async (stage: BuildStage) => await removeIfDamaged(cacheFolder, stage)),
      );
      if (damaged.includes(true)) await embeddedToolchain(options);
      return true;
    },
  };
}

async function ensureCode(cacheFolder: string, code: BuildStage): Promise<void> {
  if (!canSaveCode()) return;
  try {
    await ensureStage(cacheFolder, code);
  } catch (error) {
    if (!(error instanceof NoMachineCode)) throw error;
  }
}

/** Only for workers that import on top of the full library, which already takes much of their memory. */
function projectImageOf(
  { cacheFolder, image, modules, importing, maxBytes }: EmbeddedOptions,
  stages: Stages,
  mounts: Mounts,
): ProjectImage | undefined {
  if (modules === undefined || importing === undefined || maxBytes === undefined || image !== 'lean')
    return undefined;
  return new ProjectImage({
    cacheFolder,
    // the name of the modules folder is a hash of its sources
    key: [stages.image.key, path.basename(modules), JSON.stringify([importing, heapAttempts])].join('\n'),
    importing,
    base: stageFolder(cacheFolder, stages.image),
    maxBytes,
    launch: async (saved) => await serveRequest(cacheFolder, stages, { mounts, saved }),
  });
}

/** The stage folders for these options, whether built or not. */
export function embeddedFolders(options: EmbeddedOptions): Record<keyof Stages, string> {
  const stages = planStages(options);
  const folder = (stage: BuildStage): string => stageFolder(options.cacheFolder, stage);
  return {
    host: folder(stages.host),
    runtime: folder(stages.runtime),
    library: folder(stages.library),
    worker: folder(stages.worker),
    image: folder(stages.image),
    code: folder(stages.code),
  };
}

/**
 * Compiles the worker's modules: those that changed since the copy that comes with orch was made, and their importers, or all of them
 * with `fromSources`.
 */
export async function compileWorker(
  options: Pick<EmbeddedOptions, 'cacheFolder' | 'onProgress'>,
  fromSources = true,
): Promise<CopiedModule[]> {
  const { worker } = planStages({ ...options, image: 'init' }, fromSources);
  makeFolders(options.cacheFolder, 0o700);
  await using folder = await mkdtempDisposable(path.join(options.cacheFolder, 'worker-sources.new-'));
  await worker.build(folder.path);
  return readCompiled(folder.path, workerCompiler());
}

function planStages(options: EmbeddedOptions, fromSources = false): Stages {
  const { cacheFolder, image, modules, onProgress } = options;
  const leanPackage = findLeanPackage();
  const report = (step: Progress['step'], text: string, fraction: number): void =>
    onProgress?.({ step, text, fraction });
  // measured: everything before the machine code takes about as long as the machine code
  const beforeCode = options.codeLater ? 1 : 0.5;
  const verified = once(async () => await verifyLeanPackage(leanPackage));
  const timed = (stage: BuildStage): BuildStage => ({
    ...stage,
    async build(folder) {
      const begun = performance.now();
      await stage.build(folder);
      options.onBuilt?.({ name: stage.name, seconds: (performance.now() - begun) / 1000 });
    },
  });

  const host = timed(hostStage());
  const runtime = timed({
    name: 'runtime',
    key: [leanPackage.identity, sources(...patchSources)].join('\n'),
    async build(folder) {
      report('runtime', 'checking the Lean package', 0);
      await verified();
      report('runtime', 'patching Lean', 0.1 * beforeCode);
      await buildRuntime(leanPackage, folder);
    },
  });
  const library = timed({
    name: 'library',
    key: leanPackage.identity,
    async build(folder) {
      report('library', "unpacking Lean's library", 0.05 * beforeCode);
      // the library may be unpacked long after the runtime was built
      await verified();
      await unpackLibrary(leanPackage, folder);
    },
  });
  const worker = timed(
    workerStage({
      cacheFolder,
      compiler: workerCompiler(),
      fromSources,
      onProgress: (text, fraction) => report('worker', text, (0.2 + 0.1 * fraction) * beforeCode),
      prepare: async () => ({
        host: await ensureStage(cacheFolder, host),
        runtime: await ensureStage(cacheFolder, runtime),
        library: await ensureStage(cacheFolder, library),
        codeFile: await codeIn(cacheFolder, code),
      }),
    }),
  );
  const imageStage = timed({
    name: `image-${image}`,
    bytes: imageBytes[image],
    key: [
      runtime.key,
      worker.key,
      JSON.stringify([images[image], heapWarmUp]),
      sources(
        'host/snapshot',
        'host/boot',
        'host/save-image',
        'host/image',
        'host/files',
        'host/library-files',
        'host/module-cache',
      ),
    ].join('\n'),
    async build(folder) {
      // an image contains what its workers need of library and worker, so both are unpacked only to build it
      const parts = path.join(folder, 'parts');
      const [hostFolder, runtimeFolder, libraryFolder, workerFolder] = await Promise.all([
        ensureStage(cacheFolder, host),
        ensureStage(cacheFolder, runtime),
        isIntact(stageFolder(cacheFolder, library), library.key).then(async (isThere) =>
          isThere
            ? stageFolder(cacheFolder, library)
            : await unpackedInto(path.join(parts, 'library'), library),
        ),
        unpackedInto(path.join(parts, 'worker'), worker),
      ]);
      await buildImage(
        {
          host: hostFolder,
          runtime: runtimeFolder,
          library: libraryFolder,
          worker: workerFolder,
          codeFile: await codeIn(cacheFolder, code),
        },
        folder,
        images[image],
        (fraction, text) => report('image', text, (0.3 + 0.7 * fraction) * beforeCode),
      );
      await rm(parts, { recursive: true });
    },
  });
  // shared by all images: only Lean's own code is optimised, which does not depend on loaded modules
  const code: BuildStage = timed({
    name: 'code',
    key: [
      runtime.key,
      process.version,
      process.arch,
      serveFlags.join(' '),
      JSON.stringify([codeWarmUp, stepWarmUp]),
    ].join('\n'),
    async build(folder) {
      const request = await serveRequest(
        cacheFolder,
        { host, runtime, image: imageStage },
        { codeFile: path.join(folder, codeName) },
      );
      await makeCodeCache(request, (fraction) =>
        report(
          'code',
          'saving machine code for faster starts',
          1 - (1 - fraction) * (options.codeLater ? 1 : 0.5),
        ),
      );
    },
  });
  // adds the code that compiles and imports modules: V8 would spend two thirds of a module's time on optimising it
  const projectCode = timed({
    name: 'code-project',
    key: [code.key, JSON.stringify(projectWarmUp())].join('\n'),
    async build(folder) {
      const [unpacked, begun] = [
        await ensureStage(cacheFolder, library),
        await ensureStage(cacheFolder, code),
      ];
      const codeFile = path.join(folder, codeName);
      await copyFile(path.join(begun, codeName), codeFile);
      const made = path.join(folder, 'modules');
      await mkdir(made, { mode: 0o700 });
      const mounts = { [libraryMount]: unpacked, [modulesMount]: made, [outputMount]: made };
      const from = { host, runtime, image: imageStage };
      await makeProjectCode(
        async () => await serveRequest(cacheFolder, from, { codeFile, mounts }),
        (fraction) => report('code', 'warming up for projects', fraction),
      );
      await rm(made, { recursive: true });
    },
  });
  // projects that need only part of Lean have few small modules; the warm-up would cost more than it saves
  const isLarge = modules !== undefined && image === 'lean';
  return { host, runtime, library, worker, image: imageStage, code: isLarge ? projectCode : code };
}

async function unpackedInto(folder: string, stage: BuildStage): Promise<string> {
  makeFolders(folder, 0o700);
  await stage.build(folder);
  return folder;
}

/** The machine code, if it was built; Lean also runs without it. */
async function codeIn(cacheFolder: string, code: BuildStage): Promise<string | undefined> {
  const folder = stageFolder(cacheFolder, code);
  return (await isIntact(folder, code.key)) ? path.join(folder, codeName) : undefined;
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return async () => await (made ??= make());
}

async function buildRuntime(leanPackage: LeanPackage, folder: string): Promise<void> {
  const parts = splitGlue(readFileSync(path.join(leanPackage.folder, 'lean.js'), 'latin1'));
  const wasm = patchWasm(readFileSync(path.join(leanPackage.folder, 'lean.wasm')), parts.exports);
  await writeFile(path.join(folder, 'lean.wasm'), wasm.bytes);
  await writeFile(path.join(folder, 'exceptions.wasm'), wasm.helper);
  await writeFile(path.join(folder, 'layout.json'), JSON.stringify(wasm.layout));
  await writeFile(path.join(folder, 'lean.js'), patchGlue(parts, wasm.glueAddresses), 'latin1');
  await writeFile(path.join(folder, intrinsicsFile), intrinsicsScript);
  await writeFile(path.join(folder, 'symbols.bin'), encodeSymbols(wasm.addresses));
}

async function unpackLibrary(leanPackage: LeanPackage, folder: string): Promise<void> {
  const file = path.join(leanPackage.folder, 'lean-lib.tar.gz');
  const thread = new Worker(new URL(`./unpack-thread${extension}`, import.meta.url), {
    workerData: { file, folder },
  });
  await new Promise<void>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('exit', () => resolve());
  });
}

interface ImageParts {
  readonly host: string;
  readonly runtime: string;
  readonly library: string;
  readonly worker: string;
  /** Machine code from the warm-up of another image; it halves the time of Lean's boot. */
  readonly codeFile: string | undefined;
}

/** Boots Lean in its own process, which saves its heap and exits. It reports each finished warm-up request. */
async function buildImage(
  { host, runtime, library, worker, codeFile }: ImageParts,
  folder: string,
  modules: readonly string[],
  onProgress: (fraction: number, text: string) => void,
): Promise<void> {
  onProgress(0, 'starting Lean for the first time');
  const command = await leanCommand(
    hostFile(host, 'snapshot'),
    [runtime, library, codeFile ?? '', worker, folder, JSON.stringify(heapWarmUp), ...modules],
    {
      read: [host, runtime, library, worker, folder, ...(codeFile === undefined ? [] : [codeFile])],
      write: [folder],
    },
    codeFile === undefined ? [] : serveFlags,
  );
  let warmed = 0;
  const { exit, tail } = await runLean(command, () =>
    onProgress(0.6 + (0.4 * ++warmed) / heapWarmUp.length, 'filling the indexes of its tactics'),
  );
  if (exit !== 0) throw setUpFailed('Lean did not start while its snapshot was made.', tail);
}

/** Whether its workers import modules that are in no image, or use only a part of their image. */
function readsModules({ modules, importing }: EmbeddedOptions): boolean {
  return modules !== undefined || importing !== undefined;
}

function mountsOf(options: EmbeddedOptions, library: BuildStage): Mounts {
  if (!readsModules(options)) return {};
  const { cacheFolder, modules, output } = options;
  return {
    [libraryMount]: stageFolder(cacheFolder, library),
    ...(modules !== undefined && { [modulesMount]: modules }),
    ...(output !== undefined && { [outputMount]: output }),
  };
}

/** Host files visible to a worker of a project. */
type Mounts = Readonly<Record<string, string>>;

async function serveRequest(
  cacheFolder: string,
  stages: Pick<Stages, 'host' | 'runtime' | 'image'> & { code?: BuildStage },
  { codeFile, mounts = {}, saved }: { codeFile?: string; mounts?: Mounts; saved?: string },
): Promise<SpawnRequest> {
  const file = codeFile ?? (stages.code && (await codeIn(cacheFolder, stages.code)));
  const host = stageFolder(cacheFolder, stages.host);
  const inputs = [stageFolder(cacheFolder, stages.runtime), stageFolder(cacheFolder, stages.image)];
  // only these may write: a worker that builds a code cache or an image, and one that compiles
  const written = [
    ...(codeFile === undefined ? [] : [path.dirname(codeFile)]),
    ...(mounts[outputMount] === undefined ? [] : [mounts[outputMount]]),
    ...(saved === undefined ? [] : [saved]),
  ];
  const [command, args] = await leanCommand(
    hostFile(host, 'serve'),
    [
      ...inputs,
      file ?? '',
      ...(Object.keys(mounts).length > 0 ? [JSON.stringify(mounts)] : []),
      ...(saved === undefined ? [] : [saved]),
    ],
    {
      read: [host, ...inputs, ...(file === undefined ? [] : [file]), ...written, ...Object.values(mounts)],
      write: written,
    },
    serveFlags,
  );
  return { command, args, env: {}, cwd: '/' };
}

/** Hash of our own source files: editing a patch rebuilds the toolchain. */
function sources(...names: string[]): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(readFileSync(new URL(`./${name}${extension}`, import.meta.url)));
  return hash.digest('hex');
}
