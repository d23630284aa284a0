import type { Command } from 'commander';
import { ExitCode } from '../core/exit.ts';

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('What is here, what is missing, how to get it')
    .option('--json', 'as JSON')
    .action(async ({ json }: { json?: true }) => {
      process.exitCode = await doctor(json === true);
    });
}

async function doctor(json: boolean): Promise<ExitCode> {
  const { settingsFrom, leanCacheFolder } = await import('../app.ts');
  const { workersOf } = await import('../config/schema.ts');
  const { examine } = await import('../lean/toolchain/doctor.ts');
  const settings = settingsFrom();
  const findings = await examine({
    lean: settings.lean,
    folder: process.cwd(),
    cacheFolder: leanCacheFolder(settings),
    environment: process.env,
    workers: workersOf(settings),
  });
  const isBroken = findings.some(({ state }) => state === 'broken');
  if (json) process.stdout.write(`${JSON.stringify({ ok: !isBroken, findings })}\n`);
  else {
    for (const { state, name, detail, fix } of findings) {
      const mark = { ok: '✓', missing: '·', broken: '✗' }[state];
      process.stdout.write(
        `${mark} ${name.padEnd(14)} ${detail}\n${fix === undefined ? '' : `  ${''.padEnd(14)} → ${fix}\n`}`,
      );
    }
  }
  return isBroken ? ExitCode.broken : ExitCode.done;
}
