import type { Command } from 'commander';
import { ExitCode } from '../../core/exit.ts';
import type { Finding } from '../../core/doctor-finding.ts';
import { exitWith } from '../options/options.ts';

export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check the set-up and print how to fix problems')
    .option('--json', 'print JSON')
    .option(
      '--selftest [FILE]',
      'ask Lean 40 questions and write a report to attach to an issue (default: orch-selftest.md)',
    )
    .action(
      exitWith(
        async ({ json, selftest }: { json?: true; selftest?: string | true }) =>
          await doctor(json === true, selftest === true ? 'orch-selftest.md' : selftest),
      ),
    );
}

async function doctor(json: boolean, report: string | undefined): Promise<ExitCode> {
  const { settingsFrom, leanCacheFolder } = await import('../../app/settings.ts');
  const { workersOf } = await import('../../config/schema.ts');
  const { examine } = await import('../../lean/doctor.ts');
  const settings = settingsFrom();
  const { examineModels } = await import('../../models/doctor.ts');
  const about = await examine({
    lean: settings.lean,
    folder: process.cwd(),
    cacheFolder: leanCacheFolder(settings),
    environment: process.env,
    workers: workersOf(settings),
  });
  const findings = [...about, ...(await examineModels(settings))];
  const isBroken = findings.some(({ state }) => state === 'broken');
  const told = { ok: !isBroken, findings };
  if (report !== undefined) {
    const { writeSelfTest } = await import('../../app/self-test.ts');
    return await writeSelfTest({ settings, findings, file: report, json });
  }
  process.stdout.write(json ? `${JSON.stringify(told)}\n` : describeHealth(told));
  return isBroken ? ExitCode.broken : ExitCode.done;
}

/** The content of `--json` as lines. */
export function describeHealth({ ok, findings }: { ok: boolean; findings: readonly Finding[] }): string {
  const lines = findings.map(({ state, name, detail, fix }) => {
    const mark = { ok: '✓', missing: '·', broken: '✗' }[state];
    return `${mark} ${name.padEnd(14)} ${detail}\n${fix === undefined ? '' : `  ${''.padEnd(14)} → ${fix}\n`}`;
  });
  const broken = findings.filter(({ state }) => state === 'broken').map(({ name }) => name);
  return `${lines.join('')}${ok ? 'orch works here' : `orch does not work here; fix this first: ${broken.join(', ')}`}\n`;
}
