import type { Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import type { BuiltStage, ImageName } from '../../lean/toolchain/embedded/embedded.ts';
import { formatBytes } from '../../reporters/format.ts';
import { addProjectOptions, exitWith } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';

export function registerLean(program: Command): void {
  const lean = program.command('lean').description('Manage the embedded Lean');
  lean
    .command('setup')
    .description('Build what is missing or damaged, and check that it works')
    .option('--image <name>', 'init, std, lean, or all (init and std)', 'all')
    .option('--timings', 'print how long each stage took')
    .action(
      exitWith(
        async ({ image, timings }: { image: string; timings?: true }) => await setup(image, timings === true),
      ),
    );
  addProjectOptions(lean.command('build'))
    .description("Compile a project's modules and their imports; skips what is up to date")
    .argument('[targets...]', 'modules (A.B) or files (default: what lake build would build)')
    .option('--json', 'print one JSON object per module')
    .action(async (targets: string[], options: { json?: true; useEmbedded?: true }) => {
      const { settingsFrom } = await import('../../app/settings.ts');
      const { buildProject } = await import('../../app/build-project.ts');
      const settings = settingsFrom(settingFlags({ ...options }));
      process.exitCode = await buildProject(targets, settings, options.json === true);
    });
  lean
    .command('status')
    .description('Show what is built, where, and its size')
    .option('--json', 'print JSON')
    .action(exitWith(async ({ json }: { json?: true }) => await status(json === true)));
  lean
    .command('clean')
    .description("Delete the embedded Lean's files; the next use rebuilds them")
    .option('--old', 'delete only files that this version does not use')
    .action(exitWith(async ({ old }: { old?: true }) => await clean(old === true)));
}

async function setup(wanted: string, timings: boolean): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const settings = { ...settingsFrom(), lean: 'embedded' };
  for (const image of await wantedImages(wanted)) {
    const begun = performance.now();
    const built: BuiltStage[] = [];
    await using lean = await openLean(settings, { image, slots: 1, onBuilt: (stage) => built.push(stage) });
    const { toolchain } = lean.pool;
    // every start compares sizes and times; this compares contents
    await toolchain.repair?.();
    const ready = performance.now();
    const verdict = await lean.gate.check({
      statement: 'theorem t (a b : Nat) : a + b = b + a',
      proof: 'by omega',
    });
    process.stdout.write(
      `${image}: Lean ${toolchain.version} with ${toolchain.imports.join(', ')}: a first proof is ${verdict.verdict}\n`,
    );
    if (timings) {
      const proof = { name: 'first proof', seconds: (performance.now() - ready) / 1000 };
      const total = { name: 'total', seconds: (performance.now() - begun) / 1000 };
      for (const { name, seconds } of [...built, proof, total])
        process.stdout.write(`  ${name.padEnd(14)} ${seconds.toFixed(1).padStart(6)} s\n`);
    }
    if (verdict.verdict !== 'accepted') return ExitCode.broken;
  }
  return ExitCode.done;
}

async function wantedImages(wanted: string): Promise<ImageName[]> {
  const { images } = await import('../../lean/toolchain/embedded/embedded.ts');
  const { UserError } = await import('../../core/errors.ts');
  const names = Object.keys(images) as ImageName[];
  // the `lean` image is built when a text first imports Lean
  if (wanted === 'all') return names.filter((name) => name !== 'lean');
  const found = names.find((name) => name === wanted);
  if (found === undefined)
    throw new UserError(
      'unknown-image',
      `there is no image "${wanted}"`,
      `Images: ${names.join(', ')}, or all.`,
    );
  return [found];
}

async function status(json: boolean): Promise<ExitCode> {
  const { leanCacheFolder, settingsFrom } = await import('../../app/settings.ts');
  const { embeddedStatus } = await import('../../lean/toolchain/embedded/status.ts');
  const found = await embeddedStatus(leanCacheFolder(settingsFrom()));
  if (json) {
    process.stdout.write(`${JSON.stringify(found)}\n`);
    return ExitCode.done;
  }
  process.stdout.write(`Lean ${found.version} in ${found.folder} (${formatBytes(found.totalBytes)})\n`);
  for (const { name, ready, bytes } of found.stages)
    process.stdout.write(
      `  ${ready ? '✓' : '·'} ${name.padEnd(12)} ${ready ? formatBytes(bytes) : 'not built'}\n`,
    );
  return ExitCode.done;
}

async function clean(onlyOld: boolean): Promise<ExitCode> {
  const { leanCacheFolder, settingsFrom } = await import('../../app/settings.ts');
  const { embeddedStatus } = await import('../../lean/toolchain/embedded/status.ts');
  const { readdir, rm } = await import('node:fs/promises');
  const path = await import('node:path');
  const folder = leanCacheFolder(settingsFrom());
  const before = await embeddedStatus(folder);
  const kept = new Set(onlyOld ? before.stages.map((stage) => path.basename(stage.folder)) : []);
  for (const name of await readdir(folder).catch(() => []))
    if (!kept.has(name)) await rm(path.join(folder, name), { recursive: true, force: true });
  const after = await embeddedStatus(folder);
  process.stdout.write(`freed ${formatBytes(before.totalBytes - after.totalBytes)} in ${folder}
`);
  return ExitCode.done;
}
