import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { describeHealth } from '../../src/commands/look/doctor.ts';
import { makeProgram } from '../../src/program.ts';
import { glossary } from '../../src/config/glossary.ts';
import { packageRoot } from '../../src/config/package.ts';
import { temporaryFolder } from '../helpers/folders.ts';
import { orchHere } from '../helpers/orch-here.ts';
import { orch, run } from '../helpers/orch.ts';

describe('orch explain', () => {
  test('the glossary defines each word once, in alphabetical order', () => {
    const words = glossary().map(({ word }) => word);
    expect(words).toEqual([...new Set(words)].sort((one, two) => one.localeCompare(two, 'en')));
    expect(words).toEqual(
      expect.arrayContaining(['arm', 'slate', 'replayed', 'axioms-clean', 'hit rate', 'target']),
    );
  });

  test('a known word, similar words, and an unknown one', async () => {
    const known = await orchHere(['explain', 'Axioms_Clean']);
    expect([known.code, known.stdout]).toEqual([
      0,
      expect.stringMatching(/^axioms-clean: the assurance of /),
    ]);
    const wrong = await orchHere(['explain', 'slte']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean slate?')]);
  });
});

test('a pipe that closes early (| head) ends the program without an error', async () => {
  const child = spawn(process.execPath, [path.join(packageRoot, 'src', 'cli.ts'), 'explain']);
  let talk = '';
  child.stdout.destroy();
  child.stderr.on('data', (chunk: Buffer) => (talk += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, talk]).toEqual([0, '']);
});

test('bash completes commands, their options and the values of options', async () => {
  const { stdout } = await orchHere(['completion', 'bash']);
  const file = path.join(temporaryFolder(), 'orch.bash');
  writeFileSync(file, stdout);
  const completed = (...words: string[]): string[] =>
    execFileSync(
      'bash',
      [
        '-c',
        `source ${file}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _orch; printf '%s\\n' "\${COMPREPLY[@]}"`,
        'bash',
        'orch',
        ...words,
      ],
      { encoding: 'utf8' },
    )
      .trim()
      .split('\n');
  expect(completed('ex')).toEqual(['explain']);
  expect(completed('ledger', 've')).toEqual(['verify']);
  expect(completed('run', 'Basic.lean', '--wri')).toEqual(['--write']);
  expect(completed('run', '--reporter', 'g')).toEqual(['github']);
});

test('npm run orch works from any folder, with paths relative to it', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'below'));
  writeFileSync(path.join(folder, 'below', 'a.json'), '{"goals": 1}');
  const asNpmDoes = { npm_lifecycle_event: 'orch', INIT_CWD: path.join(folder, 'below') };
  const { code, stderr } = await orch(['compare', 'a.json', 'a.json'], { cwd: packageRoot, env: asNpmDoes });
  expect(code).toBe(2);
  expect(stderr.split('\n')[0]).toMatch(/^orch: a\.json is not a results file of orch \(.+\)$/);
  expect(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')).toContain('"orch": "node src/cli.ts"');
});

test('doctor reports the same findings as text and as JSON', () => {
  const findings = [
    { name: 'node', state: 'ok', detail: 'Node 24' },
    { name: 'native lean', state: 'missing', detail: 'none', fix: 'Install elan.' },
    { name: 'disk', state: 'broken', detail: '1 GB free', fix: 'Free 2 GB.' },
  ] as const;
  const text = describeHealth({ ok: false, findings });
  for (const { name, detail } of findings) expect(text).toContain(`${name.padEnd(14)} ${detail}`);
  expect(text).toContain('→ Free 2 GB.');
  expect(text.trimEnd().split('\n').at(-1)).toBe('orch does not work here; fix this first: disk');
  expect(describeHealth({ ok: true, findings: findings.slice(0, 2) })).toMatch(/orch works here\n$/);
});

test('an impossible ledger path is refused at once, and nothing is created', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'g.jsonl'), '{"id":"a","statement":"theorem a : 1 = 1"}\n');
  for (const ledger of ['/proc/no/such/ledger.db', path.join(folder, 'g.jsonl', 'ledger.db'), folder]) {
    const { code, stderr } = await orchHere(['run', 'g.jsonl', '--ledger', ledger], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(`the ledger ${ledger} cannot be opened`)]);
  }
  const { stdout } = await run('ls', ['-A', folder]);
  expect(stdout.trim()).toBe('g.jsonl');
});

const visible = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help');

describe('--help', async () => {
  const leaves = (command: Command, words: readonly string[] = []): [string, Command][] =>
    command.commands.length === 0
      ? [[words.join(' '), command]]
      : visible(command).flatMap((child) => leaves(child, [...words, child.name()]));

  test.each(leaves(await makeProgram()))('the help of %s has examples that parse', (name, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const lines = help.split('Examples:\n')[1]?.trimEnd().split('\n') ?? [];
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const typed = new RegExp(`\\borch ${name}(?= |$|\\))(.*?)(?:  .*| [|<>] .*|\\).*)?$`).exec(line);
      const words = [...(typed?.[1] ?? '').matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      );
      expect([line, typed === null, command.parseOptions(words).unknown]).toEqual([line, false, []]);
    }
  });
});
