import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { makeFolders } from '../../core/folders.ts';
import { ExitCode } from '../../core/exit.ts';
import { addProjectOptions, exitWith } from '../options/options.ts';
import { settingFlags } from '../../config/flags.ts';
import { escaped } from '../../shared/for-people.ts';
import { plural } from '../../shared/plural.ts';

interface TraceOptions {
  readonly out: string;
  readonly useEmbedded?: true;
  readonly build?: true;
}

export function registerTrace(program: Command): void {
  addProjectOptions(program.command('trace'))
    .description("Export states, steps and premises of existing proofs in LeanDojo's format")
    .argument('[paths...]', 'Lean files, folders, or patterns (default: this folder)')
    .requiredOption('--out <folder>', 'folder for theorems.jsonl and corpus.jsonl')
    .action(exitWith(trace));
}

async function trace(paths: readonly string[], options: TraceOptions): Promise<ExitCode> {
  const { openLean } = await import('../../app/lean.ts');
  const { settingsFrom } = await import('../../app/settings.ts');
  const { imageOfFiles } = await import('../../lean/goals/files.ts');
  const { filesOf } = await import('../../lean/goals/sources.ts');
  const { provenancesOf, readTheorems, traceFile } = await import('../../lean/learning/trace/trace.ts');
  const files = filesOf(paths.length > 0 ? paths : ['.']).filter((file) => file.endsWith('.lean'));
  const image = imageOfFiles(files);
  const settings = settingsFrom(settingFlags({ ...options }));
  await using lean = await openLean(settings, { image, files, slots: 1 });
  const read = [];
  for (const file of files) {
    const found = await readTheorems(lean.pool, file);
    if (found.ok) read.push(found.value);
    else process.stderr.write(escaped`orch: ${file}: ${found.error.kind}: ${found.error.message}\n`);
  }
  const known = provenancesOf(read);
  const theorems = [];
  for (const file of read) theorems.push(...(await traceFile(lean.pool, file, known)));

  makeFolders(options.out);
  const write = (name: string, rows: readonly unknown[]): void =>
    writeFileSync(path.join(options.out, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  write('theorems.jsonl', theorems);
  write(
    'corpus.jsonl',
    read.map(({ file, imports, premises }) => ({ path: file, imports, premises })),
  );
  const whole = theorems.filter(({ reason }) => reason === null).length;
  const steps = theorems.reduce((sum, { traced_tactics }) => sum + traced_tactics.length, 0);
  process.stdout.write(
    `${whole} of ${theorems.length} theorems traced completely, ${plural(steps, 'step')}, in ${options.out}\n`,
  );
  return read.length === files.length ? ExitCode.done : ExitCode.unknown;
}
