import os from 'node:os';
import { packageVersion } from '../config/package.ts';
import type { Settings } from '../config/schema.ts';
import { systemClock } from '../core/clock.ts';
import type { Finding } from '../core/doctor-finding.ts';
import { ExitCode } from '../core/exit.ts';
import { messageOf } from '../core/errors.ts';
import { writeWhole } from '../io/whole-file.ts';
import { selfTest, type SelfTestRow } from '../lean/self-test/self-test.ts';
import { openLean } from './lean.ts';

interface SelfTest {
  readonly settings: Settings;
  /** Findings of `orch doctor`, for the report. */
  readonly findings: readonly Finding[];
  readonly file: string;
  readonly json: boolean;
}

/** Ask the configured Lean all questions, and write a report that describes the machine and set-up. */
export async function writeSelfTest({ settings, findings, file, json }: SelfTest): Promise<ExitCode> {
  let lean = 'none';
  let rows: SelfTestRow[];
  try {
    await using opened = await openLean(settings, { image: 'init', slots: 1 });
    const { kind, version } = opened.pool.toolchain;
    lean = `${version} (${kind})`;
    rows = await selfTest(opened, systemClock, (row, done, total) => {
      if (!row.isFine || done === total || done % 10 === 0)
        process.stderr.write(`${row.isFine ? '✓' : '✗'} ${done} of ${total}: ${row.name}\n`);
    });
  } catch (error) {
    // the report matters most when Lean does not start
    rows = [{ name: 'Lean opens', expected: 'yes', seen: messageOf(error), isFine: false, seconds: 0 }];
  }
  const facts = { orch: packageVersion(), lean, node: process.versions.node, platform: platform() };
  writeWhole(file, selfTestReport(facts, findings, rows));
  const bad = rows.filter(({ isFine }) => !isFine);
  if (json)
    process.stdout.write(`${JSON.stringify({ ok: bad.length === 0, ...facts, rows, report: file })}\n`);
  else {
    for (const { name, expected, seen } of bad)
      process.stdout.write(`✗ ${name}: expected ${expected}; seen ${seen}\n`);
    process.stdout.write(
      `${rows.length - bad.length} of ${rows.length} as expected with Lean ${lean}; report: ${file}\n`,
    );
  }
  return bad.length === 0 ? ExitCode.done : ExitCode.notAll;
}

function platform(): string {
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  return `${os.platform()} ${os.release()} ${os.arch()}, ${os.availableParallelism()} cores (${cpu?.model ?? 'unknown'}), ${memory} GiB`;
}

/** Markdown for an issue. */
export function selfTestReport(
  facts: Readonly<Record<string, string>>,
  findings: readonly Finding[],
  rows: readonly SelfTestRow[],
): string {
  const fine = rows.filter(({ isFine }) => isFine).length;
  return [
    '# orch self-test\n',
    table(['what', 'value'], Object.entries(facts)),
    `## Questions to Lean: ${fine} of ${rows.length} as expected\n`,
    table(
      ['', 'question', 'expected', 'seen', 'seconds'],
      rows.map(({ isFine, name, expected, seen, seconds }) => [
        isFine ? '✓' : '✗',
        name,
        expected,
        seen,
        seconds.toFixed(1),
      ]),
    ),
    '## Set-up\n',
    table(
      ['', 'what', 'found'],
      findings.map(({ state, name, detail }) => [state, name, detail]),
    ),
  ].join('\n');
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...body];
  return lines.map((cells) => `| ${cells.map(cell).join(' | ')} |\n`).join('');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
